/* SPDX-License-Identifier: GPL-2.0-only */
/* What the end of a recording decides, and what its lines show without any time. */
#include "analyze/aggregation.h"

static bool are_others(uint64_t cpus, uint64_t others)
{
	return cpus && others && (cpus != others || __builtin_popcountll(cpus) > 1);
}

static bool overlap(const struct footprint *a, const struct footprint *b)
{
	return a->start < b->end && b->start < a->end;
}

/*
 * The footprint most written to by CPUs other than those of `of`; of those whose bytes overlap it
 * if there is any.
 */
static const struct footprint *find_writer(const struct aggregate *aggregate,
					   const struct line_history *history,
					   const struct line_spot *of)
{
	const struct footprint *footprints = aggregate->footprints.items, *found = NULL;
	uint64_t cpus = of->readers |
			(of->writes == LINE_NONE ? 0 : history->writes.items[of->writes].writers);
	bool found_overlaps = false;
	uint32_t most = 0;

	for (uint32_t i = 0; i < history->spots.nr; i++) {
		const struct line_spot *spot = &history->spots.items[i];
		const struct line_writes *writes;
		bool overlaps;

		if (spot->writes == LINE_NONE)
			continue;
		writes = &history->writes.items[spot->writes];
		overlaps = overlap(&footprints[spot->footprint], &footprints[of->footprint]);
		if (!are_others(writes->writers, cpus) || (found_overlaps && !overlaps))
			continue;
		if (!found || overlaps > found_overlaps || writes->nr_stores > most) {
			found = &footprints[spot->footprint];
			most = writes->nr_stores;
		}
		found_overlaps = overlaps;
	}
	return found;
}

static void fit_spot(struct aggregate *aggregate, const struct line_history *history,
		     const struct line_spot *spot)
{
	const struct footprint *of = &aggregate->footprints.items[spot->footprint], *writer;
	uint64_t nr = aggregate->tells_contention ? spot->nr_contended : spot->nr_samples;
	struct line_evidence *evidence;
	struct profile_pair pair;

	if (!nr || of->where == PROFILE_NONE)
		return;
	writer = find_writer(aggregate, history, spot);
	if (!writer)
		return;
	pair = (struct profile_pair){ .writer = writer->place,
				      .other = of->place,
				      .overlaps = overlap(writer, of) };
	/* What is disjoint and on another object is no matter of this type's layout alone. */
	pair.neighbour = !pair.overlaps && writer->has_object && writer->object != of->object;
	evidence = &aggregate->evidence.items[of->where];
	if (pair.overlaps)
		evidence->fits_true += nr;
	else
		evidence->fits_false += nr;
	aggregate_meet(aggregate, of->where, &pair)->nr += nr;
}

/* Objects of a type-line are as many as there are lines of memory that hold it. */
static void count_objects(struct aggregate *aggregate, size_t memory)
{
	const struct line_spot_vec *spots = &aggregate->memory.items[memory].history.spots;

	for (uint32_t i = 0; i < spots->nr; i++) {
		uint32_t where = aggregate->footprints.items[spots->items[i].footprint].where;

		if (where == PROFILE_NONE ||
		    aggregate->evidence.items[where].last_memory == memory + 1)
			continue;
		aggregate->evidence.items[where].last_memory = memory + 1;
		aggregate->profile.lines.items[where].nr_objects++;
	}
}

void aggregate_settle(struct aggregate *aggregate)
{
	bool is_timed = aggregate->profile.totals.has_times || aggregate->options.every_access;
	struct line_event event;

	for (size_t i = 0; i < aggregate->memory.nr; i++) {
		struct memory_line *memory = &aggregate->memory.items[i];

		for (size_t k = 0; is_timed && k < memory->history.holders.nr; k++) {
			if (line_history_flush(&memory->history, k, &event))
				aggregate_count_event(aggregate, memory, &event);
		}
		for (size_t k = 0; k < memory->history.spots.nr; k++)
			fit_spot(aggregate, &memory->history, &memory->history.spots.items[k]);
		count_objects(aggregate, i);
	}
}
