/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who shares a line with whom. Each new line is held against the old line it has most of: its
 * home. A pair that has come to share a line has one member that was not on the home; a pair that
 * no longer does has one that left it, or comes from an old line that is no line's home. So
 * joining, leaving and scattering tell of every pair, without listing any.
 */
#ifndef FIELDLINE_ANALYZE_SHARING_H
#define FIELDLINE_ANALYZE_SHARING_H

#include "analyze/compare_pair.h"
#include "base/map.h"

#define NO_LINE UINT64_MAX

/* A member that fills some bytes of a line: of a large one its first and its last line count. */
struct spot {
	uint64_t line;
	uint32_t member;
};

DEFINE_VEC(spot_vec, struct spot);

/* A line of one of the structs: spots [start, end). */
struct line {
	uint64_t number;
	size_t start;
	size_t end;
	uint64_t home; /* new lines: number of the old line it has most of; NO_LINE */
	uint64_t bits; /* so much of it */
};

DEFINE_VEC(line_vec, struct line);

struct sharing_side {
	const struct member_vec *members;
	const int32_t *partners;
	struct spot_vec spots; /* by line, then by member */
	struct line_vec lines;
	uint32_t *nr_atoms; /* by member: how many members lie in it that are told singly */
	uint32_t *nr_named; /* the same, of those being named; all 0 in between */
};

struct sharing {
	struct pair *pair;
	struct view view;
	struct sharing_side old_side;
	struct sharing_side new_side;
	struct map successors; /* number of an old line -> index of the new line whose home it is */
};

void sharing_init(struct sharing *sharing, struct pair *pair, struct view view);
void sharing_deinit(struct sharing *sharing);
#define auto_sharing __attribute__((cleanup(sharing_deinit)))

/* What is told singly: what nothing lies in, and arrays as a whole. */
bool sharing_is_atom(const struct member_vec *members, size_t at);
uint64_t sharing_first_line(const struct sharing *sharing, const struct member *member);
/* The member of the other side that is this one; NULL = none. */
const struct member *sharing_partner(const struct sharing_side *side, uint32_t at,
				     const struct sharing_side *other);
/* By line, then by member: for qsort(). */
int sharing_compare_spots(const void *a, const void *b);

/* Sorts a new line's members into those that were on its home and those that were not. */
void sharing_find_joined(const struct sharing *sharing, const struct line *line,
			 struct spot_vec *ret_joined, struct spot_vec *ret_stayed);
/* The members of the old line that are not on the new one; spots tell where they went. */
void sharing_find_left(const struct sharing *sharing, uint64_t old_line, uint64_t new_line,
		       struct spot_vec *ret);
/*
 * Names spots of one line, a member for all that lie in it where all of them are named. Spots are
 * in the order of members. Yields the number of names.
 */
unsigned int sharing_print_names(struct text *text, struct sharing *sharing,
				 struct sharing_side *side, const struct spot *spots,
				 size_t nr_spots);

#endif
