/* SPDX-License-Identifier: GPL-2.0-only */
/* A profile for people: what is fought over, by whom, and what could not be seen. */
#ifndef FIELDLINE_REPORT_PROFILE_TEXT_H
#define FIELDLINE_REPORT_PROFILE_TEXT_H

#include "base/text.h"
#include "model/profile.h"

enum profile_by {
	PROFILE_BY_TYPE,
	PROFILE_BY_OBJECT,
	PROFILE_BY_LINE,
	PROFILE_BY_FUNCTION,
	PROFILE_BY_CPU,
	PROFILE_BY_NODE,
	PROFILE_BY_TIME,
};

struct profile_text_options {
	enum profile_by by;
	uint32_t nr_shown; /* types, objects or rows at most */
	/* Only types that are named here, "struct inode" or "inode"; none = those that matter. */
	const struct string_vec *types;
};

void profile_text_print(struct text *text, const struct profile *profile,
			const struct profile_text_options *options);
/* Types as C, each member with what was seen of it in a comment. */
void profile_c_print(struct text *text, const struct profile *profile,
		     const struct profile_text_options *options);

#endif
