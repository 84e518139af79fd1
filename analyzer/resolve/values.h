/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of a register's or stack slot's content. Values are numbered: equal values have
 * equal numbers, so states compare and join by word.
 */
#ifndef FIELDLINE_RESOLVE_VALUES_H
#define FIELDLINE_RESOLVE_VALUES_H

#include "kernel/code.h"

enum value_kind {
	VALUE_UNKNOWN,
	VALUE_MIXED,	/* different things on different paths, that have nothing in common */
	VALUE_CONSTANT, /* number */
	VALUE_INDEX,	/* number and any multiple of stride; neither large */
	VALUE_STACK,	/* CFA + number */
	VALUE_PERCPU,	/* the offset of this or some CPU's area */
	VALUE_DISTANCE, /* from a pointer to another struct: number says which, see idioms.h */
	VALUE_POINTER,	/* to one of the candidates */
};

/* An object of that shape starts `offset` bytes before what the register points at. */
struct candidate {
	const struct shape *shape;
	int32_t offset;
	bool weak; /* inferred, not stated */
	/*
	 * It points at any element of an array: the array-th one around offset, with array set. An
	 * index was added, but to the start of no array, with stride alone set: a constant that is
	 * to be added leads to one, or the object is not what it seems.
	 */
	uint8_t array;
	uint16_t stride;
};

static inline bool candidate_is_indexed(const struct candidate *candidate)
{
	return candidate->array || candidate->stride;
}

#define VALUE_MAX_CANDIDATES 3

struct value {
	uint8_t kind; /* enum value_kind */
	uint8_t nr;
	bool inexact;	/* VALUE_STACK: an element of an array from there on */
	int32_t stride; /* VALUE_INDEX: above 0 */
	int64_t number;
	struct candidate candidates[VALUE_MAX_CANDIDATES]; /* by shape's number, then offset */
};

typedef uint32_t value_id;

/* Always there, by these numbers. */
#define VALUE_ID_UNKNOWN 0
#define VALUE_ID_MIXED 1
#define VALUE_ID_PERCPU 2

struct idioms;
struct values;

struct values *values_create(struct code *code);
/* idioms is borrowed. */
void values_set_idioms(struct values *values, const struct idioms *idioms);
void values_destroy(struct values *values);
/* Forgets all values if they are many. Numbers from before are void then. */
void values_trim(struct values *values);
/* Whose unit's static variables are seen. */
void values_set_function(struct values *values, uint32_t function);

/* Good until the next value is made. */
const struct value *value_get(const struct values *values, value_id id);
value_id value_intern(struct values *values, const struct value *value);
value_id value_constant(struct values *values, int64_t number);
value_id value_stack(struct values *values, int64_t offset);
/* The product; where nothing is known of the value, some multiple of factor. */
value_id value_multiply(struct values *values, value_id id, int64_t factor);
value_id value_pointer(struct values *values, const struct shape *shape, int64_t offset);
/* The value with a candidate more; what is known for certain stays as it is. */
value_id value_add_candidate(struct values *values, value_id id, const struct shape *shape,
			     int64_t offset, bool weak);
/* The same with all candidates of another value. */
value_id value_add_candidates(struct values *values, value_id id, value_id other, int64_t distance,
			      bool weak);
/* What the register holds after a constant was added. */
value_id value_shift(struct values *values, value_id id, int64_t distance);
/* The value that holds on both paths. */
value_id value_join(struct values *values, value_id a, value_id b);
/* The sum; of a pointer and an index a pointer to any element of the array that is indexed. */
value_id value_sum(struct values *values, value_id a, value_id b);
/* A pointer to what lies at that offset of a CPU's area. */
value_id value_in_percpu(struct values *values, value_id id);
/* A constant that is the address of a variable as a pointer to it; else the value itself. */
value_id value_as_pointer(struct values *values, value_id id);

/* Adds to a value that is being made, which need not be interned yet. */
void candidate_add(struct value *value, const struct shape *shape, int64_t offset, bool weak);
void candidate_put(struct value *value, const struct candidate *added);

static inline bool value_is_pointer(const struct values *values, value_id id)
{
	return value_get(values, id)->kind == VALUE_POINTER;
}

/* Kernel addresses of vmlinux and modules; below are direct-mapped objects. */
static inline bool value_is_image_address(int64_t number)
{
	return number < 0 && number >= -0x80000000ll;
}

/* Error codes and NULL: what pointers are compared with, no objects. */
static inline bool value_is_small(int64_t number)
{
	return number < 4096 && number >= -4096;
}

#endif
