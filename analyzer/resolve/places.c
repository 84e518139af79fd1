/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/places.h"

#include <stddef.h>

/* Structs nest less deeply than this. */
#define MAX_DEPTH 16

static bool is_flexible(const struct shape_member *member)
{
	return member->shape->kind == SHAPE_ARRAY && !member->shape->count;
}

/*
 * Whether offset may lie in the member. Behind the end of the last one there may be more: a
 * flexible array, in whatever it is wrapped, or a struct that ends in one.
 */
static bool reaches(const struct shape *outer, const struct shape_member *member, bool is_last,
		    int64_t offset)
{
	if (offset < member->offset)
		return false;
	if (offset < member->offset + member->size)
		return true;
	if (is_flexible(member))
		return is_last || outer->kind == SHAPE_UNION;
	return is_last && shape_is_struct(member->shape) &&
	       (!member->shape->size || (offset >= outer->size && outer->kind == SHAPE_STRUCT));
}

static bool reads_bits(const struct shape_member *member, int64_t offset,
		       const struct place_query *query)
{
	int64_t bit = (member->offset - offset) * 8 + member->bit;
	uint64_t mask = member->nr_bits >= 64 ? ~0ull : (1ull << member->nr_bits) - 1;
	int64_t nr_read = query->size ? query->size * 8 : 8;

	if (bit + member->nr_bits <= 0 || bit >= nr_read)
		return false;
	if (!query->bits || bit >= 64 || bit <= -64)
		return true;
	return (bit >= 0 ? query->bits >> bit : query->bits << -bit) & mask;
}

static int rank(const struct place *place, const struct place_query *query)
{
	bool leads_on = place->leaf && place->leaf->kind == SHAPE_POINTER &&
			place->leaf->target->kind != SHAPE_VOID;

	return 2 * (int)place->fit + (query->of_pointer && leads_on);
}

static struct place find(const struct shape *shape, int64_t offset, const struct place_query *query,
			 int depth);

static struct place find_member(const struct shape *shape, int64_t offset,
				const struct place_query *query, int depth)
{
	struct place best = {};
	uint32_t nr;
	const struct shape_member *members = shape_members(shape, &nr);

	for (uint32_t i = 0; i < nr; i++) {
		const struct shape_member *member = &members[i];
		struct place place;

		if (member->nr_bits) {
			if (!reads_bits(member, offset, query))
				continue;
			place = (struct place){ .leaf = member->shape, .fit = FIT_INSIDE };
		} else {
			if (!reaches(shape, member, i == nr - 1, offset))
				continue;
			place = find(member->shape, offset - member->offset, query, depth + 1);
		}
		if (place.fit && (!best.fit || rank(&place, query) > rank(&best, query))) {
			best = place;
			if (shape->kind == SHAPE_STRUCT && !member->nr_bits && !is_flexible(member))
				break;
		}
	}
	return best;
}

static struct place find_scalar(const struct shape *shape, int64_t offset,
				const struct place_query *query)
{
	struct place place = { .leaf = shape, .fit = FIT_WIDER };

	if (offset >= shape->size)
		return (struct place){};
	if (!offset && query->size == shape->size)
		place.fit = FIT_EXACT;
	else if (query->size && offset + query->size <= shape->size)
		place.fit = FIT_INSIDE;
	return place;
}

static struct place find(const struct shape *shape, int64_t offset, const struct place_query *query,
			 int depth)
{
	struct place place = {};

	if (depth > MAX_DEPTH || offset < 0)
		return place;
	switch (shape->kind) {
	case SHAPE_STRUCT:
	case SHAPE_UNION:
		return find_member(shape, offset, query, depth);
	case SHAPE_ARRAY:
		if (shape->target->size <= 0 || (shape->count && offset >= shape->size))
			return place;
		place = find(shape->target, offset % shape->target->size, query, depth + 1);
		place.in_array = true;
		place.in_bytes |= shape->target->size == 1;
		/* Several elements at once. */
		if (place.fit == FIT_WIDER &&
		    (!shape->count || offset + query->size <= shape->size))
			place.fit = shape->target->size == 1 ? FIT_BYTES : FIT_INSIDE;
		return place;
	case SHAPE_SCALAR:
	case SHAPE_POINTER:
	case SHAPE_ENUM:
		return find_scalar(shape, offset, query);
	case SHAPE_FUNCTION:
		return (struct place){ .leaf = shape, .fit = FIT_WIDER };
	default:
		return place;
	}
}

