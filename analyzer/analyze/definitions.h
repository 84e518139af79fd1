/* SPDX-License-Identifier: GPL-2.0-only */
/* Which definition of the old set goes with which of the new one. */
#ifndef FIELDLINE_ANALYZE_DEFINITIONS_H
#define FIELDLINE_ANALYZE_DEFINITIONS_H

#include "model/typeset.h"

struct definition_pair {
	const struct definition *before; /* NULL = added */
	const struct definition *after;	 /* NULL = removed */
};

DEFINE_VEC(definition_pair_vec, struct definition_pair);

/*
 * Pairs by name and kind. Where a name has several definitions, equal layouts go together first,
 * then those of one file, then those with the most field names in common. In the order of names.
 */
void definitions_pair(const struct typeset *old_set, const struct typeset *new_set,
		      struct definition_pair_vec *ret);

#endif
