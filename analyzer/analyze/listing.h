/* SPDX-License-Identifier: GPL-2.0-only */
/* Which structs to list, and in which order. */
#ifndef FIELDLINE_ANALYZE_LISTING_H
#define FIELDLINE_ANALYZE_LISTING_H

#include "base/error.h"
#include "model/listing.h"

enum listing_order {
	LISTING_BY_NAME,
	LISTING_BY_SIZE, /* this and the following: the largest first */
	LISTING_BY_HOLES,
	LISTING_BY_HOLE_BYTES,
	LISTING_BY_LINES,
	LISTING_BY_STRADDLES,
};

struct listing_request {
	struct view view;
	enum listing_order order;
	bool reverse;
	uint64_t min_size; /* bytes */
	uint64_t max_size;
	uint64_t min_holes; /* bit holes count too */
	uint64_t min_straddles;
	const struct type_query *match;	   /* NULL = all */
	const struct type_query *contains; /* only what embeds it by value; NULL = all */
};

/* ret refers to the definitions of set. That nothing is left is an ERROR_NOT_FOUND. */
struct error *listing_build(const struct typeset *set, const struct listing_request *request,
			    struct listing *ret);

#endif
