/* SPDX-License-Identifier: GPL-2.0-only */
/* Which few of the things that a pointer may point at are kept. */
#include "resolve/values_inside.h"

/* How far outside of an object an inferred offset may lie: container_of() goes there. */
#define MAX_OUTSIDE 4096

/* A struct says more than a scalar, and a larger one more than a smaller. */
static int64_t rank(const struct candidate *candidate)
{
	const struct shape *shape = candidate->shape;
	bool inside = candidate->offset >= 0 && candidate->offset <= shape->size;
	int64_t rank = (inside ? 2ll << 32 : 0) + (candidate->weak ? 0 : 1ll << 32);

	if (shape_is_struct(shape))
		return rank + 1000000 + (shape->name ? 1 : 0) + 2 * shape->size;
	if (shape->kind == SHAPE_FUNCTION)
		return rank + 500;
	return rank + (shape->size == 1 ? 10 : 100);
}

static bool is_before(const struct candidate *a, const struct candidate *b)
{
	if (a->shape != b->shape)
		return a->shape->number < b->shape->number;
	return a->offset < b->offset;
}

static void insert(struct value *value, const struct candidate *added)
{
	unsigned int i = value->nr++;

	for (; i > 0 && is_before(added, &value->candidates[i - 1]); i--)
		value->candidates[i] = value->candidates[i - 1];
	value->candidates[i] = *added;
}

static void replace_lowest(struct value *value, const struct candidate *added)
{
	unsigned int lowest = 0;

	for (unsigned int i = 1; i < value->nr; i++) {
		if (rank(&value->candidates[i]) < rank(&value->candidates[lowest]))
			lowest = i;
	}
	if (rank(added) <= rank(&value->candidates[lowest]))
		return;
	for (unsigned int i = lowest; i + 1 < value->nr; i++)
		value->candidates[i] = value->candidates[i + 1];
	value->nr--;
	insert(value, added);
}

/* Whether a guess adds nothing: too far outside, or its shape is known at another offset. */
static bool is_idle_guess(const struct value *value, const struct candidate *added)
{
	const struct shape *shape = added->shape;

	if (!added->weak || shape->size <= 0)
		return false;
	if (added->offset < -MAX_OUTSIDE || added->offset >= shape->size + MAX_OUTSIDE)
		return true;
	for (unsigned int i = 0; i < value->nr; i++) {
		if (value->candidates[i].shape == shape && !value->candidates[i].weak)
			return true;
	}
	return false;
}

void candidate_put(struct value *value, const struct candidate *added)
{
	if (added->shape->kind == SHAPE_VOID || added->shape->kind == SHAPE_UNKNOWN)
		return;
	if (value->kind == VALUE_STACK || value->kind == VALUE_PERCPU ||
	    (value->kind == VALUE_CONSTANT && !value_is_small(value->number)))
		return;
	if (is_idle_guess(value, added))
		return;
	if (value->kind != VALUE_POINTER)
		*value = (struct value){ .kind = VALUE_POINTER };
	for (unsigned int i = 0; i < value->nr; i++) {
		struct candidate *old = &value->candidates[i];

		if (old->shape == added->shape && old->offset == added->offset) {
			/* What is stated is no guess, nor just any element. */
			if (old->weak != added->weak ? !added->weak :
						       !candidate_is_indexed(added)) {
				old->array = added->array;
				old->stride = added->stride;
			}
			old->weak &= added->weak;
			return;
		}
	}
	if (value->nr < VALUE_MAX_CANDIDATES)
		insert(value, added);
	else
		replace_lowest(value, added);
}

void candidate_add(struct value *value, const struct shape *shape, int64_t offset, bool weak)
{
	if (offset == (int32_t)offset)
		candidate_put(value, &(struct candidate){ shape, (int32_t)offset, weak, 0, 0 });
}

void candidate_shift(struct candidate *candidate, int64_t distance)
{
	int64_t offset = (int32_t)((uint32_t)candidate->offset + (uint32_t)distance);
	struct step_width width = { 0, candidate->stride };
	int64_t in_array;
	unsigned int array = 0;

	if (candidate->array) {
		array = place_moved(candidate->shape, candidate->array, candidate->offset, distance,
				    &offset);
	} else if (candidate->stride) {
		array = place_stepped(candidate->shape, offset, &width, &in_array);
		offset = array ? in_array : offset;
	}
	candidate->array = (uint8_t)array;
	candidate->offset = (int32_t)offset;
}

void candidate_put_element(struct value *value, struct candidate candidate)
{
	while (candidate.array && candidate.shape->kind == SHAPE_ARRAY) {
		candidate.shape = candidate.shape->target;
		candidate.offset = (int32_t)modulo(candidate.offset, candidate.shape->size);
		candidate.array--;
	}
	candidate_put(value, &candidate);
}
