/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types as the flow of data sees them: no typedefs and qualifiers, pointers that lead on, members
 * read when first asked for. model/type.h keeps what a person wants to see of a type and stops at
 * pointers; a shape is what an address can be followed through.
 *
 * Shapes never move and live as long as the code they belong to. Definitions that repeat from unit
 * to unit are one shape, so equal shapes have equal addresses as far as names tell.
 */
#ifndef FIELDLINE_KERNEL_SHAPES_H
#define FIELDLINE_KERNEL_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

enum shape_kind {
	SHAPE_VOID,
	SHAPE_SCALAR,
	SHAPE_ENUM,
	SHAPE_POINTER,
	SHAPE_STRUCT,
	SHAPE_UNION,
	SHAPE_ARRAY,
	SHAPE_FUNCTION,
	SHAPE_UNKNOWN,
};

struct shape;
struct shapes;

struct shape_member {
	const char *name; /* NULL = anonymous */
	const struct shape *shape;
	int64_t offset;	  /* bytes; of a bit-field the byte that its first bit lies in */
	int64_t size;	  /* bytes it touches; 0 for a flexible array */
	uint16_t bit;	  /* of a bit-field: its first bit in that byte (little-endian) */
	uint16_t nr_bits; /* 0 = no bit-field */
};

struct shape {
	enum shape_kind kind;
	bool incomplete; /* declared only, and defined nowhere */
	bool members_read;
	uint32_t number;  /* in order of appearance: a stable order for what is alike */
	const char *name; /* of an anonymous struct its typedef's; NULL = none */
	int64_t size;	  /* bytes; 0 = void, incomplete, flexible array; 1 for functions */
	const struct shape *target; /* pointee, element; NULL for other kinds */
	int64_t count;		    /* of an array, all dimensions together; 0 = flexible */
	uint32_t nr_members;
	struct shape_member *members;
	struct shapes *owner;
};

/* What a call passes in registers (System V psABI x86-64, 3.2.3). */
#define SIGNATURE_ARGUMENTS 6
struct signature {
	const struct shape *result;
	const struct shape *arguments[SIGNATURE_ARGUMENTS]; /* NULL = none, or not a plain word */
};

/* The members of a struct or union, in order; none for other kinds. */
const struct shape_member *shape_members(const struct shape *shape, uint32_t *ret_nr);
/* Of a SHAPE_FUNCTION. */
struct signature shape_signature(const struct shape *shape);
/* shape as the only element of an array: an object that nothing steps out of. */
const struct shape *shape_single(const struct shape *shape);

static inline bool shape_is_struct(const struct shape *shape)
{
	return shape->kind == SHAPE_STRUCT || shape->kind == SHAPE_UNION;
}

static inline bool shape_is_scalar(const struct shape *shape)
{
	return shape->kind == SHAPE_SCALAR || shape->kind == SHAPE_ENUM ||
	       shape->kind == SHAPE_POINTER;
}

/* Whether a value of that shape can be followed. */
static inline bool shape_is_pointer(const struct shape *shape)
{
	return shape && shape->kind == SHAPE_POINTER;
}

#endif
