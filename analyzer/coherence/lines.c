/* SPDX-License-Identifier: GPL-2.0-only */
#include "coherence/lines.h"

#include "base/memory.h"

enum { FIRST_CAPACITY_LOG2 = 10 };

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
	for (size_t i = 0; i < lines->blocks.nr; i++)
		free(lines->blocks.items[i]);
	vec_deinit(&lines->blocks);
	free(lines->slots);
}

size_t lines_bytes(const struct lines *lines)
{
	return lines_capacity(lines) * sizeof(*lines->slots) +
	       lines->blocks.nr * (sizeof(struct line *) + LINES_PER_BLOCK * sizeof(struct line));
}

static void lines_place(struct lines *lines, size_t index)
{
	uint64_t number = lines_at(lines, index)->number;
	size_t mask = lines_capacity(lines) - 1;
	size_t i = lines_slot(lines, number);

	while (lines->slots[i].index)
		i = (i + 1) & mask;
	lines->slots[i] = (struct lines_slot){ (uint32_t)index + 1, (uint32_t)number };
}

static void lines_grow(struct lines *lines)
{
	lines->capacity_log2++;
	free(lines->slots);
	lines->slots = memory_alloc(lines_capacity(lines), sizeof(*lines->slots));
	for (size_t i = 0; i < lines->nr; i++)
		lines_place(lines, i);
}

struct line *lines_add(struct lines *lines, uint64_t number)
{
	size_t index = lines->nr;

	if (lines->nr >= lines_capacity(lines) / 4 * 3)
		lines_grow(lines);
	if (index % LINES_PER_BLOCK == 0)
		*vec_add(&lines->blocks) = memory_alloc(LINES_PER_BLOCK, sizeof(struct line));
	lines->nr++;
	lines_at(lines, index)->number = number;
	lines_place(lines, index);
	return lines_at(lines, index);
}
