/* SPDX-License-Identifier: GPL-2.0-only */
/* One struct's members on both sides, while they are matched; and renames among the rest. */
#ifndef FIELDLINE_ANALYZE_RENAME_H
#define FIELDLINE_ANALYZE_RENAME_H

#include "analyze/matching.h"

struct scope_side {
	const struct member_vec *members;
	const uint32_t *indexes; /* of its members, in the order of declaration */
	size_t nr;
	int32_t *partners; /* by position: the other side's position, MATCHING_NONE */
};

struct scope {
	struct matching *matching;
	struct scope_side old_side;
	struct scope_side new_side;
};

void scope_init(struct scope *scope, const uint32_t *olds, size_t nr_olds, const uint32_t *news,
		size_t nr_news);
void scope_deinit(struct scope *scope);
const char *scope_name(const struct scope_side *side, size_t position);
/* renamed_for: a phrase that says why they are the same under different names; NULL if not. */
void scope_link(struct scope *scope, size_t old, size_t new, const char *renamed_for);
/*
 * Matches what no name matched: members of one type in the same place or between the same
 * neighbours, and members of one type whose names are much alike.
 */
void scope_match_renamed(struct scope *scope);

#endif
