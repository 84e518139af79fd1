/* SPDX-License-Identifier: GPL-2.0-only */
/* Which lines of the text belong to a declaration. Only for this folder. */
#ifndef FIELDLINE_PATCH_STRETCH_H
#define FIELDLINE_PATCH_STRETCH_H

#include "patch/source_struct.h"

struct stretch {
	size_t start;
	size_t end;
};

/* Its lines, those of comments that start on the last of them included. */
struct stretch stretch_of_lines(const struct source_struct *source, size_t declaration);
/* Where comments directly above `start`, which starts a line, begin; `start` if there are none. */
size_t stretch_comments_start(const struct source_struct *source, size_t start);
/*
 * Whether comments directly above speak of this declaration alone: no other follows it on the
 * next line.
 */
bool stretch_is_alone(const struct source_struct *source, struct stretch lines);
/* Whether the stretch of a condition holds no declaration but that one and those inside it. */
bool stretch_holds_only(const struct source_struct *source, int32_t condition, size_t declaration);
/* Whether another declaration or brace stands before it on its line, and where that ends. */
bool stretch_crowded_before(const struct source_struct *source, size_t declaration, size_t *ret);
/* The same behind it, and where that starts. */
bool stretch_crowded_behind(const struct source_struct *source, size_t declaration, size_t *ret);
/* The blanks that a line of the declaration starts with, in the arena. */
const char *stretch_indent(const struct source_struct *source, size_t declaration,
			   struct arena *arena);

#endif
