/* SPDX-License-Identifier: GPL-2.0-only */
/* What the rules see of a struct, and how they tell what they found. Only for this folder. */
#ifndef FIELDLINE_ANALYZE_JUDGE_H
#define FIELDLINE_ANALYZE_JUDGE_H

#include "analyze/members.h"
#include "analyze/rules.h"
#include "base/text.h"
#include "model/layout.h"

#define MEMBER_NONE SIZE_MAX

/* One struct before one guard. */
struct judge {
	const struct rules_request *request;
	const struct guard *guard;
	const struct definition *definition;
	struct member_vec members;
	const char *type; /* "struct bdev_inode" */
	/* The clause at work, and its view. */
	const struct clause *clause;
	const struct rule_info *rule;
	struct view view;
	bool applied; /* false once the clause found that it can't be judged */
	struct document *document;
};

extern const struct rule_info rule_size, rule_lines, rule_straddle, rule_phase, rule_align,
	rule_own_line, rule_share, rule_apart, rule_hot, rule_group, rule_baseline;

/* One function for each kind of clause. */
void judge_size(struct judge *judge);
void judge_lines(struct judge *judge);
void judge_straddle(struct judge *judge);
void judge_phase(struct judge *judge);
void judge_align(struct judge *judge);
void judge_own_line(struct judge *judge);
void judge_share(struct judge *judge);
void judge_apart(struct judge *judge);
void judge_hot(struct judge *judge);
void judge_groups(struct judge *judge);
void judge_group_fields(struct judge *judge);
void judge_group_size(struct judge *judge);
void judge_group_lines(struct judge *judge);
void judge_group_alone(struct judge *judge);
void judge_baseline(struct judge *judge);

/* Where something is declared; line 0 = unknown, then the struct's own place is told. */
struct place {
	const char *file;
	uint32_t line;
};

/* A violation at a field (NULL = the struct as a whole). */
void judge_tell(struct judge *judge, const char *field, const struct place *place,
		const char *message);
/* A violation at the member (MEMBER_NONE = the struct as a whole). Takes over nothing. */
void judge_violated(struct judge *judge, size_t at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The clause can't be judged. */
void judge_gap(struct judge *judge, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * The member a clause names, or MEMBER_NONE: then a gap with the nearest name is told (where the
 * guard is over a pattern that is left to rules_judge()).
 */
size_t judge_find(struct judge *judge, const char *path);

/* Bytes [first, last] and lines of a member; false if it has no bytes or no known place. */
struct extent {
	uint64_t first, last;		/* bytes */
	uint64_t first_line, last_line; /* in the clause's view */
};

bool judge_extent(const struct judge *judge, size_t at, struct extent *ret);
bool extents_share_line(const struct extent *a, const struct extent *b);
/* "line 3", "lines 3 and 4", "lines 3 to 7" */
void extent_add_lines(struct text *text, const struct extent *extent);
/* Whether nothing of the member is looked at more closely: it holds no others, or is an array. */
bool judge_is_leaf(const struct judge *judge, size_t at);
#endif
