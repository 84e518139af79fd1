/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/values_inside.h"

#include <string.h>

#include "base/map.h"

#define FIRST_CAPACITY 4096
/* When values_trim() starts anew. */
#define MANY_VALUES 8192
/* Operations whose results are remembered; a power of two. */
#define NR_MEMOS 16384

struct memo *values_memo(struct values *values, enum operation operation, value_id id,
			 uint64_t operand, bool *ret_known)
{
	uint64_t key = (uint64_t)id << 32 | (values->function & 0xfffffff) << 3 |
		       ((uint64_t)operation + 1);
	struct memo *memo = &values->memos[hash_mix(hash_mix(0, key), operand) & (NR_MEMOS - 1)];

	*ret_known = memo->key == key && memo->operand == operand;
	memo->key = key;
	memo->operand = operand;
	return memo;
}

static void reset(struct values *values)
{
	struct value first[] = {
		[VALUE_ID_UNKNOWN] = { .kind = VALUE_UNKNOWN },
		[VALUE_ID_MIXED] = { .kind = VALUE_MIXED },
		[VALUE_ID_PERCPU] = { .kind = VALUE_PERCPU },
	};

	free(values->table);
	values->capacity = FIRST_CAPACITY;
	values->table = memory_alloc(values->capacity, sizeof(*values->table));
	values->values.nr = 0;
	memset(values->memos, 0, NR_MEMOS * sizeof(*values->memos));
	for (size_t i = 0; i < array_size(first); i++)
		value_intern(values, &first[i]);
}

struct values *values_create(struct code *code)
{
	struct values *values = memory_alloc(1, sizeof(*values));

	values->code = code;
	values->function = CODE_NO_FUNCTION;
	values->memos = memory_alloc(NR_MEMOS, sizeof(*values->memos));
	reset(values);
	return values;
}

void values_set_idioms(struct values *values, const struct idioms *idioms)
{
	values->idioms = idioms;
}

void values_destroy(struct values *values)
{
	if (!values)
		return;
	vec_deinit(&values->values);
	free(values->table);
	free(values->memos);
	free(values);
}

void values_trim(struct values *values)
{
	if (values->values.nr > MANY_VALUES)
		reset(values);
}

void values_set_function(struct values *values, uint32_t function)
{
	values->function = function;
}

const struct value *value_get(const struct values *values, value_id id)
{
	return &values->values.items[id];
}

static uint64_t hash_value(const struct value *value)
{
	uint64_t hash =
		hash_mix(value->kind + 256u * value->inexact + 512ull * (uint32_t)value->stride,
			 (uint64_t)value->number);

	for (unsigned int i = 0; i < value->nr; i++) {
		const struct candidate *candidate = &value->candidates[i];

		hash = hash_mix(hash, candidate->shape->number * 16ull + candidate->array * 2u +
					      candidate->weak);
		hash += candidate->stride;
		hash = hash_mix(hash, (uint32_t)candidate->offset);
	}
	return hash;
}

static bool is_equal(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind || a->nr != b->nr || a->inexact != b->inexact ||
	    a->number != b->number || a->stride != b->stride)
		return false;
	for (unsigned int i = 0; i < a->nr; i++) {
		if (a->candidates[i].shape != b->candidates[i].shape ||
		    a->candidates[i].offset != b->candidates[i].offset ||
		    a->candidates[i].weak != b->candidates[i].weak ||
		    a->candidates[i].array != b->candidates[i].array ||
		    a->candidates[i].stride != b->candidates[i].stride)
			return false;
	}
	return true;
}

static value_id *find_slot(struct values *values, const struct value *value)
{
	size_t i = hash_value(value) & (values->capacity - 1);

	while (values->table[i] && !is_equal(&values->values.items[values->table[i] - 1], value))
		i = (i + 1) & (values->capacity - 1);
	return &values->table[i];
}

static void grow(struct values *values)
{
	values->capacity *= 2;
	free(values->table);
	values->table = memory_alloc(values->capacity, sizeof(*values->table));
	for (value_id id = 0; id < values->values.nr; id++)
		*find_slot(values, &values->values.items[id]) = id + 1;
}

value_id value_intern(struct values *values, const struct value *value)
{
	value_id *slot = find_slot(values, value);

	if (*slot)
		return *slot - 1;
	*vec_add(&values->values) = *value;
	*slot = (value_id)values->values.nr;
	if (2 * values->values.nr > values->capacity)
		grow(values);
	return (value_id)values->values.nr - 1;
}

