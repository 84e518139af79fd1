/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/shapes_reader.h"

#include <dwarf.h>
#include <string.h>

/* Typedefs and qualifiers in a row, pointers and arrays inside each other: more is damage. */
#define MAX_CHAIN 40
#define MAX_DEPTH 100

static const struct shape *make(struct shapes *shapes, Dwarf_Die die, int depth);

void shapes_init(struct shapes *shapes)
{
	struct shape *nothing;

	*shapes = (struct shapes){};
	nothing = arena_alloc(&shapes->arena, 1, sizeof(*nothing));
	nothing->owner = shapes;
	nothing->name = "void";
	nothing->number = shapes->nr++;
	*vec_add(&shapes->dies) = (Dwarf_Die){};
	shapes->void_shape = nothing;
}

void shapes_deinit(struct shapes *shapes)
{
	map_deinit(&shapes->by_die);
	map_deinit(&shapes->by_meaning);
	map_deinit(&shapes->complete);
	vec_deinit(&shapes->definitions);
	vec_deinit(&shapes->dies);
	arena_deinit(&shapes->arena);
}

static uint64_t name_key(const char *name, int tag)
{
	return hash_string((uint64_t)tag + 1, name);
}

void shapes_define(struct shapes *shapes, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	struct map_slot *slot;
	bool is_new;

	if (!name)
		return;
	slot = map_add(&shapes->complete, name_key(name, dwarf_tag(die)), &is_new);
	if (!is_new)
		return;
	slot->value = shapes->definitions.nr;
	*vec_add(&shapes->definitions) = *die;
}

bool shapes_has_definition(const struct shapes *shapes, const char *name, int tag)
{
	return map_find(&shapes->complete, name_key(name, tag));
}

Dwarf_Die *shapes_find_struct(struct shapes *shapes, const char *name)
{
	struct map_slot *slot = map_find(&shapes->complete, name_key(name, DW_TAG_structure_type));

	return slot ? &shapes->definitions.items[slot->value] : NULL;
}

static bool follow_type(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
	       dwarf_formref_die(&attribute, ret);
}

static bool read_number(Dwarf_Die *die, unsigned int name, Dwarf_Word *ret)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) && !dwarf_formudata(&attribute, ret);
}

/* Takes typedefs and qualifiers off; false: nothing is below. *ret_name: the last typedef's. */
static bool peel(Dwarf_Die *die, const char **ret_name)
{
	*ret_name = NULL;
	for (int i = 0; i < MAX_CHAIN; i++) {
		switch (dwarf_tag(die)) {
		case DW_TAG_typedef:
			*ret_name = dwarf_diename(die);
			break;
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			break;
		default:
			return true;
		}
		if (!follow_type(die, die))
			return false;
	}
	return false;
}

static enum shape_kind kind_of(int tag)
{
	switch (tag) {
	case DW_TAG_base_type:
		return SHAPE_SCALAR;
	case DW_TAG_enumeration_type:
		return SHAPE_ENUM;
	case DW_TAG_structure_type:
		return SHAPE_STRUCT;
	case DW_TAG_union_type:
		return SHAPE_UNION;
	case DW_TAG_pointer_type:
		return SHAPE_POINTER;
	case DW_TAG_array_type:
		return SHAPE_ARRAY;
	case DW_TAG_subroutine_type:
		return SHAPE_FUNCTION;
	default:
		return SHAPE_UNKNOWN;
	}
}

/* Elements of all dimensions together; 0 where one has no bound. */
static int64_t array_count(Dwarf_Die *die)
{
	int64_t count = 1, number;
	Dwarf_Die child;
	Dwarf_Word bound;

	if (dwarf_child(die, &child))
		return 0;
	do {
		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		if (read_number(&child, DW_AT_count, &bound))
			number = (int64_t)bound;
		else if (read_number(&child, DW_AT_upper_bound, &bound))
			number = (int64_t)(bound + 1);
		else
			number = 0;
		/* A bound of -1 in 32 bits: T x[0] of older compilers. */
		if (number < 0 || number > UINT32_MAX || count * number > INT32_MAX)
			number = 0;
		count *= number;
	} while (!dwarf_siblingof(&child, &child));
	return count;
}

