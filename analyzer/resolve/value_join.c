/* SPDX-License-Identifier: GPL-2.0-only */
/* The value that holds where two paths meet. */
#include "resolve/values_inside.h"

/* Like value_as_pointer(), to the element where the variable is an array. */
static value_id as_element_pointer(struct values *values, value_id id)
{
	const struct value *value = value_get(values, id);
	const struct shape *shape;
	struct code_variable variable;
	int64_t offset;

	if (value->kind != VALUE_CONSTANT || !value_is_image_address(value->number) ||
	    !values_variable_at(values, value->number, &variable))
		return id;
	shape = variable.shape;
	offset = (int64_t)variable.offset;
	while (shape->kind == SHAPE_ARRAY && shape->target->size > 0) {
		offset %= shape->target->size;
		shape = shape->target;
	}
	return value_pointer(values, shape, offset);
}
/* Two candidates of one shape that are a multiple of an element apart: the place in any element. */
static void join_elements(const struct candidate *a, const struct candidate *b, struct value *ret)
{
	const struct shape *shape = a->shape;
	int64_t distance = (int64_t)a->offset - b->offset, offset;
	bool weak = a->weak || b->weak;
	unsigned int array;

	if (shape != b->shape || !distance)
		return;
	if (shape->kind != SHAPE_ARRAY && shape->size > 0 && distance % shape->size == 0) {
		candidate_add(ret, shape, modulo(a->offset, shape->size), weak);
		return;
	}
	array = place_same_element(shape, a->offset, b->offset, &offset);
	if (array)
		candidate_put_element(ret, (struct candidate){ shape, (int32_t)offset, weak,
							       (uint8_t)array, a->stride });
}

static void join_contained(const struct candidate *a, const struct candidate *b, struct value *ret)
{
	if (!b->offset && place_holds(a->shape, a->offset, b->shape))
		candidate_add(ret, b->shape, 0, false);
	else if (!a->offset && place_holds(b->shape, b->offset, a->shape))
		candidate_add(ret, a->shape, 0, false);
}

static void join_equal(const struct candidate *a, const struct candidate *b, struct value *ret)
{
	struct candidate joined = candidate_is_indexed(a) ? *a : *b;

	joined.weak = a->weak || b->weak;
	if (a->shape == b->shape && a->offset == b->offset)
		candidate_put(ret, &joined);
}

static void join_pairs(const struct value *a, const struct value *b,
		       void (*join)(const struct candidate *a, const struct candidate *b,
				    struct value *ret),
		       struct value *ret)
{
	for (unsigned int i = 0; i < a->nr; i++) {
		for (unsigned int j = 0; j < b->nr; j++)
			join(&a->candidates[i], &b->candidates[j], ret);
	}
}

static void join_either(const struct value *value, struct value *ret)
{
	for (unsigned int i = 0; i < value->nr; i++) {
		struct candidate candidate = value->candidates[i];

		candidate.weak = true;
		candidate_put(ret, &candidate);
	}
}

/* What both agree on; else what either says, as a guess. */
static value_id join_pointers(struct values *values, const struct value *a, const struct value *b)
{
	struct value result = {};

	join_pairs(a, b, join_equal, &result);
	join_pairs(a, b, join_elements, &result);
	if (!result.nr)
		join_pairs(a, b, join_contained, &result);
	if (!result.nr) {
		join_either(a, &result);
		join_either(b, &result);
	}
	return result.nr ? value_intern(values, &result) : VALUE_ID_MIXED;
}

static bool is_small_constant(const struct value *value)
{
	return value->kind == VALUE_CONSTANT && value_is_small(value->number);
}

/*
 * Both numbers are in number + stride * n (Granger 1989). A number that falls as the rounds go is
 * taken by its remainder, so that this ends.
 */
static value_id join_indexes(struct values *values, const struct value *a, const struct value *b)
{
	struct step_width x = value_as_index(a), y = value_as_index(b);
	int64_t stride = common_divisor(common_divisor(x.stride, y.stride), x.number - y.number);

	return value_index(values, x.number <= y.number ? x.number : modulo(y.number, stride),
			   stride);
}

static value_id join_different(struct values *values, value_id a, value_id b)
{
	struct value x = *value_get(values, a), y = *value_get(values, b);
	value_id as_x, as_y;

	if (value_is_index(&x) && value_is_index(&y))
		return join_indexes(values, &x, &y);
	if (x.kind == VALUE_INDEX || y.kind == VALUE_INDEX)
		return value_join(values, x.kind == VALUE_INDEX ? VALUE_ID_UNKNOWN : a,
				  y.kind == VALUE_INDEX ? VALUE_ID_UNKNOWN : b);

	if (is_small_constant(&x) && y.kind == VALUE_POINTER)
		return b;
	if (is_small_constant(&y) && x.kind == VALUE_POINTER)
		return a;
	if (x.kind == VALUE_POINTER && y.kind == VALUE_POINTER)
		return join_pointers(values, &x, &y);
	if (x.kind == VALUE_STACK && y.kind == VALUE_POINTER)
		return value_add_candidates(values, VALUE_ID_UNKNOWN, b, 0, true);
	if (y.kind == VALUE_STACK && x.kind == VALUE_POINTER)
		return value_add_candidates(values, VALUE_ID_UNKNOWN, a, 0, true);
	as_x = as_element_pointer(values, a);
	as_y = as_element_pointer(values, b);
	if (as_x != a || as_y != b)
		return value_join(values, as_x, as_y);
	if (x.kind == VALUE_STACK && y.kind == VALUE_STACK) {
		x.number = x.number < y.number ? x.number : y.number;
		x.inexact = true;
		return value_intern(values, &x);
	}
	/* Code is well typed: where one path says nothing, what the other says holds. */
	if (a == VALUE_ID_UNKNOWN)
		return is_small_constant(&y) ? a : b;
	if (b == VALUE_ID_UNKNOWN)
		return is_small_constant(&x) ? b : a;
	return VALUE_ID_MIXED;
}

value_id value_join(struct values *values, value_id a, value_id b)
{
	struct memo *memo;
	value_id result;
	bool known;

	if (a == b)
		return a;
	memo = values_memo(values, OPERATION_JOIN, a, b, &known);
	if (known)
		return memo->result;
	/* Joins may join in turn, and so make other use of the memo. */
	result = join_different(values, a, b);
	values_memo(values, OPERATION_JOIN, a, b, &known)->result = result;
	return result;
}
