/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding what a step is about, and giving it lines of its own. Only for this folder. */
#ifndef FIELDLINE_PATCH_REWRITING_PLACE_H
#define FIELDLINE_PATCH_REWRITING_PLACE_H

#include "patch/rewriting.h"

/* Index of the declaration; an error if it can't be touched. */
struct error *rewriting_find(struct rewriting *rewriting, struct target target, size_t *ret);
/*
 * The same, after the member got a declaration of its own, on lines of its own: "int a, b;" is
 * parted.
 */
struct error *rewriting_isolate(struct rewriting *rewriting, struct target target, size_t *ret);
#endif
