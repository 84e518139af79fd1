/* SPDX-License-Identifier: GPL-2.0-only */
/* How a source tree spells alignment and padding: a kernel has macros, other programs have not. */
#ifndef FIELDLINE_PATCH_DIALECT_H
#define FIELDLINE_PATCH_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/edit.h"

struct dialect {
	bool kernel;
	bool group_macros;	   /* __cacheline_group_begin(), since Linux 6.8 */
	bool group_aligned_macros; /* __cacheline_group_begin_aligned(), since Linux 6.12 */
	uint32_t cacheline;	   /* L1_CACHE_BYTES of the machine */
};

/* Looks into the tree's include/linux/cache.h. */
struct dialect dialect_of(const char *tree, uint32_t cacheline);

/* All strings are in the arena. An attribute that aligns to so many bytes. */
const char *dialect_aligned(const struct dialect *dialect, uint32_t align, struct arena *arena);
/* A char array of the size of type (as C) rounded up. */
const char *dialect_rounded_pad(const struct dialect *dialect, const char *name, const char *type,
				uint64_t round_to, struct arena *arena);
/* The line that marks the "begin" or "end" of a group; align 0 = none. */
const char *dialect_group(const struct dialect *dialect, const char *which, const char *name,
			  uint32_t align, struct arena *arena);
/* A line of bytes, where those are meant. */
const char *dialect_line(const struct dialect *dialect, uint64_t bytes, struct arena *arena);

#endif
