/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/schedule.h"

/* splitmix64 (Steele, Lea, Flood 2014): seeds that differ in one bit start far apart. */
static uint64_t spread(uint64_t seed)
{
	seed += 0x9e3779b97f4a7c15ull;
	seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ull;
	seed = (seed ^ seed >> 27) * 0x94d049bb133111ebull;
	return seed ^ seed >> 31;
}

struct schedule schedule_create(uint64_t seed, uint32_t shortest, uint32_t longest)
{
	struct schedule schedule = { .state = spread(seed) | 1, .cpu = UINT32_MAX };

	schedule_set_turns(&schedule, shortest, longest);
	return schedule;
}

void schedule_set_turns(struct schedule *schedule, uint32_t shortest, uint32_t longest)
{
	schedule->shortest = shortest;
	schedule->longest = longest;
}

/* xorshift64 (Marsaglia 2003). */
uint64_t schedule_draw(struct schedule *schedule)
{
	uint64_t range = schedule->longest - schedule->shortest + 1;

	schedule->state ^= schedule->state << 13;
	schedule->state ^= schedule->state >> 7;
	schedule->state ^= schedule->state << 17;
	return schedule->shortest + schedule->state % range;
}