value_id value_constant(struct values *values, int64_t number)
{
	return value_intern(values, &(struct value){ .kind = VALUE_CONSTANT, .number = number });
}

value_id value_stack(struct values *values, int64_t offset)
{
	return value_intern(values, &(struct value){ .kind = VALUE_STACK, .number = offset });
}

value_id value_pointer(struct values *values, const struct shape *shape, int64_t offset)
{
	return value_add_candidate(values, VALUE_ID_UNKNOWN, shape, offset, false);
}
static value_id shift(struct values *values, value_id id, int64_t distance)
{
	struct value value = *value_get(values, id), result = {};
	bool may_meet = false;

	if (value.kind == VALUE_DISTANCE)
		return VALUE_ID_UNKNOWN;
	if (value.kind == VALUE_INDEX)
		return value_index(values, value.number + distance, value.stride);
	if (value.kind == VALUE_CONSTANT || value.kind == VALUE_STACK)
		value.number = (int64_t)((uint64_t)value.number + (uint64_t)distance);
	for (unsigned int i = 0; i < value.nr; i++) {
		may_meet |= candidate_is_indexed(&value.candidates[i]);
		candidate_shift(&value.candidates[i], distance);
	}
	if (!may_meet)
		return value_intern(values, &value);
	/* Elements are all in one place, so the order may be another now. */
	for (unsigned int i = 0; i < value.nr; i++)
		candidate_put(&result, &value.candidates[i]);
	return value_intern(values, &result);
}

value_id value_shift(struct values *values, value_id id, int64_t distance)
{
	value_id result;
	struct memo *memo;
	bool known;

	if (!distance || id == VALUE_ID_UNKNOWN || id == VALUE_ID_MIXED)
		return id;
	memo = values_memo(values, OPERATION_SHIFT, id, (uint64_t)distance, &known);
	if (known)
		return memo->result;
	result = shift(values, id, distance);
	return memo->result = result;
}
value_id value_add_candidate(struct values *values, value_id id, const struct shape *shape,
			     int64_t offset, bool weak)
{
	struct value value;
	struct memo *memo;
	bool known;

	if (offset != (int32_t)offset)
		return id;
	memo = values_memo(values, OPERATION_ADD, id,
			   (uint64_t)(uint32_t)offset << 32 | (uint64_t)shape->number << 1 | weak,
			   &known);
	if (!known) {
		value = *value_get(values, id);
		candidate_add(&value, shape, offset, weak);
		memo->result = value_intern(values, &value);
	}
	return memo->result;
}

static value_id add_all(struct values *values, value_id id, value_id other, int64_t distance,
			bool weak)
{
	struct value added = *value_get(values, other);
	struct value value = *value_get(values, id);

	for (unsigned int i = 0; i < added.nr; i++) {
		struct candidate *candidate = &added.candidates[i];

		if (distance)
			candidate_shift(candidate, distance);
		candidate->weak |= weak;
		candidate_put(&value, candidate);
	}
	return value_intern(values, &value);
}

value_id value_add_candidates(struct values *values, value_id id, value_id other, int64_t distance,
			      bool weak)
{
	const int64_t far = 0x10000000;
	struct memo *memo;
	value_id result;
	bool known;

	if (!value_is_pointer(values, other) || distance >= far || distance < -far)
		return id;
	if (id == other && !distance)
		return id;
	memo = values_memo(values, OPERATION_ADD_ALL, id,
			   (uint64_t)(uint32_t)distance << 32 | (uint64_t)other << 1 | weak,
			   &known);
	if (known)
		return memo->result;
	result = add_all(values, id, other, distance, weak);
	return memo->result = result;
}

bool values_variable_at(struct values *values, int64_t address, struct code_variable *ret)
{
	return code_find_variable(values->code, values->function, (uint64_t)address, ret);
}

value_id value_as_pointer(struct values *values, value_id id)
{
	const struct value *value = value_get(values, id);
	struct code_variable variable;

	if (value->kind != VALUE_CONSTANT || value_is_small(value->number) ||
	    !values_variable_at(values, value->number, &variable))
		return id;
	return value_pointer(values, variable.shape, (int64_t)variable.offset);
}
