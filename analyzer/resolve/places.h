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
/*
 * Whether both offsets are the same place in two elements of one array: then the element's shape
 * and the offset in it.
 */
bool place_same_element(const struct shape *shape, int64_t a, int64_t b, const struct shape **ret,
			int64_t *ret_offset);
/* The element of the array that lies at offset, and the offset in the element. */
bool place_element(const struct shape *shape, int64_t offset, const struct shape **ret,
		   int64_t *ret_offset);

#endif
