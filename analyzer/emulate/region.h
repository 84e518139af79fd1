/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When to look: the region of interest. Operations (entries of chosen kernel functions, an I/O
 * each) are counted from boot, or from where the guest marks that its workload starts. The model
 * runs before the region, so that its caches are warm when counting starts.
 *
 *	IDLE -> (mark) ARMED -> (start - warm_up operations) WARMING -> (start) COUNTING -> DONE
 *
 * Without a count the region ends where the guest marks the end.
 */
#ifndef FIELDLINE_EMULATE_REGION_H
#define FIELDLINE_EMULATE_REGION_H

#include <stdbool.h>
#include <stdint.h>

enum region_state {
	REGION_IDLE,
	REGION_ARMED,
	REGION_WARMING,
	REGION_COUNTING,
	REGION_DONE,
};

/* What the guest's mark instruction says. */
enum region_mark { REGION_MARK_START = 1, REGION_MARK_END = 2 };

struct region {
	uint64_t start;	  /* operations before it */
	uint64_t count;	  /* operations in it; 0 = until the guest marks the end */
	uint64_t warm_up; /* operations before the start from which the model runs */
	uint64_t nr;	  /* operations since the mark */
	enum region_state state;
	bool cut_short; /* the guest marked the end before all operations were seen */
};

/* Counts operations from now on, without waiting for a mark. */
void region_arm(struct region *region);
/* Both yield whether the state changed. */
bool region_mark(struct region *region, enum region_mark mark);
bool region_operation(struct region *region);

static inline bool region_is_modelled(const struct region *region)
{
	return region->state == REGION_WARMING || region->state == REGION_COUNTING;
}

#endif