static struct shape *add(struct shapes *shapes, const struct shape *like, const Dwarf_Die *die)
{
	struct shape *shape = arena_copy(&shapes->arena, like, sizeof(*like));

	shape->owner = shapes;
	shape->number = shapes->nr++;
	*vec_add(&shapes->dies) = *die;
	return shape;
}

/* What is alike has the same shape; what has no name and no content to tell by is its own. */
static const struct shape *share(struct shapes *shapes, const struct shape *like, uint64_t salt,
				 const Dwarf_Die *die)
{
	uint64_t key = hash_mix(salt, (uint64_t)like->kind);
	struct map_slot *slot;
	bool is_new;

	if (like->name)
		key = hash_string(key, like->name);
	key = hash_mix(hash_mix(key, (uint64_t)like->size), (uint64_t)like->count);
	if (like->target)
		key = hash_mix(key, like->target->number + 1);
	slot = map_add(&shapes->by_meaning, key, &is_new);
	if (is_new)
		slot->pointer = add(shapes, like, die);
	return slot->pointer;
}

static const struct shape *make_named(struct shapes *shapes, Dwarf_Die *die, struct shape *like,
				      const char *typedef_name)
{
	const char *name = dwarf_diename(die);
	Dwarf_Word size;
	int line = 0;

	dwarf_decl_line(die, &line);
	if (dwarf_hasattr(die, DW_AT_declaration)) {
		struct map_slot *slot =
			name ? map_find(&shapes->complete, name_key(name, dwarf_tag(die))) : NULL;

		if (slot)
			return make(shapes, shapes->definitions.items[slot->value], 0);
		like->incomplete = true;
	}
	if (!like->incomplete && read_number(die, DW_AT_byte_size, &size) && size < INT32_MAX)
		like->size = (int64_t)size;
	like->name = name ? name : typedef_name;
	if (like->name || like->kind == SHAPE_SCALAR)
		return share(shapes, like, (uint64_t)line, die);
	return add(shapes, like, die);
}

static const struct shape *make_kind(struct shapes *shapes, Dwarf_Die *die,
				     const char *typedef_name, int depth)
{
	struct shape like = { .kind = kind_of(dwarf_tag(die)) };
	Dwarf_Die target;

	switch (like.kind) {
	case SHAPE_POINTER:
	case SHAPE_ARRAY:
		like.target = depth < MAX_DEPTH && follow_type(die, &target) ?
				      make(shapes, target, depth + 1) :
				      shapes->void_shape;
		like.size = 8;
		if (like.kind == SHAPE_ARRAY) {
			like.count = array_count(die);
			like.size = like.count * like.target->size;
		}
		return share(shapes, &like, 0, die);
	case SHAPE_FUNCTION:
		like.size = 1;
		return add(shapes, &like, die);
	case SHAPE_UNKNOWN:
		return add(shapes, &like, die);
	default:
		return make_named(shapes, die, &like, typedef_name);
	}
}

static const struct shape *make(struct shapes *shapes, Dwarf_Die die, int depth)
{
	uint64_t outer = (uint64_t)(uintptr_t)die.addr, inner;
	struct map_slot *slot = map_find(&shapes->by_die, outer);
	const struct shape *shape;
	const char *typedef_name;

	if (slot)
		return slot->pointer;
	if (peel(&die, &typedef_name)) {
		inner = (uint64_t)(uintptr_t)die.addr;
		slot = map_find(&shapes->by_die, inner);
		shape = slot ? slot->pointer : make_kind(shapes, &die, typedef_name, depth);
		map_add(&shapes->by_die, inner, NULL)->pointer = (void *)shape;
	} else {
		shape = shapes->void_shape;
	}
	map_add(&shapes->by_die, outer, NULL)->pointer = (void *)shape;
	return shape;
}

