/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which member of an old struct is which one of the new: by name, wherever it went; then by the
 * signs of a rename. Members of embedded structs are matched within their own structs; the levels
 * of anonymous structs and unions don't count, as they don't in C.
 */
#ifndef FIELDLINE_ANALYZE_MATCHING_H
#define FIELDLINE_ANALYZE_MATCHING_H

#include "analyze/members.h"

#define MATCHING_NONE (-1)

struct matching {
	struct member_vec old_members;
	struct member_vec new_members;
	int32_t *to_new; /* by index of the old member; MATCHING_NONE = removed */
	int32_t *to_old; /* by index of the new member; MATCHING_NONE = added */
	/* By index of the old member: why it is the same under another name; NULL = same name. */
	const char **renamed_for;
	bool loose; /* one side is BTF, which keeps no alignment and only the product of counts */
	bool truncated; /* one of them unfolds to more than was looked at */
	struct text scratch[2];
};

void matching_init(struct matching *matching, const struct type *old_type,
		   const struct type *new_type, bool loose);
void matching_deinit(struct matching *matching);
#define auto_matching __attribute__((cleanup(matching_deinit)))

/* Whether two members are declared with the same type, as far as its C text tells. */
bool matching_types_alike(struct matching *matching, const struct type *a, const struct type *b);

#endif
