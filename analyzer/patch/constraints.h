/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Searches a source tree for what holds a struct's layout: assertions that name it, casts to it,
 * container_of(), arithmetic with offsets, and comments in its declaration. The text is searched,
 * not parsed, as written in the kernel's style ("struct NAME"): what a macro hides is not seen.
 */
#ifndef FIELDLINE_PATCH_CONSTRAINTS_H
#define FIELDLINE_PATCH_CONSTRAINTS_H

#include "base/error.h"
#include "model/constraint.h"
#include "model/typeset.h"

/*
 * An ERROR_INPUT says that the tree does not declare the struct where the debug information has
 * it. Of arch/ only the machine's own folder is searched.
 */
struct error *constraints_find(const char *tree, const struct definition *definition,
			       const struct arch *arch, struct constraints *ret);

/* What one file says about what it calls `named`: "struct inode". Adds to ret. */
void constraints_find_in(const char *text, size_t size, const char *file, const char *named,
			 struct constraints *ret);

#endif