const struct shape *shape_of_die(struct shapes *shapes, Dwarf_Die die)
{
	return make(shapes, die, 0);
}

const struct shape *shape_of_target(struct shapes *shapes, Dwarf_Die *die)
{
	Dwarf_Die target;

	return follow_type(die, &target) ? make(shapes, target, 0) : shapes->void_shape;
}

static void read_member(struct shapes *shapes, Dwarf_Die *die, struct shape_member *ret)
{
	Dwarf_Word value, nr_bits = 0;

	*ret = (struct shape_member){
		.name = dwarf_diename(die),
		.shape = shape_of_target(shapes, die),
	};
	ret->size = ret->shape->size;
	if (read_number(die, DW_AT_data_bit_offset, &value) && value < INT32_MAX) {
		read_number(die, DW_AT_bit_size, &nr_bits);
		ret->offset = (int64_t)value / 8;
		ret->bit = value % 8;
		ret->nr_bits = (uint16_t)nr_bits;
		ret->size = (ret->bit + ret->nr_bits + 7) / 8;
	} else if (read_number(die, DW_AT_data_member_location, &value) && value < INT32_MAX) {
		ret->offset = (int64_t)value;
	}
}

DEFINE_VEC(shape_member_vec, struct shape_member);

const struct shape_member *shape_members(const struct shape *shape, uint32_t *ret_nr)
{
	auto_vec struct shape_member_vec members = {};
	struct shape *changed = (struct shape *)shape;
	struct shapes *shapes = shape->owner;
	Dwarf_Die die, child;

	if (!shape->members_read) {
		changed->members_read = true;
		if (shape_is_struct(shape) && shape_die(shape, &die) &&
		    !dwarf_child(&die, &child)) {
			do {
				if (dwarf_tag(&child) == DW_TAG_member)
					read_member(shapes, &child, vec_add(&members));
			} while (!dwarf_siblingof(&child, &child));
		}
		changed->nr_members = (uint32_t)members.nr;
		if (members.nr)
			changed->members = arena_copy(&shapes->arena, members.items,
						      members.nr * sizeof(*members.items));
	}
	*ret_nr = shape->nr_members;
	return shape->members;
}

struct signature shape_read_signature(struct shapes *shapes, Dwarf_Die *die)
{
	struct signature signature = { .result = shape_of_target(shapes, die) };
	unsigned int nr = 0;
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return signature;
	do {
		const struct shape *shape;

		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		shape = shape_of_target(shapes, &child);
		if (!shape_is_struct(shape)) {
			if (nr < SIGNATURE_ARGUMENTS)
				signature.arguments[nr] = shape;
			nr++;
		} else if (shape->size <= 16) { /* larger ones go to the stack */
			nr += shape->size > 8 ? 2 : 1;
		}
	} while (!dwarf_siblingof(&child, &child));
	return signature;
}

struct signature shape_signature(const struct shape *shape)
{
	Dwarf_Die die;

	if (shape->kind != SHAPE_FUNCTION || !shape_die(shape, &die))
		return (struct signature){ .result = shape->owner->void_shape };
	return shape_read_signature(shape->owner, &die);
}

const struct shape *shape_single(const struct shape *shape)
{
	struct shape like = {
		.kind = SHAPE_ARRAY, .target = shape, .count = 1, .size = shape->size
	};
	static const Dwarf_Die none;

	if (shape_is_struct(shape) || shape->kind == SHAPE_ARRAY)
		return shape;
	return share(shape->owner, &like, 1, &none);
}

bool shape_die(const struct shape *shape, Dwarf_Die *ret)
{
	*ret = shape->owner->dies.items[shape->number];
	return ret->addr != NULL;
}
