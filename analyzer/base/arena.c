/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#define BLOCK_BYTES ((size_t)64 * 1024)

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t bytes;
	alignas(max_align_t) char data[];
};

static struct arena_block *add_block(struct arena *arena, size_t bytes)
{
	size_t room = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
	struct arena_block *block = memory_alloc(1, sizeof(*block) + room);

	block->bytes = room;
	/* A block made for one big item is full: keep filling the one before it. */
	if (room == bytes && arena->blocks) {
		block->next = arena->blocks->next;
		arena->blocks->next = block;
	} else {
		block->next = arena->blocks;
		arena->blocks = block;
	}
	return block;
}

void *arena_alloc(struct arena *arena, size_t nr, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct arena_block *block = arena->blocks;
	size_t bytes;
	void *memory;

	if (__builtin_mul_overflow(nr, size, &bytes) || bytes > SIZE_MAX / 2)
		bytes = SIZE_MAX / 2; /* fails in memory_alloc(), which reports it */
	bytes = (bytes + align - 1) & ~(align - 1);
	if (!block || block->bytes - block->used < bytes)
		block = add_block(arena, bytes);
	memory = block->data + block->used;
	block->used += bytes;
	return memory;
}

void *arena_copy(struct arena *arena, const void *from, size_t bytes)
{
	void *copy = arena_alloc(arena, 1, bytes);

	return bytes ? memcpy(copy, from, bytes) : copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_copy(arena, text, strlen(text) + 1);
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = arena_alloc(arena, 1, (size_t)length + 1);
	va_start(args, format);
	vsnprintf(text, (size_t)length + 1, format, args);
	va_end(args);
	return text;
}

void arena_deinit(struct arena *arena)
{
	struct arena_block *block = arena->blocks, *next;

	for (; block; block = next) {
		next = block->next;
		free(block);
	}
	arena->blocks = NULL;
}
