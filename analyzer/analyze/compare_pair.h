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
	/* By index of the old member + 1, 0 the struct itself: has an edit changed its members? */
	bool *edited;
	struct comparison *result;
};

void pair_deinit(struct pair *pair);

/* Fills result->changes and ->ripples. */
void pair_find_changes(struct pair *pair);
/* Fills kinds. */
void pair_find_kinds(struct pair *pair);
/* Needs kinds; fills ripples, edited and result->ripples. */
void pair_find_ripples(struct pair *pair);

/* Whether an own member is one of the new struct's own members too. */
bool pair_has_partner(const struct pair *pair, size_t old);
/* What is left of a member's kinds of change when those are gone that something else brought. */
unsigned int pair_edited_kinds(const struct pair *pair, size_t old);
/* The alignment a struct or a field has, and what its content alone asks for. */
struct stated_align {
	uint32_t align;
	uint32_t natural;
};

/*
 * Whether somebody changed it, for it does not follow from what the content asks for. Compilers
 * state the content's again, or as much of it as a packed struct grants, so what was stated may
 * have been hidden by that on either side.
 */
bool align_is_edited(struct stated_align before, struct stated_align after);
/* Marks an old member, and what it lies in; -1 = the struct itself. */
void pair_mark_edited(struct pair *pair, int32_t old);

/*
 * Where a member lies, in bits from the start of its holder: the innermost member that holds it on
 * both sides, -1 = the struct itself.
 */
struct place {
	int32_t holder; /* index of the old one */
	uint64_t before;
	uint64_t after;
};

struct place pair_place(const struct pair *pair, size_t old, size_t new);
/* How far the old member moved within its holder. */
int64_t pair_moved_bits(const struct pair *pair, size_t old);

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
