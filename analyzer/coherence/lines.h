/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every line ever touched, by number (address / line size). A line never moves and never goes.
 *
 * 32 bytes each, plus 8 in a hash table that is between 3/8 and 3/4 full: at most 53.4 in all.
 */
#ifndef FIELDLINE_COHERENCE_LINES_H
#define FIELDLINE_COHERENCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

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

enum { LINES_RECENT = 1 << 12 };

struct lines {
	struct line **slots;
	size_t nr;
	unsigned int capacity_log2;
	struct line *block; /* the newest; 'nr' says how much of it is used */
	struct arena arena;
	/* The last one found of those whose numbers end alike: most accesses hit the same few. */
	struct line *recent[LINES_RECENT];
};

void lines_init(struct lines *lines);
void lines_deinit(struct lines *lines);
size_t lines_bytes(const struct lines *lines);
struct line *lines_add(struct lines *lines, uint64_t number);

static inline size_t lines_slot(const struct lines *lines, uint64_t number)
{
	/* 2^64 / golden ratio: neighbours spread over the table (Knuth, TAOCP 6.4). */
	return number * 0x9e3779b97f4a7c15ull >> (64 - lines->capacity_log2);
}

/* The line, made Invalid when it is new. */
static inline struct line *lines_get(struct lines *lines, uint64_t number)
{
	struct line **recent = &lines->recent[number % LINES_RECENT];
	size_t mask = ((size_t)1 << lines->capacity_log2) - 1;

	if (*recent && (*recent)->number == number)
		return *recent;
	for (size_t i = lines_slot(lines, number); lines->slots[i]; i = (i + 1) & mask)
		if (lines->slots[i]->number == number)
			return *recent = lines->slots[i];
	return *recent = lines_add(lines, number);
}

#endif
