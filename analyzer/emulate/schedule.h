/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose turn it is: how many instructions a CPU runs before the next one does. QEMU alone changes
 * CPUs every 100 ms of virtual time, which hides nearly all contention; turns of random length
 * from a seed interleave CPUs finely, and the same way each time.
 */
#ifndef FIELDLINE_EMULATE_SCHEDULE_H
#define FIELDLINE_EMULATE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

struct schedule {
	uint64_t state; /* of the generator; never 0 */
	uint64_t left;	/* instructions of this turn */
	uint32_t shortest;
	uint32_t longest;
	uint32_t cpu;
};

/* Turns of shortest to longest instructions, both at least 1. */
struct schedule schedule_create(uint64_t seed, uint32_t shortest, uint32_t longest);
/* From the next turn on; the random numbers go on where they were. */
void schedule_set_turns(struct schedule *schedule, uint32_t shortest, uint32_t longest);
uint64_t schedule_draw(struct schedule *schedule);

/* cpu is about to run nr instructions. Yields whether its turn ends with them. */
static inline bool schedule_run(struct schedule *schedule, uint32_t cpu, uint32_t nr)
{
	if (schedule->cpu != cpu) {
		schedule->cpu = cpu;
		schedule->left = schedule_draw(schedule);
	}
	if (schedule->left > nr) {
		schedule->left -= nr;
		return false;
	}
	schedule->left = schedule_draw(schedule);
	return true;
}

#endif
