/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The private caches, when they have a limit: which lines each CPU has room for. Sets of ways,
 * the least recently used leaves first. Says nothing of states: those are the line's.
 */
#ifndef FIELDLINE_COHERENCE_CACHES_H
#define FIELDLINE_COHERENCE_CACHES_H

#include "coherence/lines.h"

struct caches {
	unsigned int nr_sets; /* a power of two; 0: no limit, and nothing below is used */
	unsigned int nr_ways;
	struct line **ways; /* by CPU, set, and how recently used, the latest first; then NULLs */
};

void caches_init(struct caches *caches, unsigned int nr_cpus, unsigned int nr_sets,
		 unsigned int nr_ways);
void caches_deinit(struct caches *caches);
/* cpu uses the line: makes room if it is not there. Yields the line that had to leave, or NULL. */
struct line *caches_use(struct caches *caches, unsigned int cpu, struct line *line);
/* cpu loses the line, which its cache holds. */
void caches_remove(struct caches *caches, unsigned int cpu, const struct line *line);

#endif
