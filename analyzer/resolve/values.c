/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/values.h"

#include <string.h>

#include "base/map.h"
#include "resolve/idioms.h"
#include "resolve/places.h"

#define FIRST_CAPACITY 4096
/* When values_trim() starts anew. */
#define MANY_VALUES 8192
/* Operations whose results are remembered; a power of two. */
#define NR_MEMOS 16384

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
static struct memo *find_memo(struct values *values, enum operation operation, value_id id,
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
	uint64_t hash = hash_mix(value->kind + 256u * value->inexact, (uint64_t)value->number);

	for (unsigned int i = 0; i < value->nr; i++) {
		const struct candidate *candidate = &value->candidates[i];

		hash = hash_mix(hash, candidate->shape->number * 2ull + candidate->weak);
		hash = hash_mix(hash, (uint32_t)candidate->offset);
	}
	return hash;
}

static bool is_equal(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind || a->nr != b->nr || a->inexact != b->inexact ||
	    a->number != b->number)
		return false;
	for (unsigned int i = 0; i < a->nr; i++) {
		if (a->candidates[i].shape != b->candidates[i].shape ||
		    a->candidates[i].offset != b->candidates[i].offset ||
		    a->candidates[i].weak != b->candidates[i].weak)
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
	struct value value = *value_get(values, id);

	if (value.kind == VALUE_DISTANCE)
		return VALUE_ID_UNKNOWN;
	if (value.kind == VALUE_CONSTANT || value.kind == VALUE_STACK)
		value.number = (int64_t)((uint64_t)value.number + (uint64_t)distance);
	for (unsigned int i = 0; i < value.nr; i++)
		value.candidates[i].offset =
			(int32_t)((uint32_t)value.candidates[i].offset + (uint32_t)distance);
	return value_intern(values, &value);
}

