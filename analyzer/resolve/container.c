/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/container.h"

#include "base/map.h"
#include "base/vec.h"
#include "resolve/embedding.h"

#define MAX_DEPTH 32
#define MAX_EMBEDDED 20000
/* Elements of arrays that are told apart. */
#define MAX_ELEMENTS 64

/* A struct seen somewhere. */
struct seen_type {
	const struct type *type;
	uint64_t identity;
};

/* One of these starts at that address. */
struct seen_object {
	uint32_t type;
	uint64_t base;
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
};

DEFINE_VEC(seen_type_vec, struct seen_type);
DEFINE_VEC(seen_object_vec, struct seen_object);
DEFINE_VEC(embedded_vec, struct embedded);
DEFINE_VEC(lift_vec, struct lift);

struct container {
	struct seen_type_vec types;
	struct map types_by_identity;
	struct seen_object_vec objects;
	struct map objects_by_key; /* hash of identity and base -> index into lifts + 1; 0 = none */
	struct lift_vec lifts;
};

struct container *container_create(void)
{
	return memory_alloc(1, sizeof(struct container));
}

void container_destroy(struct container *container)
{
	if (!container)
		return;
	vec_deinit(&container->types);
	vec_deinit(&container->objects);
	vec_deinit(&container->lifts);
	map_deinit(&container->types_by_identity);
	map_deinit(&container->objects_by_key);
	free(container);
}

static uint64_t object_key(uint64_t identity, uint64_t base)
{
	return hash_mix(identity, base);
}

void container_observe(struct container *container, const struct type *type, uint64_t base)
{
	uint64_t identity = type_identity(type);
	struct map_slot *slot;
	bool is_new;

	if (!type_is_aggregate(type_strip(type)) || !base)
		return;
	slot = map_add(&container->types_by_identity, identity, &is_new);
	if (is_new) {
		slot->value = container->types.nr;
		*vec_add(&container->types) = (struct seen_type){ type, identity };
	}
	map_add(&container->objects_by_key, object_key(identity, base), &is_new);
	if (is_new)
		*vec_add(&container->objects) = (struct seen_object){ (uint32_t)slot->value, base };
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
	size_t low = 0, high = embedded->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (embedded->items[middle].identity < identity)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The largest struct seen that holds this object where it lies. */
static bool find_outer(const struct container *container, const struct embedded_vec *embedded,
		       const struct seen_object *object, struct lift *ret)
{
	uint64_t identity = container->types.items[object->type].identity, largest = 0;

	for (size_t i = first_of(embedded, identity);
	     i < embedded->nr && embedded->items[i].identity == identity; i++) {
		const struct embedded *place = &embedded->items[i];
		const struct seen_type *outer = &container->types.items[place->outer];
		uint64_t size = type_size(outer->type);

		if (size <= largest || place->offset > object->base ||
		    !map_find(&container->objects_by_key,
			      object_key(outer->identity, object->base - place->offset)))
			continue;
		largest = size;
		*ret = (struct lift){ place->outer, place->offset };
	}
	return largest;
}

void container_settle(struct container *container)
{
	auto_vec struct embedded_vec embedded = {};
	struct lift lift;

	for (uint32_t i = 0; i < container->types.nr; i++) {
		struct embedded_vec of_one = {};

		list_embedded(container->types.items[i].type, i, 0, 0, &of_one);
		for (size_t k = 0; k < of_one.nr; k++)
			*vec_add(&embedded) = of_one.items[k];
		vec_deinit(&of_one);
	}
	vec_sort(&embedded, compare_embedded);
	for (size_t i = 0; i < container->objects.nr; i++) {
		const struct seen_object *object = &container->objects.items[i];
		uint64_t identity = container->types.items[object->type].identity;

		if (!find_outer(container, &embedded, object, &lift))
			continue;
		*vec_add(&container->lifts) = lift;
		map_add(&container->objects_by_key, object_key(identity, object->base), NULL)
			->value = container->lifts.nr;
	}
}

bool container_lift(const struct container *container, struct access *access)
{
	const struct map_slot *slot;
	const struct lift *lift;

	if (!access->type || !access->object)
		return false;
	slot = map_find(&container->objects_by_key,
			object_key(type_identity(access->type), access->object));
	if (!slot || !slot->value)
		return false;
	lift = &container->lifts.items[slot->value - 1];
	access->type = container->types.items[lift->outer].type;
	access->offset += lift->offset;
	access->object -= lift->offset;
	access->basis |= BASIS_CONTAINER;
	return true;
}
