/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accesses wait before they are counted. Where lines are many, what is known of an access' line is
 * in no cache, and each step to it (its number, the line, its history, the spot) would wait for
 * memory alone; so each is fetched while others are counted. They leave in the order they came.
 */
#include "analyze/aggregation.h"

/* Accesses between two steps of one: some hundred nanoseconds, as memory takes. */
enum { NR_STEPS = 5, STEP = AGGREGATE_WAITING / NR_STEPS };

static struct waiting_access *waiting(struct aggregate *aggregate, uint64_t number)
{
	return &aggregate->waiting[number % AGGREGATE_WAITING];
}

static uint64_t line_number(const struct aggregate *aggregate, const struct waiting_access *access)
{
	return access->addr / aggregate->options.cacheline;
}

static void fetch_line(const struct aggregate *aggregate, struct waiting_access *access)
{
	const struct map_slot *slot =
		map_find(&aggregate->addresses, line_number(aggregate, access));

	if (!slot)
		return;
	access->memory = (uint32_t)slot->value;
	memory_prefetch(&aggregate->memory.items[slot->value], sizeof(struct memory_line));
}

/* The next thing to be looked at of an access that went in some steps ago. */
static void fetch(struct aggregate *aggregate, struct waiting_access *access, unsigned int step)
{
	const struct line_history *history =
		access->memory == PROFILE_NONE ? NULL :
						 &aggregate->memory.items[access->memory].history;

	if (step == 1)
		fetch_line(aggregate, access);
	else if (history && step == 2)
		line_history_prefetch(history, access->footprint);
	else if (history && step == 3)
		line_history_prefetch_spot(history, access->footprint);
	else if (history && access->counts.stores)
		line_history_prefetch_writes(history, access->footprint);
}

static void add_next(struct aggregate *aggregate)
{
	aggregate_count(aggregate, waiting(aggregate, aggregate->nr_added++));
}

struct waiting_access *aggregate_next(struct aggregate *aggregate)
{
	return waiting(aggregate, aggregate->nr_waited);
}

void aggregate_wait(struct aggregate *aggregate)
{
	uint64_t number = aggregate->nr_waited++;
	const struct waiting_access *added = waiting(aggregate, number);

	if (added->size)
		map_prefetch(&aggregate->addresses, line_number(aggregate, added));
	for (unsigned int step = 1; step < NR_STEPS && number >= step * STEP; step++)
		fetch(aggregate, waiting(aggregate, number - step * STEP), step);
	if (aggregate->nr_waited - aggregate->nr_added == AGGREGATE_WAITING)
		add_next(aggregate);
}

void aggregate_add_waiting(struct aggregate *aggregate)
{
	while (aggregate->nr_added < aggregate->nr_waited)
		add_next(aggregate);
}
