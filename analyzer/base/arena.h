/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory for many small things that die together. Nothing is freed singly; arena_deinit() frees
 * all. A zeroed struct arena is an empty one.
 */
#ifndef FIELDLINE_BASE_ARENA_H
#define FIELDLINE_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
};

/* Zeroed, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t nr, size_t size) __attribute__((returns_nonnull));
void *arena_copy(struct arena *arena, const void *from, size_t bytes)
	__attribute__((returns_nonnull));
char *arena_strdup(struct arena *arena, const char *text) __attribute__((returns_nonnull));
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));
void arena_deinit(struct arena *arena);

#define auto_arena __attribute__((cleanup(arena_deinit)))

#endif
