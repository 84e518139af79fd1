/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/lifter.h"

#include "base/map.h"
#include "base/vec.h"
#include "resolve/embedding.h"

#define MAX_DEPTH 32
#define MAX_EMBEDDED 20000
/* Elements of arrays that are told apart. */
#define MAX_ELEMENTS 64
/* A struct that lies in more others than this says nothing of which. */
#define MAX_HOLDERS 400

/* A struct seen somewhere. */
struct seen_type {
	const struct type *type;
	uint64_t identity;
	size_t first_holder, nr_holders; /* structs of the kernel that have it as a member */
};

struct holder {
	const struct shape *shape;
	uint64_t offset;
};

/* One of these starts at that address. */
struct seen_object {
	uint32_t type;
	uint64_t base;
	bool is_guess;
};

/* An embedded struct's place in a seen one. */
struct embedded {
	uint64_t identity;
	uint32_t outer; /* index of the seen type */
	uint64_t offset;
};

struct lift {
	uint32_t outer;
	uint64_t offset;
	bool is_guess;
};

DEFINE_VEC(seen_type_vec, struct seen_type);
DEFINE_VEC(holder_vec, struct holder);
DEFINE_VEC(seen_object_vec, struct seen_object);
DEFINE_VEC(embedded_vec, struct embedded);
DEFINE_VEC(lift_vec, struct lift);

/* A struct of the kernel that would start at base, and what was seen where it has such. */
struct guess {
	const struct shape *shape;
	uint64_t base;
	uint64_t first_offset, first_size;
	bool is_supported; /* by two, side by side */
};

DEFINE_VEC(guess_vec, struct guess);

struct lifter {
	struct seen_type_vec types;
	struct holder_vec holders;
	struct map types_by_identity;
	struct seen_object_vec objects;
	struct map objects_by_key; /* hash of identity and base -> index */
	struct map lifts_by_key;   /* the same -> index */
	struct lift_vec lifts;
};

struct lifter *lifter_create(void)
{
	return memory_alloc(1, sizeof(struct lifter));
}

void lifter_destroy(struct lifter *lifter)
{
	if (!lifter)
		return;
	vec_deinit(&lifter->types);
	vec_deinit(&lifter->holders);
	vec_deinit(&lifter->objects);
	vec_deinit(&lifter->lifts);
	map_deinit(&lifter->types_by_identity);
	map_deinit(&lifter->objects_by_key);
	map_deinit(&lifter->lifts_by_key);
	free(lifter);
}

static uint64_t object_key(uint64_t identity, uint64_t base)
{
	return hash_mix(identity, base);
}

static void observe(struct lifter *lifter, const struct type *type, uint64_t base, bool is_guess)
{
	uint64_t identity = type_identity(type);
	struct map_slot *slot;
	uint32_t at;
	bool is_new;

	slot = map_add(&lifter->types_by_identity, identity, &is_new);
	if (is_new) {
		slot->value = lifter->types.nr;
		*vec_add(&lifter->types) = (struct seen_type){ .type = type, .identity = identity };
	}
	at = (uint32_t)slot->value;
	slot = map_add(&lifter->objects_by_key, object_key(identity, base), &is_new);
	if (!is_new)
		return;
	slot->value = lifter->objects.nr;
	*vec_add(&lifter->objects) = (struct seen_object){ at, base, is_guess };
}

void lifter_observe(struct lifter *lifter, const struct type *type, uint64_t base)
{
	if (type_is_aggregate(type_strip(type)) && base)
		observe(lifter, type, base, false);
}

