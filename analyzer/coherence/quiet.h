/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The accesses that say nothing: most hit a line that their CPU has had for long, and change
 * nothing. Each CPU's latest such lines answer for them before the line is looked for. Eight lines
 * that lie side by side are side by side here, so that few of the processor's own lines are used.
 *
 * A line is here for loads while its CPU's loads of it hit and tell nobody, for stores as well
 * while the same holds of them. Whatever may end that forgets the line: see quiet_forget().
 */
#ifndef FIELDLINE_COHERENCE_QUIET_H
#define FIELDLINE_COHERENCE_QUIET_H

#include <stdbool.h>
#include <stdint.h>

enum { QUIET_LINES_LOG2 = 11, QUIET_LINES = 1 << QUIET_LINES_LOG2 };

/* Of one CPU, by a hash of the number: number << 1 | stores are quiet, too; ~0 = none. */
struct quiet {
	uint64_t lines[QUIET_LINES];
};

static inline uint64_t *quiet_slot(struct quiet *quiet, uint64_t number)
{
	uint64_t group = (number >> 3) * 0x9e3779b97f4a7c15ull >> (64 - QUIET_LINES_LOG2 + 3);

	return &quiet->lines[group << 3 | (number & 7)];
}

static inline void quiet_init(struct quiet *quiet)
{
	for (unsigned int i = 0; i < QUIET_LINES; i++)
		quiet->lines[i] = ~0ull;
}

static inline bool quiet_holds(struct quiet *quiet, uint64_t number, bool stores)
{
	return (*quiet_slot(quiet, number) | !stores) == (number << 1 | 1);
}

static inline void quiet_add(struct quiet *quiet, uint64_t number, bool stores)
{
	*quiet_slot(quiet, number) = number << 1 | stores;
}

static inline void quiet_forget(struct quiet *quiet, uint64_t number)
{
	uint64_t *slot = quiet_slot(quiet, number);

	if (*slot >> 1 == number)
		*slot = ~0ull;
}

#endif
