/* SPDX-License-Identifier: GPL-2.0-only */
/* What the steps of comparing one pair of structs share. */
#ifndef FIELDLINE_ANALYZE_COMPARE_PAIR_H
#define FIELDLINE_ANALYZE_COMPARE_PAIR_H

#include "analyze/compare.h"
#include "analyze/matching.h"
#include "model/layout.h"

struct pair {
	struct arena *arena; /* of the set */
	const struct compare_options *options;
	const struct arch *old_arch;
	const struct arch *new_arch;
	const struct type *old_type;
	const struct type *new_type;
	struct matching matching;
	/* By index of the old member, where it has a partner: kinds of change, and the ripple. */
	unsigned int *kinds;
	int32_t *ripples; /* -1 = none */
	struct comparison *result;
};

/* Fills result->changes and ->ripples. */
void pair_find_changes(struct pair *pair);
/* Finds the ripples among the members of one struct: -1, -1, or a member defined in place. */
void pair_find_ripples(struct pair *pair, int32_t old_parent, int32_t new_parent);

/* Each adds findings. */
void pair_judge_changes(struct pair *pair);
void pair_judge_size(struct pair *pair);
void pair_judge_groups(struct pair *pair);
void pair_judge_lines(struct pair *pair, struct view view);
void pair_judge_sharing(struct pair *pair, struct view view);

/* Adds a finding about the struct, or about one of its fields, declared in that line. */
struct finding *pair_add_finding(struct pair *pair, const struct rule_info *rule,
				 enum severity severity, const char *field, uint32_t line);

/* Allocated in the set's arena. */
const char *pair_path(struct pair *pair, const struct member_vec *members, size_t at);
const char *pair_label(struct pair *pair, const struct member_vec *members, size_t at);

extern const struct rule_info rule_diff_change, rule_diff_ripple, rule_diff_embedded,
	rule_diff_size, rule_diff_class, rule_diff_hole, rule_diff_straddle, rule_diff_phase,
	rule_diff_line, rule_diff_share, rule_diff_group, rule_diff_added, rule_diff_removed;

#endif
