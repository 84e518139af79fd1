/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files that make values share. Only for value*.c. */
#ifndef FIELDLINE_RESOLVE_VALUES_INSIDE_H
#define FIELDLINE_RESOLVE_VALUES_INSIDE_H

#include "base/vec.h"
#include "resolve/places.h"
#include "resolve/values.h"

DEFINE_VEC(value_vec, struct value);

enum operation { OPERATION_JOIN, OPERATION_SUM, OPERATION_SHIFT, OPERATION_ADD, OPERATION_ADD_ALL };

/* Operations repeat: each round over a block does the same ones. */
struct memo {
	uint64_t key;
	uint64_t operand;
	value_id result;
};

struct values {
	struct code *code;
	const struct idioms *idioms;
	uint32_t function;
	struct value_vec values;
	value_id *table;    /* hash -> id + 1; open addressing */
	size_t capacity;    /* a power of two */
	struct memo *memos; /* by hash of key and operand; key 0 = none */
};

/*
 * The memo of an operation on a value, with up to 61 bits of further operands. A result may depend
 * on the unit whose static variables are seen, so the function is a part of it.
 */
struct memo *values_memo(struct values *values, enum operation operation, value_id id,
			 uint64_t operand, bool *ret_known);

bool values_variable_at(struct values *values, int64_t address, struct code_variable *ret);

/* value_sum.c: values as numbers. What is larger than this is an address, or no index. */
#define MAX_INDEX 0x1000000

value_id value_index(struct values *values, int64_t number, int64_t stride);
/* What is known of a value as a number: anything is a multiple of 1. */
struct step_width value_as_index(const struct value *value);
bool value_is_index(const struct value *value);
int64_t common_divisor(int64_t a, int64_t b);

/* candidates.c */
void candidate_shift(struct candidate *candidate, int64_t distance);
/* The same as candidate_put(), but of an array alone any element is the object. */
void candidate_put_element(struct value *value, struct candidate candidate);

/* The remainder that is not below 0. */
static inline int64_t modulo(int64_t offset, int64_t size)
{
	return (offset % size + size) % size;
}

#endif
