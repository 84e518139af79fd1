/* SPDX-License-Identifier: GPL-2.0-only */
/* Unified diffs of two texts, as git writes them. */
#ifndef FIELDLINE_PATCH_DIFF_H
#define FIELDLINE_PATCH_DIFF_H

#include "base/error.h"
#include "base/text.h"

struct diff_stat {
	size_t nr_added;
	size_t nr_removed;
};

/*
 * Adds the difference of the file at path (below the tree) with three lines of context; nothing if
 * there is none. An ERROR_INPUT if the texts differ in more than can be compared.
 */
struct error *diff_print(struct text *text, const char *path, const char *before, const char *after,
			 struct diff_stat *ret);

#endif
