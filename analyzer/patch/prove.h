/* SPDX-License-Identifier: GPL-2.0-only */
/* Holds what a compiler made against what was predicted. */
#ifndef FIELDLINE_PATCH_PROVE_H
#define FIELDLINE_PATCH_PROVE_H

#include "base/error.h"
#include "base/text.h"
#include "model/typeset.h"

/*
 * Adds a sentence for each thing in which the layout of `is` differs from that of `expected`: size,
 * members, their places. True if none does.
 */
bool prove_layout(struct text *text, const struct type *expected, const struct type *is);
/*
 * The definition of that struct in a set: of several of one name that of the same file; NULL = none
 * is there.
 */
const struct definition *prove_find(const struct typeset *set, const struct type *type,
				    const char *typedef_name);

#endif
