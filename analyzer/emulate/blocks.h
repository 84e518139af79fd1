/* SPDX-License-Identifier: GPL-2.0-only */
/* The guest's code as QEMU translates it: blocks by where they start, instructions by address. */
#ifndef FIELDLINE_EMULATE_BLOCKS_H
#define FIELDLINE_EMULATE_BLOCKS_H

#include "base/arena.h"
#include "emulate/decode.h"
#include "emulate/recorder.h"
#include "emulate/settings.h"

enum { BLOCK_NO_ROLE = ROLE_NR, BLOCKS_TELLING = 1 << 15 };

/* A translation block; one for each length that starts at the address. */
struct block {
	uint32_t number;
	uint32_t nr_instructions; /* 0 = not translated so far */
	uint8_t role;	/* enum function_role: of the function that starts here; BLOCK_NO_ROLE */
	bool is_return; /* a call that we know returns here */
	uint64_t address;
	struct block *next; /* of another length */
};

DEFINE_VEC(place_vec, const struct place *);
DEFINE_VEC(block_vec, const struct block *);

/* Blocks and places never move. A zeroed one is empty. */
struct blocks {
	struct map all; /* by address */
	struct map places;
	struct place_vec all_places; /* by number */
	struct block_vec all_blocks; /* by number */
	/* By number modulo their number: whether a block has a role, or is a return. */
	uint64_t telling[BLOCKS_TELLING / 64];
	struct arena arena;
};

/* The block of that length, made if it is not there; of length 0 any that starts there. */
struct block *blocks_get(struct blocks *blocks, uint64_t address, uint32_t nr_instructions);
void blocks_set_role(struct blocks *blocks, uint64_t address, enum function_role role);
void blocks_mark_return(struct blocks *blocks, uint64_t address);

/* A block in a word that QEMU hands back: few need to be looked at when they run. */
enum { BLOCK_WORD_SHIFT = 16 };

static inline uintptr_t block_word(const struct block *block)
{
	return (uintptr_t)block->number << BLOCK_WORD_SHIFT | block->nr_instructions;
}

static inline uint32_t block_word_nr_instructions(uintptr_t word)
{
	return word & ((1u << BLOCK_WORD_SHIFT) - 1);
}

/* Whether the block may have a role or be a return. Needs no lock. */
static inline bool blocks_may_tell(const struct blocks *blocks, uintptr_t word)
{
	size_t bit = (word >> BLOCK_WORD_SHIFT) % BLOCKS_TELLING;

	return blocks->telling[bit / 64] >> bit % 64 & 1;
}

static inline const struct block *blocks_find(const struct blocks *blocks, uintptr_t word)
{
	return blocks->all_blocks.items[word >> BLOCK_WORD_SHIFT];
}

/* Code that the kernel patches can be another instruction at the same address. */
const struct place *blocks_get_place(struct blocks *blocks, uint64_t ip,
				     const struct decoded *decoded);

#endif
