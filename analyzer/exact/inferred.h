/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What type of object a call site allocates where no cache tells: the code that uses the objects
 * votes, as far as the resolver knows what its instructions access. The only struct of the very
 * size that was asked for wins, if what was seen fits it.
 */
#ifndef FIELDLINE_EXACT_INFERRED_H
#define FIELDLINE_EXACT_INFERRED_H

#include "resolve/resolver.h"
#include "trace/counts.h"

/*
 * cache_types: by cache; NULL where a cache does not tell. Yields types by source, NULL where none
 * won: allocated, as long as the counts' sources. They live as long as the resolver.
 */
const struct type **inferred_types(const struct counts *counts,
				   const struct type *const *cache_types,
				   struct resolver *resolver);

#endif