struct place place_find(const struct shape *shape, int64_t offset, const struct place_query *query)
{
	return find(shape, offset, query, 0);
}

static bool holds(const struct shape *shape, int64_t offset, const struct shape *wanted, int depth)
{
	const struct shape_member *members;
	uint32_t nr;

	if (offset < 0 || depth > MAX_DEPTH)
		return false;
	if (!offset && shape == wanted)
		return true;
	if (shape->kind == SHAPE_ARRAY) {
		if (shape->target->size <= 0 || (shape->count && offset >= shape->size))
			return false;
		return holds(shape->target, offset % shape->target->size, wanted, depth + 1);
	}
	members = shape_members(shape, &nr);
	for (uint32_t i = 0; i < nr; i++) {
		const struct shape_member *member = &members[i];

		if (!member->nr_bits && offset >= member->offset &&
		    offset < member->offset + member->size &&
		    holds(member->shape, offset - member->offset, wanted, depth + 1))
			return true;
	}
	return false;
}

bool place_holds(const struct shape *shape, int64_t offset, const struct shape *wanted)
{
	return holds(shape, offset, wanted, 0);
}

static void find_pointers(const struct shape *shape, int64_t offset,
			  void (*found)(void *context, const struct shape *pointer), void *context,
			  int depth)
{
	const struct shape_member *members;
	uint32_t nr;

	if (offset < 0 || depth > MAX_DEPTH)
		return;
	if (shape->kind == SHAPE_POINTER) {
		if (!offset)
			found(context, shape);
		return;
	}
	if (shape->kind == SHAPE_ARRAY) {
		if (shape->target->size > 0 && (!shape->count || offset < shape->size))
			find_pointers(shape->target, offset % shape->target->size, found, context,
				      depth + 1);
		return;
	}
	members = shape_members(shape, &nr);
	for (uint32_t i = 0; i < nr; i++) {
		const struct shape_member *member = &members[i];

		if (!member->nr_bits && offset >= member->offset &&
		    (offset < member->offset + member->size ||
		     (is_flexible(member) && i == nr - 1)))
			find_pointers(member->shape, offset - member->offset, found, context,
				      depth + 1);
	}
}

void place_pointers(const struct shape *shape, int64_t offset,
		    void (*found)(void *context, const struct shape *pointer), void *context)
{
	find_pointers(shape, offset, found, context, 0);
}

/* The member that an index at offset most likely steps through: an array before all others. */
static const struct shape_member *indexed_member(const struct shape *shape, int64_t offset)
{
	const struct shape_member *found = NULL;
	uint32_t nr;
	const struct shape_member *members = shape_members(shape, &nr);

	for (uint32_t i = 0; i < nr; i++) {
		const struct shape_member *member = &members[i];
		if (member->nr_bits || !reaches(shape, member, i == nr - 1, offset))
			continue;
		found = member;
		if (member->shape->kind == SHAPE_ARRAY ||
		    (shape->kind == SHAPE_STRUCT && member->size))
			break;
	}
	return found;
}

/* An array around a place. */
struct around {
	int64_t start; /* in the shape asked about */
	int64_t end;   /* INT64_MAX: flexible */
	int64_t size;  /* of an element */
};

#define MAX_ARRAYS 4

