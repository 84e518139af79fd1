/* SPDX-License-Identifier: GPL-2.0-only */
/* What the end of a recording decides, and what its lines show without any time. */
#include "analyze/aggregation.h"

static bool are_others(uint64_t cpus, uint64_t others)
{
	return cpus && others && (cpus != others || __builtin_popcountll(cpus) > 1);
}

static bool overlap(const struct line_spot *a, const struct line_spot *b)
{
	return a->start < b->end && b->start < a->end;
}

/*
 * The spot most written to by CPUs other than those of `of`; of those whose bytes overlap it if
 * there is any.
 */
static const struct line_spot *find_writer(const struct line_history *history,
					   const struct line_spot *of)
{
	uint64_t cpus = of->readers |
			(of->writes == LINE_NONE ? 0 : history->writes.items[of->writes].writers);
	const struct line_spot *found = NULL;
	bool found_overlaps = false;
	uint32_t most = 0;

	for (size_t i = 0; i < history->spots.nr; i++) {
		const struct line_spot *spot = &history->spots.items[i];
		const struct line_writes *writes;
		bool overlaps;

		if (spot->writes == LINE_NONE)
			continue;
		writes = &history->writes.items[spot->writes];
		overlaps = overlap(spot, of);
		if (!are_others(writes->writers, cpus) || (found_overlaps && !overlaps))
			continue;
		if (!found || overlaps > found_overlaps || writes->nr_stores > most) {
			found = spot;
			most = writes->nr_stores;
		}
		found_overlaps = overlaps;
	}
	return found;
}

static void fit_spot(struct aggregate *aggregate, const struct memory_line *memory,
		     const struct line_spot *spot)
{
	uint64_t nr = aggregate->tells_contention ? spot->nr_contended : spot->nr_samples;
	const struct line_spot *writer;
	struct line_evidence *evidence;
	struct profile_pair pair;

	if (!nr || spot->where == PROFILE_NONE)
		return;
	writer = find_writer(&memory->history, spot);
	if (!writer)
		return;
	pair = (struct profile_pair){ .writer = writer->place,
				      .other = spot->place,
				      .overlaps = overlap(writer, spot) };
	/* What is disjoint and on another object is no matter of this type's layout alone. */
	pair.neighbour = !pair.overlaps && writer->object && writer->object != spot->object;
	evidence = &aggregate->evidence.items[spot->where];
	if (pair.overlaps)
		evidence->fits_true += nr;
	else
		evidence->fits_false += nr;
	aggregate_meet(aggregate, spot->where, &pair)->nr += nr;
}

/* Objects of a type-line are as many as there are lines of memory that hold it. */
static void count_objects(struct aggregate *aggregate, const struct memory_line *memory)
{
	const struct line_spot_vec *spots = &memory->history.spots;

	for (size_t i = 0; i < spots->nr; i++) {
		bool seen = spots->items[i].where == PROFILE_NONE;

		for (size_t k = 0; k < i && !seen; k++)
			seen = spots->items[k].where == spots->items[i].where;
		if (!seen)
			aggregate->profile.lines.items[spots->items[i].where].nr_objects++;
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
			fit_spot(aggregate, memory, &memory->history.spots.items[k]);
		count_objects(aggregate, memory);
	}
}
