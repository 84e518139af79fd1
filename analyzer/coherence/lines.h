/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every line ever touched, by number (address / line size). A line never moves and never goes.
 *
 * 32 bytes each, plus 8 in a hash table that is between 3/8 and 3/4 full: at most 53.4 in all.
 * The table holds enough of a line's number to tell the others apart without looking at them.
 */
#ifndef FIELDLINE_COHERENCE_LINES_H
#define FIELDLINE_COHERENCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

enum line_state {
	LINE_INVALID,	/* no sharers */
	LINE_SHARED,	/* clean, and memory has it */
	LINE_OWNED,	/* dirty in the owner's cache; others may hold copies of it (MOESI) */
	LINE_EXCLUSIVE, /* clean, the owner is the only sharer */
	LINE_MODIFIED,	/* dirty, the owner is the only sharer */
};

struct line {
	uint64_t number;
	uint64_t sharers;   /* CPUs whose caches hold it */
	uint64_t unlimited; /* those that would, if no cache had a limit: a superset */
	uint32_t history;   /* 0: no CPU lost it yet; see history.h */
	uint8_t owner;	    /* OWNED, EXCLUSIVE, MODIFIED */
	uint8_t state;	    /* enum line_state */
	bool mark;	    /* the caller's */
};

enum { LINES_PER_BLOCK = 128 };

struct lines_slot {
	uint32_t index; /* of the line, + 1; 0 = empty */
	uint32_t tag;	/* its number's low bits */
};

DEFINE_VEC(line_block_vec, struct line *);

struct lines {
	struct lines_slot *slots;
	size_t nr;
	unsigned int capacity_log2;
	struct line_block_vec blocks; /* of LINES_PER_BLOCK; 'nr' says how much is used */
};

void lines_init(struct lines *lines);
void lines_deinit(struct lines *lines);
size_t lines_bytes(const struct lines *lines);
struct line *lines_add(struct lines *lines, uint64_t number);

static inline size_t lines_slot(const struct lines *lines, uint64_t number)
{
	/*
	 * 2^64 / golden ratio spreads eights of neighbours over the table (Knuth, TAOCP 6.4). The
	 * eight stay together, in one line of the processor's own.
	 */
	return (number >> 3) * 0x9e3779b97f4a7c15ull >> (64 - lines->capacity_log2 + 3) << 3 |
	       (number & 7);
}

static inline struct line *lines_at(const struct lines *lines, size_t index)
{
	return &lines->blocks.items[index / LINES_PER_BLOCK][index % LINES_PER_BLOCK];
}

/* The line, made Invalid when it is new. */
static inline struct line *lines_get(struct lines *lines, uint64_t number)
{
	size_t mask = ((size_t)1 << lines->capacity_log2) - 1;

	for (size_t i = lines_slot(lines, number); lines->slots[i].index; i = (i + 1) & mask) {
		struct line *line;

		if (lines->slots[i].tag != (uint32_t)number)
			continue;
		line = lines_at(lines, lines->slots[i].index - 1);
		if (line->number == number)
			return line;
	}
	return lines_add(lines, number);
}

#endif
