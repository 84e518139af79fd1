/* SPDX-License-Identifier: GPL-2.0-only */
#include "coherence/lines.h"

#include "base/memory.h"

enum { FIRST_CAPACITY_LOG2 = 10, BLOCK_LINES = 128 };

static size_t lines_capacity(const struct lines *lines)
{
	return (size_t)1 << lines->capacity_log2;
}

void lines_init(struct lines *lines)
{
	*lines = (struct lines){ .capacity_log2 = FIRST_CAPACITY_LOG2 };
	lines->slots = memory_alloc(lines_capacity(lines), sizeof(*lines->slots));
}

void lines_deinit(struct lines *lines)
{
	free(lines->slots);
	arena_deinit(&lines->arena);
}

size_t lines_bytes(const struct lines *lines)
{
	size_t nr_blocks = (lines->nr + BLOCK_LINES - 1) / BLOCK_LINES;

	return lines_capacity(lines) * sizeof(*lines->slots) +
	       nr_blocks * BLOCK_LINES * sizeof(struct line);
}

static void lines_place(struct lines *lines, struct line *line)
{
	size_t mask = lines_capacity(lines) - 1;
	size_t i = lines_slot(lines, line->number);

	while (lines->slots[i])
		i = (i + 1) & mask;
	lines->slots[i] = line;
}

static void lines_grow(struct lines *lines)
{
	auto_free struct line **old = lines->slots;
	size_t nr_old = lines_capacity(lines);

	lines->capacity_log2++;
	lines->slots = memory_alloc(lines_capacity(lines), sizeof(*lines->slots));
	for (size_t i = 0; i < nr_old; i++)
		if (old[i])
			lines_place(lines, old[i]);
}

struct line *lines_add(struct lines *lines, uint64_t number)
{
	struct line *line;

	if (lines->nr >= lines_capacity(lines) / 4 * 3)
		lines_grow(lines);
	if (lines->nr % BLOCK_LINES == 0)
		lines->block = arena_alloc(&lines->arena, BLOCK_LINES, sizeof(*lines->block));
	line = &lines->block[lines->nr++ % BLOCK_LINES];
	line->number = number;
	lines_place(lines, line);
	return line;
}
