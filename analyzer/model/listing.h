/* SPDX-License-Identifier: GPL-2.0-only */
/* Many structs in a table: what each wastes, and where it embeds another one. */
#ifndef FIELDLINE_MODEL_LISTING_H
#define FIELDLINE_MODEL_LISTING_H

#include "base/arena.h"
#include "base/vec.h"
#include "model/layout.h"
#include "model/typeset.h"

/* One struct in numbers. Embedded structs count as full, as in layout_holes(). */
struct statistics {
	uint64_t size; /* bytes */
	uint64_t nr_lines;
	uint32_t nr_holes; /* of at least one whole byte */
	uint32_t nr_bit_holes;
	uint64_t hole_bytes;
	uint64_t bit_hole_bits;
	uint64_t padding; /* bytes */
	uint64_t bit_padding_bits;
	uint32_t nr_straddles; /* fields on a line more than they need */
};

/* A field that holds the struct asked for. */
struct occurrence {
	const char *path; /* an array on the way ends in [], and its first element counts */
	uint64_t offset;  /* bytes; FIELD_OFFSET_UNKNOWN in a virtual base */
};

DEFINE_VEC(occurrence_vec, struct occurrence);

struct listed {
	const struct definition *definition;
	size_t number; /* from 1, among the definitions of that name */
	size_t nr_numbers;
	struct statistics statistics;
	/* Its part of listing.occurrences. */
	size_t first_occurrence;
	size_t nr_occurrences;
};

DEFINE_VEC(listed_vec, struct listed);

struct listing {
	struct arena arena; /* owns the paths */
	struct view view;
	const char *contained; /* what the structs embed; NULL = not asked */
	struct listed_vec structs;
	struct occurrence_vec occurrences;
};

static inline void listing_deinit(struct listing *listing)
{
	vec_deinit(&listing->structs);
	vec_deinit(&listing->occurrences);
	arena_deinit(&listing->arena);
}

#define auto_listing __attribute__((cleanup(listing_deinit)))

#endif
