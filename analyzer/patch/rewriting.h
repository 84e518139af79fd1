/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A struct's declaration while it is changed, one small step after the other. After each step the
 * text is read anew, so that no place is ever stale. What is not part of a step stays byte for
 * byte; comments and conditions go along with what they belong to.
 *
 * A step that cannot be done safely is an ERROR_INPUT that names the line which stops it.
 */
#ifndef FIELDLINE_PATCH_REWRITING_H
#define FIELDLINE_PATCH_REWRITING_H

#include "base/text.h"
#include "model/edit.h"
#include "patch/source_struct.h"

/* A member of the image whose declaration can't be touched. */
struct untouchable {
	const char *name;
	const char *why;  /* with the line */
	const char *text; /* that makes it */
};

DEFINE_VEC(untouchable_vec, struct untouchable);

struct line_vec {
	uint32_t *items;
	size_t nr;
	size_t capacity;
};

struct rewriting {
	struct arena arena;
	const char *path;
	struct source_place place;
	struct string_vec names; /* known members, those that edits add included */
	struct untouchable_vec untouchables;
	struct text text;	     /* the whole file */
	struct line_vec lines;	     /* for each line of text the one of the file it comes from */
	struct source_struct source; /* of text */
};

/* text is the whole file, NUL-terminated. */
struct error *rewriting_init(struct rewriting *rewriting, const char *text, const char *path,
			     const struct type *type);
void rewriting_deinit(struct rewriting *rewriting);
#define auto_rewriting __attribute__((cleanup(rewriting_deinit)))

/* A member, or for outward > 0 the nth anonymous struct or union around it. */
struct target {
	const char *name;
	uint32_t outward;
};

/* Goes outward from both until they are in the same struct. */
struct error *rewriting_level(struct rewriting *rewriting, struct target *a, struct target *b);
/*
 * Puts lines (whole ones, without indentation) beside the member; outside: not under its
 * conditions.
 */
struct error *rewriting_insert(struct rewriting *rewriting, struct target target,
			       enum edit_side side, bool outside, const char *lines);
/*
 * Moves the member to beside the anchor. Where one lies deeper than the other, the anonymous struct
 * around it is meant.
 */
struct error *rewriting_move(struct rewriting *rewriting, struct target target,
			     struct target anchor, enum edit_side side);
/* union { member; pad }: pad is the other member's declaration without ';'. */
struct error *rewriting_wrap(struct rewriting *rewriting, struct target target, const char *pad);
/* An attribute behind the member's declarator. */
struct error *rewriting_attribute(struct rewriting *rewriting, struct target target,
				  const char *attribute);
/* One behind the body of the struct (target.name NULL) or of an anonymous one in it. */
struct error *rewriting_type_attribute(struct rewriting *rewriting, struct target target,
				       const char *attribute);
/* How the source spells the member's type, in the arena; an error if it has no name. */
struct error *rewriting_type_name(struct rewriting *rewriting, struct target target,
				  const char **ret);
/* Puts text behind the struct, on lines of their own. */
struct error *rewriting_append(struct rewriting *rewriting, const char *text);

/* The conditions around a member as text, which is equal for equal ones; in the arena. */
const char *rewriting_conditions(struct rewriting *rewriting, size_t member);
/* Reads the text anew: after names were added. */
struct error *rewriting_read(struct rewriting *rewriting);
/* Replaces a stretch of the text, and reads it anew. */
struct error *rewriting_splice(struct rewriting *rewriting, size_t start, size_t end,
			       const char *by);
/* An ERROR_INPUT that names a line, which is one of the text as it is now. */
struct error *rewriting_refuse(const struct rewriting *rewriting, uint32_t line, const char *format,
			       ...) __attribute__((format(printf, 3, 4)));

#endif
