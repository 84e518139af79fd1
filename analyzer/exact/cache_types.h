/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which struct a slab cache holds, by the cache's name and the size of its objects: most caches
 * are called after their struct, the rest stand in a table.
 */
#ifndef FIELDLINE_EXACT_CACHE_TYPES_H
#define FIELDLINE_EXACT_CACHE_TYPES_H

#include "base/error.h"
#include "model/typeset.h"
#include "trace/counts.h"

/*
 * Reads the structs of all caches, and struct page, out of vmlinux. ret_types: by cache; NULL where
 * none fits. Allocated, as long as the counts' caches.
 */
struct error *cache_types_read(const char *vmlinux, const struct counts *counts,
			       struct typeset *set, const struct type ***ret_types);
/* The struct that a cache holds, among those that find knows by name; NULL = none fits. */
const struct type *cache_type_choose(const struct counts_cache *cache,
				     const struct type *(*find)(void *context, const char *name),
				     void *context);
/* The struct of that name in the set; NULL = there is none. */
const struct type *cache_types_find(const struct typeset *set, const char *name);

#endif
