/* SPDX-License-Identifier: GPL-2.0-only */
/* What lies at an offset in a shape. */
#ifndef FIELDLINE_RESOLVE_PLACES_H
#define FIELDLINE_RESOLVE_PLACES_H

#include "kernel/shapes.h"

enum place_fit {
	FIT_NONE,   /* a hole, or outside */
	FIT_WIDER,  /* the access goes over the scalar's end */
	FIT_BYTES,  /* several bytes of an array of bytes: often something else in disguise */
	FIT_INSIDE, /* it covers a part of the scalar, or a bit-field */
	FIT_EXACT,
};

struct place {
	const struct shape *leaf; /* the scalar there */
	enum place_fit fit;
	bool in_array; /* an array was indexed on the way */
	bool in_bytes; /* it lies in an array of bytes */
};

struct place_query {
	uint32_t size; /* bytes accessed */
	uint64_t bits; /* those that the instruction looks at, to tell bit-fields apart; 0 = all */
	bool of_pointer; /* among a union's members prefer one that leads on */
};

struct place place_find(const struct shape *shape, int64_t offset, const struct place_query *query);
/* Whether a part of exactly that shape starts at offset. */
bool place_holds(const struct shape *shape, int64_t offset, const struct shape *wanted);
/* Calls found with each pointer's shape that may lie at offset: a union has several. */
void place_pointers(const struct shape *shape, int64_t offset,
		    void (*found)(void *context, const struct shape *pointer), void *context);

/* What is known of a number that is added to a pointer: `number` and any multiple of `stride`. */
struct step_width {
	int64_t number;
	int64_t stride;
};

/*
 * The array in shape that such a number leads through from offset: which of those around the place
 * that is found, from the outermost on; 0 = none. *ret_offset: the place in the first element. The
 * number may have the array's own offset in it, as compilers divide addresses.
 */
unsigned int place_stepped(const struct shape *shape, int64_t offset,
			   const struct step_width *width, int64_t *ret_offset);
/* The same where code was seen to point at both offsets. */
unsigned int place_same_element(const struct shape *shape, int64_t a, int64_t b,
				int64_t *ret_offset);
/*
 * Where a pointer to any element of an array (the array-th one around offset) points after a
 * constant was added: to one of another array, perhaps, else to the array's or next to it.
 */
unsigned int place_moved(const struct shape *shape, unsigned int array, int64_t offset,
			 int64_t distance, int64_t *ret_offset);

#endif
