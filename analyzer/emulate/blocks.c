/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/blocks.h"

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
	block->nr_instructions = nr_instructions;
	block->next = first;
	slot->pointer = block;
	return block;
}

void blocks_set_role(struct blocks *blocks, uint64_t address, enum function_role role)
{
	for (struct block *block = blocks_get(blocks, address, 0); block; block = block->next)
		block->role = (uint8_t)role;
}

void blocks_mark_return(struct blocks *blocks, uint64_t address)
{
	for (struct block *block = blocks_get(blocks, address, 0); block; block = block->next)
		block->is_return = true;
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
		};
		slot->pointer = place;
		*vec_add(&blocks->all_places) = place;
	}
	return place;
}
