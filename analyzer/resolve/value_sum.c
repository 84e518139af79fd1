/* SPDX-License-Identifier: GPL-2.0-only */
/* Values that are added and multiplied: numbers, and pointers that these lead through arrays. */
#include "resolve/idioms.h"
#include "resolve/values_inside.h"

value_id value_index(struct values *values, int64_t number, int64_t stride)
{
	if (!stride)
		return value_constant(values, number);
	if (stride > MAX_INDEX || number > MAX_INDEX || number < -MAX_INDEX ||
	    (stride == 1 && !number))
		return VALUE_ID_UNKNOWN;
	return value_intern(values, &(struct value){ .kind = VALUE_INDEX,
						     .number = number,
						     .stride = (int32_t)stride });
}

struct step_width value_as_index(const struct value *value)
{
	switch (value->kind) {
	case VALUE_CONSTANT:
		return (struct step_width){ value->number, 0 };
	case VALUE_INDEX:
		return (struct step_width){ value->number, value->stride };
	default:
		return (struct step_width){ 0, 1 };
	}
}

bool value_is_index(const struct value *value)
{
	return value->kind == VALUE_INDEX ||
	       (value->kind == VALUE_CONSTANT && value->number <= MAX_INDEX &&
		value->number >= -MAX_INDEX);
}

int64_t common_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

value_id value_multiply(struct values *values, value_id id, int64_t factor)
{
	const struct value *value = value_get(values, id);
	struct step_width width = value_as_index(value);

	if (factor == 1)
		return id;
	if (factor <= 0 || factor > MAX_INDEX ||
	    (value->kind == VALUE_CONSTANT && !value_is_index(value)))
		return VALUE_ID_UNKNOWN;
	return value_index(values, width.number * factor, width.stride * factor);
}

static void step_candidate(const struct candidate *candidate, const struct step_width *width,
			   struct value *ret)
{
	const struct shape *shape = candidate->shape;
	struct candidate stepped = *candidate;
	int64_t offset = candidate->offset;

	/* A pointer to a thing may be one to an array of them. */
	if (shape_is_scalar(shape) && shape->size > 0) {
		candidate_add(ret, shape, modulo(offset, shape->size), candidate->weak);
		return;
	}
	stepped.array = (uint8_t)place_stepped(shape, offset, width, &offset);
	if (!stepped.array) {
		offset = candidate->offset + width->number;
		stepped.array = candidate->array;
		if (shape->size > 0 && width->stride % shape->size == 0)
			offset = modulo(offset, shape->size);
		else if (!candidate->array)
			stepped.stride = width->stride > UINT16_MAX ? 1 : (uint16_t)width->stride;
	}
	stepped.offset = (int32_t)offset;
	if (shape->kind != SHAPE_ARRAY || stepped.array)
		candidate_put_element(ret, stepped);
}

static value_id sum_with_index(struct values *values, const struct value *pointer,
			       const struct value *index)
{
	struct step_width width = value_as_index(index);
	struct value result = {};

	for (unsigned int i = 0; i < pointer->nr; i++)
		step_candidate(&pointer->candidates[i], &width, &result);
	return value_intern(values, &result);
}

value_id value_in_percpu(struct values *values, value_id id)
{
	const int64_t largest_area = 0x40000;
	struct value value = *value_get(values, id);
	value_id start, pointer;

	if (value.kind == VALUE_POINTER)
		return id;
	if ((value.kind != VALUE_CONSTANT && value.kind != VALUE_INDEX) || value.number < 0 ||
	    value.number >= largest_area)
		return VALUE_ID_UNKNOWN;
	start = value_constant(values, value.number);
	pointer = value_as_pointer(values, start);
	if (pointer == start)
		return VALUE_ID_UNKNOWN;
	if (value.kind == VALUE_CONSTANT)
		return pointer;
	value.number = 0;
	return value_sum(values, pointer, value_intern(values, &value));
}

static value_id sum_of_indexes(struct values *values, const struct value *a, const struct value *b)
{
	struct step_width x = value_as_index(a), y = value_as_index(b);

	return value_index(values, x.number + y.number, common_divisor(x.stride, y.stride));
}

static value_id sum_ordered(struct values *values, value_id a, value_id b)
{
	const int64_t far = 0x100000;
	struct value x = *value_get(values, a), y = *value_get(values, b);

	if (x.kind == VALUE_STACK) {
		if (y.kind == VALUE_CONSTANT)
			return value_shift(values, a, y.number);
		if (y.kind == VALUE_STACK || y.kind == VALUE_POINTER)
			return VALUE_ID_UNKNOWN;
		x.inexact = true;
		return value_intern(values, &x);
	}
	if (x.kind == VALUE_DISTANCE)
		return y.kind == VALUE_POINTER || y.kind == VALUE_UNKNOWN || y.kind == VALUE_INDEX ?
			       value_pointer(values, idioms_target(values->idioms, x.number), 0) :
			       VALUE_ID_UNKNOWN;
	if (x.kind == VALUE_PERCPU)
		return b == VALUE_ID_PERCPU ? VALUE_ID_UNKNOWN : value_in_percpu(values, b);
	if (x.kind == VALUE_POINTER) {
		if (y.kind == VALUE_CONSTANT && y.number >= -far && y.number < far)
			return value_shift(values, a, y.number);
		if (y.kind == VALUE_CONSTANT)
			y.kind = VALUE_UNKNOWN;
		return y.kind == VALUE_POINTER ? VALUE_ID_UNKNOWN : sum_with_index(values, &x, &y);
	}
	if (x.kind == VALUE_CONSTANT && y.kind == VALUE_CONSTANT)
		return value_shift(values, a, y.number);
	if (x.kind == VALUE_CONSTANT && value_is_image_address(x.number)) {
		value_id pointer = value_as_pointer(values, a);

		if (pointer == a)
			return VALUE_ID_UNKNOWN;
		x = *value_get(values, pointer);
		return sum_with_index(values, &x, &y);
	}
	return value_is_index(&x) || value_is_index(&y) ? sum_of_indexes(values, &x, &y) :
							  VALUE_ID_UNKNOWN;
}

/* Which of two addends says more about what the sum points at. */
static int sum_rank(const struct value *value)
{
	switch (value->kind) {
	case VALUE_STACK:
		return 5;
	case VALUE_DISTANCE:
		return 4;
	case VALUE_PERCPU:
		return 3;
	case VALUE_POINTER:
		return 2;
	case VALUE_CONSTANT:
		return value_is_image_address(value->number) ? 1 : 0;
	default:
		return 0;
	}
}

value_id value_sum(struct values *values, value_id a, value_id b)
{
	bool known, ordered = sum_rank(value_get(values, a)) >= sum_rank(value_get(values, b));
	struct memo *memo = values_memo(values, OPERATION_SUM, a, b, &known);
	value_id result;

	if (known)
		return memo->result;
	result = ordered ? sum_ordered(values, a, b) : sum_ordered(values, b, a);
	values_memo(values, OPERATION_SUM, a, b, &known)->result = result;
	return result;
}
