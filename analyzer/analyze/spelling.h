/* SPDX-License-Identifier: GPL-2.0-only */
/* One type, spelled by different compilers. */
#ifndef FIELDLINE_ANALYZE_SPELLING_H
#define FIELDLINE_ANALYZE_SPELLING_H

#include "base/text.h"

/*
 * Spells C's integer types in a type's text alike: gcc says "long unsigned int" where clang says
 * "unsigned long".
 */
void spelling_unify(struct text *text);
/* Of array counts what BTF keeps: of [2][3] only [6], and [0] for []. */
void spelling_flatten_counts(struct text *text);

#endif