/* The arrays around offset, the outermost first. */
static unsigned int find_arrays(const struct shape *shape, int64_t offset, struct around *ret)
{
	unsigned int nr = 0;
	int64_t base = 0;

	for (int depth = 0; depth < MAX_DEPTH && offset >= base; depth++) {
		const struct shape_member *member;

		if (shape->kind != SHAPE_ARRAY) {
			member = shape_is_struct(shape) ? indexed_member(shape, offset - base) :
							  NULL;
			if (!member)
				break;
			base += member->offset;
			shape = member->shape;
			continue;
		}
		if (shape->target->size <= 0 || nr == MAX_ARRAYS ||
		    (shape->count && offset - base >= shape->size))
			break;
		ret[nr++] = (struct around){
			.start = base,
			.end = shape->count ? base + shape->size : INT64_MAX,
			.size = shape->target->size,
		};
		base += (offset - base) / shape->target->size * shape->target->size;
		shape = shape->target;
	}
	return nr;
}

static int64_t in_first_element(const struct around *array, int64_t offset)
{
	return array->start + ((offset - array->start) % array->size + array->size) % array->size;
}

/* How well steps of that many bytes go with elements of that size; 0 = not. */
static int stride_rank(int64_t stride, int64_t size)
{
	if (stride == size)
		return 4;
	if (stride % size == 0)
		return 3;
	if (size % stride)
		return 0;
	return stride == 1 ? 1 : 2;
}

/* The array that steps of at least that rank go through; 0 = none. */
static unsigned int best_array(const struct shape *shape, int64_t offset, int64_t stride, int *rank,
			       int64_t *ret_offset)
{
	struct around arrays[MAX_ARRAYS];
	unsigned int nr = find_arrays(shape, offset, arrays), found = 0;

	for (unsigned int i = 0; i < nr; i++) {
		int of_array = stride_rank(stride, arrays[i].size);

		if (of_array <= *rank)
			continue;
		*rank = of_array;
		*ret_offset = in_first_element(&arrays[i], offset);
		found = i + 1;
	}
	return found;
}

unsigned int place_stepped(const struct shape *shape, int64_t offset,
			   const struct step_width *width, int64_t *ret_offset)
{
	unsigned int found, other;
	int rank = 0;

	if (width->stride <= 0)
		return 0;
	found = best_array(shape, offset, width->stride, &rank, ret_offset);
	if (!width->number)
		return found;
	/* A number that steps whole elements moves the place in one. */
	if (rank >= 3)
		return place_moved(shape, found, *ret_offset, width->number, ret_offset);
	other = best_array(shape, offset + width->number, width->stride, &rank, ret_offset);
	return other ? other : found;
}

unsigned int place_same_element(const struct shape *shape, int64_t a, int64_t b,
				int64_t *ret_offset)
{
	int64_t low = a < b ? a : b, high = a < b ? b : a;
	struct around arrays[MAX_ARRAYS];
	unsigned int nr = find_arrays(shape, low, arrays);

	for (unsigned int i = 0; i < nr; i++) {
		const struct around *array = &arrays[i];

		if (low == high || high > array->end)
			return 0;
		if ((low - array->start) / array->size == (high - array->start) / array->size)
			continue;
		*ret_offset = in_first_element(array, low);
		return in_first_element(array, high) == *ret_offset ? i + 1 : 0;
	}
	return 0;
}

unsigned int place_moved(const struct shape *shape, unsigned int array, int64_t offset,
			 int64_t distance, int64_t *ret_offset)
{
	struct around arrays[MAX_ARRAYS], others[MAX_ARRAYS];
	unsigned int nr = find_arrays(shape, offset, arrays);
	const struct around *around = &arrays[array - 1];

	*ret_offset = offset + distance;
	if (!array || array > nr)
		return 0;
	if (*ret_offset < around->end) {
		*ret_offset = in_first_element(around, *ret_offset);
		return array;
	}
	nr = find_arrays(shape, *ret_offset, others);
	for (unsigned int i = 0; i < nr; i++) {
		if (others[i].size == around->size) {
			*ret_offset = in_first_element(&others[i], *ret_offset);
			return i + 1;
		}
	}
	return 0;
}