static void list_embedded(const struct type *type, uint32_t outer, uint64_t offset, int depth,
			  struct embedded_vec *ret)
{
	type = type_strip(type);
	if (!type || depth > MAX_DEPTH || ret->nr > MAX_EMBEDDED)
		return;
	if (type->kind == TYPE_ARRAY) {
		uint64_t element = type_size(type->target), whole = type_size(type);

		for (uint64_t i = 0;
		     element && whole != TYPE_SIZE_UNKNOWN && i < MAX_ELEMENTS &&
		     (i + 1) * element <= whole && type_is_aggregate(type_strip(type->target));
		     i++)
			list_embedded(type->target, outer, offset + i * element, depth + 1, ret);
		return;
	}
	if (!type_is_aggregate(type))
		return;
	if (depth)
		*vec_add(ret) = (struct embedded){ type_identity(type), outer, offset };
	for (uint32_t i = 0; i < type->nr_fields; i++) {
		const struct field *field = &type->fields[i];

		if (field->offset_bits != FIELD_OFFSET_UNKNOWN && !field->size_bits)
			list_embedded(field->type, outer, offset + field->offset_bits / 8,
				      depth + 1, ret);
	}
}

static int compare_embedded(const void *a, const void *b)
{
	const struct embedded *left = a, *right = b;

	if (left->identity != right->identity)
		return left->identity < right->identity ? -1 : 1;
	if (left->outer != right->outer)
		return left->outer < right->outer ? -1 : 1;
	return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static size_t first_of(const struct embedded_vec *embedded, uint64_t identity)
{
	return vec_first_from(embedded, identity, identity);
}

/* The largest struct seen that holds this object where it lies. */
static bool find_outer(const struct lifter *lifter, const struct embedded_vec *embedded,
		       const struct seen_object *object, struct lift *ret)
{
	uint64_t identity = lifter->types.items[object->type].identity, largest = 0;

	for (size_t i = first_of(embedded, identity);
	     i < embedded->nr && embedded->items[i].identity == identity; i++) {
		const struct embedded *place = &embedded->items[i];
		const struct seen_type *outer = &lifter->types.items[place->outer];
		const struct map_slot *slot;
		uint64_t size = type_size(outer->type);

		if (size <= largest || place->offset > object->base)
			continue;
		slot = map_find(&lifter->objects_by_key,
				object_key(outer->identity, object->base - place->offset));
		if (!slot)
			continue;
		largest = size;
		*ret = (struct lift){ place->outer, place->offset,
				      lifter->objects.items[slot->value].is_guess };
	}
	return largest;
}

static void add_holder(void *context, const struct shape *outer, int64_t offset)
{
	struct lifter *lifter = context;

	*vec_add(&lifter->holders) = (struct holder){ outer, (uint64_t)offset };
}

/* What lies in everything (list_head) has no holders: nothing follows from it. */
static void list_holders(struct lifter *lifter, const struct containers *containers)
{
	for (size_t i = 0; i < lifter->types.nr; i++) {
		struct seen_type *seen = &lifter->types.items[i];
		const char *name = type_strip(seen->type)->name;

		seen->first_holder = lifter->holders.nr;
		if (!name || !containers_each(containers, name, (int64_t)type_size(seen->type),
					      MAX_HOLDERS, add_holder, lifter))
			lifter->holders.nr = seen->first_holder;
		seen->nr_holders = lifter->holders.nr - seen->first_holder;
	}
}

static uint64_t guess_key(const struct holder *holder, uint64_t base)
{
	return hash_mix(hash_mix(0, holder->shape->number + 1ull), base - holder->offset);
}

/* Each object supports what may hold it; two that lie side by side in one do so for certain. */
static void support_guesses(const struct lifter *lifter, const struct seen_object *object,
			    struct map *index, struct guess_vec *guesses)
{
	const struct seen_type *type = &lifter->types.items[object->type];
	uint64_t size = type_size(type->type);

	for (size_t i = 0; i < type->nr_holders; i++) {
		const struct holder *holder = &lifter->holders.items[type->first_holder + i];
		struct guess *guess;
		bool is_new;
		struct map_slot *slot = map_add(index, guess_key(holder, object->base), &is_new);

		if (is_new) {
			slot->value = guesses->nr;
			*vec_add(guesses) = (struct guess){
				.shape = holder->shape,
				.base = object->base - holder->offset,
				.first_offset = holder->offset,
				.first_size = size,
			};
		}
		guess = &guesses->items[slot->value];
		if (holder->offset >= guess->first_offset + guess->first_size ||
		    guess->first_offset >= holder->offset + size)
			guess->is_supported = true;
	}
}

static bool is_nested(struct code *code, const struct guess *outer, const struct guess *inner)
{
	return inner->base >= outer->base &&
	       type_holds(code_type(code, outer->shape), inner->base - outer->base,
			  code_type(code, inner->shape));
}

/* The largest struct that must be around the object; NULL = none, or several that differ. */
static const struct guess *choose_guess(const struct lifter *lifter, struct code *code,
					const struct seen_object *object, const struct map *index,
					const struct guess_vec *guesses)
{
	const struct seen_type *type = &lifter->types.items[object->type];
	const struct guess *largest = NULL;

	for (size_t i = 0; i < type->nr_holders; i++) {
		const struct holder *holder = &lifter->holders.items[type->first_holder + i];
		const struct map_slot *slot = map_find(index, guess_key(holder, object->base));
		const struct guess *guess = &guesses->items[slot->value];

		if (!guess->is_supported)
			continue;
		if (!largest || is_nested(code, guess, largest))
			largest = guess;
		else if (!is_nested(code, largest, guess))
			return NULL;
	}
	return largest;
}

/* Adds what was not seen and must be there. */
static void guess_outer(struct lifter *lifter, struct code *code,
			const struct containers *containers)
{
	auto_vec struct guess_vec guesses = {};
	auto_map struct map index = {};
	size_t nr = lifter->objects.nr;

	list_holders(lifter, containers);
	for (size_t i = 0; i < nr; i++)
		support_guesses(lifter, &lifter->objects.items[i], &index, &guesses);
	for (size_t i = 0; i < nr; i++) {
		const struct guess *guess =
			choose_guess(lifter, code, &lifter->objects.items[i], &index, &guesses);

		if (guess)
			observe(lifter, code_type(code, guess->shape), guess->base, true);
	}
}

void lifter_settle(struct lifter *lifter, struct code *code, const struct containers *containers)
{
	auto_vec struct embedded_vec embedded = {};
	struct lift lift;

	guess_outer(lifter, code, containers);
	for (uint32_t i = 0; i < lifter->types.nr; i++) {
		struct embedded_vec of_one = {};

		list_embedded(lifter->types.items[i].type, i, 0, 0, &of_one);
		for (size_t k = 0; k < of_one.nr; k++)
			*vec_add(&embedded) = of_one.items[k];
		vec_deinit(&of_one);
	}
	vec_sort(&embedded, compare_embedded);
	for (size_t i = 0; i < lifter->objects.nr; i++) {
		const struct seen_object *object = &lifter->objects.items[i];
		uint64_t identity = lifter->types.items[object->type].identity;

		if (!find_outer(lifter, &embedded, object, &lift))
			continue;
		map_add(&lifter->lifts_by_key, object_key(identity, object->base), NULL)->value =
			lifter->lifts.nr;
		*vec_add(&lifter->lifts) = lift;
	}
	/* Objects may be as many as lines of memory: only the lifts are asked for from now on. */
	vec_deinit(&lifter->holders);
	vec_deinit(&lifter->objects);
	map_deinit(&lifter->objects_by_key);
}

bool lifter_lift(const struct lifter *lifter, struct access *access)
{
	const struct map_slot *slot;
	const struct lift *lift;

	if (!access->type || !access->object)
		return false;
	slot = map_find(&lifter->lifts_by_key,
			object_key(type_identity(access->type), access->object));
	if (!slot)
		return false;
	lift = &lifter->lifts.items[slot->value];
	access->type = lifter->types.items[lift->outer].type;
	access->offset += lift->offset;
	access->object -= lift->offset;
	access->basis |= BASIS_CONTAINER;
	if (lift->is_guess && access->confidence > CONFIDENCE_MEDIUM)
		access->confidence = CONFIDENCE_MEDIUM;
	return true;
}
