/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Allocation that does not fail, and the scope guards built on it.
 *
 * Running out of memory ends the program in memory.c, the one place that may: no caller could do
 * better. The bargain is that a size read from a file is checked against that file before it
 * comes here, so a hostile file can't ask for more than a small multiple of its own length.
 */
#ifndef FIELDLINE_BASE_MEMORY_H
#define FIELDLINE_BASE_MEMORY_H

#include <stddef.h>
#include <stdlib.h>

/* Zeroed memory for nr items of size bytes each; the product is checked. Freed with free(). */
void *memory_alloc(size_t nr, size_t size) __attribute__((malloc, returns_nonnull));
/* realloc() of an array; the new part is not cleared. */
void *memory_resize(void *old, size_t nr, size_t size) __attribute__((returns_nonnull));
char *memory_strdup(const char *text) __attribute__((malloc, returns_nonnull));

static inline void memory_free_pointer(void *pointer)
{
	free(*(void **)pointer);
}

/* Frees what the variable points at when it goes out of scope. */
#define auto_free __attribute__((cleanup(memory_free_pointer)))

/* Hands a guarded pointer on: yields its value and forgets it, so the guard frees nothing. */
#define take_pointer(pointer)                     \
	({                                        \
		__typeof__(pointer) _p = pointer; \
		(pointer) = NULL;                 \
		_p;                               \
	})

/* Fetches the bytes into the processor's cache, by its lines of 64 bytes, to be used soon. */
static inline void memory_prefetch(const void *bytes, size_t nr)
{
	for (size_t at = 0; at < nr; at += 64)
		__builtin_prefetch((const char *)bytes + at, 1);
}

#define array_size(array) (sizeof(array) / sizeof((array)[0]))

#endif
