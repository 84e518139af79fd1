/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/blocks.h"

static void mark_telling(struct blocks *blocks, const struct block *block)
{
	uint32_t bit = block->number % BLOCKS_TELLING;

	if (block->role != BLOCK_NO_ROLE || block->is_return)
		blocks->telling[bit / 64] |= 1ull << bit % 64;
}

struct block *blocks_get(struct blocks *blocks, uint64_t address, uint32_t nr_instructions)
{
	struct map_slot *slot = map_add(&blocks->all, address, NULL);
	struct block *first = slot->pointer, *block = first;

	while (block && nr_instructions && block->nr_instructions != nr_instructions)
		block = block->next;
	if (block)
		return block;
	block = arena_alloc(&blocks->arena, 1, sizeof(*block));
	*block = (struct block){ .address = address, .role = BLOCK_NO_ROLE };
	if (first)
		*block = *first;
	block->number = (uint32_t)blocks->all_blocks.nr;
	block->nr_instructions = nr_instructions;
	block->next = first;
	slot->pointer = block;
	*vec_add(&blocks->all_blocks) = block;
	mark_telling(blocks, block);
	return block;
}

void blocks_set_role(struct blocks *blocks, uint64_t address, enum function_role role)
{
	for (struct block *block = blocks_get(blocks, address, 0); block; block = block->next) {
		block->role = (uint8_t)role;
		mark_telling(blocks, block);
	}
}

void blocks_mark_return(struct blocks *blocks, uint64_t address)
{
	for (struct block *block = blocks_get(blocks, address, 0); block; block = block->next) {
		block->is_return = true;
		mark_telling(blocks, block);
	}
}

const struct place *blocks_get_place(struct blocks *blocks, uint64_t ip,
				     const struct decoded *decoded)
{
	uint64_t key = ip << 2 | decoded->is_atomic << 1 | decoded->is_wide;
	struct map_slot *slot = map_add(&blocks->places, key, NULL);
	struct place *place = slot->pointer;

	if (!place) {
		place = arena_alloc(&blocks->arena, 1, sizeof(*place));
		*place = (struct place){
			.ip = ip,
			.number = (uint32_t)blocks->all_places.nr,
			.is_atomic = decoded->is_atomic,
			.is_wide = decoded->is_wide,
			.is_call = decoded->is_call,
			.is_return = decoded->is_return,
		};
		slot->pointer = place;
		*vec_add(&blocks->all_places) = place;
	}
	return place;
}
