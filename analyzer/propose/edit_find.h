/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds what an edit names: through anonymous structs and unions, as C does. */
#ifndef FIELDLINE_PROPOSE_EDIT_FIND_H
#define FIELDLINE_PROPOSE_EDIT_FIND_H

#include "base/error.h"
#include "propose/declared_edit.h"

/* Deeper than any real nesting. */
#define PATH_MAX_DEPTH 32

/* Indexes of fields, from the outermost struct inwards. */
struct field_path {
	uint32_t at[PATH_MAX_DEPTH];
	uint32_t nr;
};

/* Whether C finds a member of that name in the struct. */
bool edit_finds(const struct type *type, const char *name);
/*
 * Where an edit is to be made: `level` leads to the anonymous struct that holds all it names
 * (empty = type itself), and found's indexes count the fields of that. found->at is in the arena.
 */
struct error *edit_find(const struct type *type, const struct edit *edit, struct arena *arena,
			struct field_path *ret_level, struct found_edit *ret);

#endif