value_id value_shift(struct values *values, value_id id, int64_t distance)
{
	value_id result;
	struct memo *memo;
	bool known;

	if (!distance || id == VALUE_ID_UNKNOWN || id == VALUE_ID_MIXED)
		return id;
	memo = find_memo(values, OPERATION_SHIFT, id, (uint64_t)distance, &known);
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
	memo = find_memo(values, OPERATION_ADD, id,
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

	for (unsigned int i = 0; i < added.nr; i++)
		candidate_add(&value, added.candidates[i].shape,
			      added.candidates[i].offset + distance,
			      weak || added.candidates[i].weak);
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
	memo = find_memo(values, OPERATION_ADD_ALL, id,
			 (uint64_t)(uint32_t)distance << 32 | (uint64_t)other << 1 | weak, &known);
	if (known)
		return memo->result;
	result = add_all(values, id, other, distance, weak);
	return memo->result = result;
}

static bool variable_at(struct values *values, int64_t address, struct code_variable *ret)
{
	return code_find_variable(values->code, values->function, (uint64_t)address, ret);
}

value_id value_as_pointer(struct values *values, value_id id)
{
	const struct value *value = value_get(values, id);
	struct code_variable variable;

	if (value->kind != VALUE_CONSTANT || value_is_small(value->number) ||
	    !variable_at(values, value->number, &variable))
		return id;
	return value_pointer(values, variable.shape, (int64_t)variable.offset);
}

/* Like value_as_pointer(), to the element where the variable is an array. */
static value_id as_element_pointer(struct values *values, value_id id)
{
	const struct value *value = value_get(values, id);
	const struct shape *shape;
	struct code_variable variable;
	int64_t offset;

	if (value->kind != VALUE_CONSTANT || !value_is_image_address(value->number) ||
	    !variable_at(values, value->number, &variable))
		return id;
	shape = variable.shape;
	offset = (int64_t)variable.offset;
	while (shape->kind == SHAPE_ARRAY && shape->target->size > 0) {
		offset %= shape->target->size;
		shape = shape->target;
	}
	return value_pointer(values, shape, offset);
}

static int64_t modulo(int64_t offset, int64_t size)
{
	return (offset % size + size) % size;
}

/* Two candidates of one shape that are a multiple of an element apart: the place in any element. */
static void join_elements(const struct candidate *a, const struct candidate *b, struct value *ret)
{
	const struct shape *shape = a->shape, *element;
	int64_t distance = (int64_t)a->offset - b->offset, offset;

	if (shape != b->shape)
		return;
	if (shape->kind != SHAPE_ARRAY && shape->size > 0 && distance % shape->size == 0)
		candidate_add(ret, shape, modulo(a->offset, shape->size), a->weak || b->weak);
	else if (place_same_element(shape, a->offset, b->offset, &element, &offset))
		candidate_add(ret, element, offset, a->weak || b->weak);
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
	if (a->shape == b->shape && a->offset == b->offset)
		candidate_add(ret, a->shape, a->offset, a->weak || b->weak);
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

/* What both agree on; else what either says, as a guess. */
static value_id join_pointers(struct values *values, const struct value *a, const struct value *b)
{
	struct value result = {};

	join_pairs(a, b, join_equal, &result);
	if (!result.nr)
		join_pairs(a, b, join_elements, &result);
	if (!result.nr)
		join_pairs(a, b, join_contained, &result);
	if (!result.nr) {
		for (unsigned int i = 0; i < a->nr; i++)
			candidate_add(&result, a->candidates[i].shape, a->candidates[i].offset,
				      true);
		for (unsigned int i = 0; i < b->nr; i++)
			candidate_add(&result, b->candidates[i].shape, b->candidates[i].offset,
				      true);
	}
	return result.nr ? value_intern(values, &result) : VALUE_ID_MIXED;
}

static bool is_small_constant(const struct value *value)
{
	return value->kind == VALUE_CONSTANT && value_is_small(value->number);
}

static value_id join_different(struct values *values, value_id a, value_id b)
{
	struct value x = *value_get(values, a), y = *value_get(values, b);
	value_id as_x, as_y;

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
	memo = find_memo(values, OPERATION_JOIN, a, b, &known);
	if (known)
		return memo->result;
	/* Joins may join in turn, and so make other use of the memo. */
	result = join_different(values, a, b);
	find_memo(values, OPERATION_JOIN, a, b, &known)->result = result;
	return result;
}

static void add_elements(const struct candidate *candidate, struct value *ret)
{
	const struct shape *element, *shape = candidate->shape;
	int64_t offset;

	/* A pointer to a thing may be one to an array of them. */
	if (shape_is_scalar(shape) && shape->size > 0)
		candidate_add(ret, shape, modulo(candidate->offset, shape->size), candidate->weak);
	else if (!candidate->offset && shape->kind != SHAPE_ARRAY)
		candidate_add(ret, shape, 0, candidate->weak);
	if (place_element(shape, candidate->offset, &element, &offset))
		candidate_add(ret, element, offset, candidate->weak);
}

static value_id sum_with_unknown(struct values *values, const struct value *pointer)
{
	struct value result = {};

	for (unsigned int i = 0; i < pointer->nr; i++)
		add_elements(&pointer->candidates[i], &result);
	return value_intern(values, &result);
}

static value_id sum_with_percpu(struct values *values, value_id id)
{
	const int64_t largest_area = 0x40000;
	const struct value *value = value_get(values, id);

	if (value->kind == VALUE_POINTER)
		return id;
	if (value->kind == VALUE_CONSTANT && value->number >= 0 && value->number < largest_area) {
		value_id pointer = value_as_pointer(values, id);

		return pointer == id ? VALUE_ID_UNKNOWN : pointer;
	}
	return VALUE_ID_UNKNOWN;
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
		return y.kind == VALUE_POINTER || y.kind == VALUE_UNKNOWN ?
			       value_pointer(values, idioms_target(values->idioms, x.number), 0) :
			       VALUE_ID_UNKNOWN;
	if (x.kind == VALUE_PERCPU)
		return b == VALUE_ID_PERCPU ? VALUE_ID_UNKNOWN : sum_with_percpu(values, b);
	if (x.kind == VALUE_POINTER) {
		if (y.kind == VALUE_CONSTANT && y.number >= -far && y.number < far)
			return value_shift(values, a, y.number);
		return y.kind == VALUE_POINTER ? VALUE_ID_UNKNOWN : sum_with_unknown(values, &x);
	}
	if (x.kind == VALUE_CONSTANT && y.kind == VALUE_CONSTANT)
		return value_shift(values, a, y.number);
	if (x.kind == VALUE_CONSTANT && value_is_image_address(x.number)) {
		value_id pointer = value_as_pointer(values, a);

		if (pointer == a)
			return VALUE_ID_UNKNOWN;
		x = *value_get(values, pointer);
		return sum_with_unknown(values, &x);
	}
	return VALUE_ID_UNKNOWN;
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
		return 1;
	default:
		return 0;
	}
}

value_id value_sum(struct values *values, value_id a, value_id b)
{
	bool known, ordered = sum_rank(value_get(values, a)) >= sum_rank(value_get(values, b));
	struct memo *memo = find_memo(values, OPERATION_SUM, a, b, &known);
	value_id result;

	if (known)
		return memo->result;
	result = ordered ? sum_ordered(values, a, b) : sum_ordered(values, b, a);
	find_memo(values, OPERATION_SUM, a, b, &known)->result = result;
	return result;
}
