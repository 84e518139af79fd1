/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/btf_convert.h"

#include <string.h>

#include "model/layout.h"

/*
 * How many types one may unfold to: sixty-four structs, each with two members of the next, are a
 * small file and 2^64 fields. The largest of Linux 6.18 unfolds to 5,152.
 */
#define MAX_UNFOLDED 1000000

/* A type, and how many types it takes to spell it out. */
struct node {
	struct type type;
	uint64_t nr_unfolded;
};

static struct error *read_type(struct btf_converter *converter, uint32_t id, bool by_value,
			       struct node **ret);

/* A type that node is made of. */
static struct error *read_part(struct btf_converter *converter, uint32_t id, bool by_value,
			       struct node *node, const struct type **ret)
{
	struct node *part;
	struct error *err = read_type(converter, id, by_value, &part);

	if (err)
		return err;
	if (part)
		node->nr_unfolded += part->nr_unfolded;
	if (node->nr_unfolded > MAX_UNFOLDED)
		return error_create(ERROR_INPUT,
				    "BTF: what type %u is part of unfolds to more than %d types",
				    id, MAX_UNFOLDED);
	*ret = part ? &part->type : NULL;
	return NULL;
}

/* All strings in one: offsets count on from base's to own. */
static const char *copy_strings(struct btf_converter *converter)
{
	const struct bytes *base = &converter->btf->base.strings;
	const struct bytes *own = &converter->btf->own.strings;
	char *strings = arena_alloc(converter->arena, 1, bytes_left(base) + bytes_left(own));

	if (base->at)
		memcpy(strings, base->at, bytes_left(base));
	memcpy(strings + bytes_left(base), own->at, bytes_left(own));
	return strings;
}

static struct error *read_name(struct btf_converter *converter, uint32_t id, uint32_t offset,
			       const char **ret)
{
	const struct btf *btf = converter->btf;
	size_t limit = (bytes_left(&btf->base.strings) + bytes_left(&btf->own.strings)) / 4;
	const char *name;
	struct error *err = btf_read_name(btf, id, offset, &name);

	if (err)
		return err;
	if (name && !converter->strings) {
		size_t size = strlen(name) + 1;

		converter->name_bytes += size;
		if (converter->name_bytes <= limit) {
			*ret = arena_copy(converter->arena, name, size);
			return NULL;
		}
		converter->strings = copy_strings(converter);
	}
	*ret = name ? converter->strings + offset : NULL;
	return NULL;
}

/*
 * Bit-fields without kind_flag, as encoders wrote them before Linux 4.20: the member's type is an
 * int of fewer bits.
 */
static void add_int_bits(const struct btf *btf, uint32_t id, struct field *field)
{
	struct btf_record record;
	uint32_t bits;

	btf_read_record(btf, btf_skip(btf, id, BTF_NAMES), &record);
	if (record.kind != BTF_KIND_INT)
		return;
	bits = bytes_u32(&record.rest);
	if (BTF_INT_BITS(bits) == 8 * record.size && !BTF_INT_OFFSET(bits))
		return;
	field->offset_bits += BTF_INT_OFFSET(bits);
	field->size_bits = BTF_INT_BITS(bits);
}

/*
 * One struct btf_member. Offsets count bits in memory order on either byte order, with kind_flag
 * and without (btf_bitfield_show() in kernel/bpf/btf.c): as the model does.
 */
static struct error *read_member(struct btf_converter *converter, uint32_t id, bool by_value,
				 struct btf_record *record, struct node *node, struct field *field)
{
	uint32_t name = bytes_u32(&record->rest);
	uint32_t type = bytes_u32(&record->rest);
	uint32_t offset = bytes_u32(&record->rest);
	struct error *err = read_name(converter, id, name, &field->name);

	if (!err)
		err = read_part(converter, type, by_value, node, &field->type);
	if (err)
		return err;
	if (!field->type)
		return error_create(ERROR_INPUT, "BTF: type %u has a member of type void", id);
	if (record->flag) {
		field->offset_bits = BTF_MEMBER_BIT_OFFSET(offset);
		field->size_bits = BTF_MEMBER_BITFIELD_SIZE(offset);
	} else {
		field->offset_bits = offset;
		add_int_bits(converter->btf, type, field);
	}
	return NULL;
}

/* [] at the end of a struct: BTF has 0 elements for it, as it has for [0]. */
static void open_last_array(struct arena *arena, struct field *last)
{
	const struct type *array = last->type;
	struct type *open;
	uint64_t *counts;

	if (array->kind != TYPE_ARRAY || array->counts[0] || field_group_end(last))
		return;
	counts = arena_copy(arena, array->counts, array->nr_counts * sizeof(*counts));
	counts[0] = TYPE_COUNT_FLEXIBLE;
	open = arena_copy(arena, array, sizeof(*array));
	open->counts = counts;
	last->type = open;
}

static struct error *read_members(struct btf_converter *converter, uint32_t id, bool by_value,
				  struct btf_record *record, struct node *node)
{
	struct type *type = &node->type;
	struct field *fields = arena_alloc(converter->arena, record->nr, sizeof(*fields));
	struct error *err = NULL;

	type->nr_fields = record->nr;
	type->fields = fields;
	for (uint32_t i = 0; i < record->nr && !err; i++)
		err = read_member(converter, id, by_value, record, node, &fields[i]);
	if (!err && record->nr && type->kind == TYPE_STRUCT)
		open_last_array(converter->arena, &fields[record->nr - 1]);
	if (!err && by_value)
		type_seal(type, converter->arch);
	return err;
}

/* An array of arrays is one of several dimensions, as it is in C. */
static struct error *read_array(struct btf_converter *converter, uint32_t id, bool by_value,
				struct btf_record *record, struct node *node)
{
	uint64_t counts[BTF_MAX_DEPTH];
	uint32_t nr = 0, element;
	struct error *err;

	do {
		if (nr == BTF_MAX_DEPTH)
			return error_create(ERROR_INPUT, "BTF: array %u has too many dimensions",
					    id);
		element = btf_skip(converter->btf, bytes_u32(&record->rest), BTF_TAGS);
		bytes_u32(&record->rest); /* the type of an index */
		counts[nr++] = bytes_u32(&record->rest);
	} while (btf_read_record(converter->btf, element, record) &&
		 record->kind == BTF_KIND_ARRAY);
	err = read_part(converter, element, by_value, node, &node->type.target);
	if (err)
		return err;
	if (!node->type.target)
		return error_create(ERROR_INPUT, "BTF: type %u is an array of void", id);
	node->type.counts = arena_copy(converter->arena, counts, nr * sizeof(*counts));
	node->type.nr_counts = nr;
	return NULL;
}

static struct error *read_function(struct btf_converter *converter, struct btf_record *record,
				   struct node *node)
{
	struct type *type = &node->type;
	struct error *err = read_part(converter, record->type, false, node, &type->target);
	struct field *fields = arena_alloc(converter->arena, record->nr, sizeof(*fields));

	type->fields = fields;
	type->nr_fields = record->nr;
	for (uint32_t i = 0; i < record->nr && !err; i++) {
		bytes_u32(&record->rest); /* a name */
		err = read_part(converter, bytes_u32(&record->rest), false, node, &fields[i].type);
	}
	/* A last parameter of type void stands for the dots. */
	if (!err && record->nr && !fields[record->nr - 1].type) {
		type->variadic = true;
		type->nr_fields--;
	}
	return err;
}

/* What is not here, functions, variables and tags, is nothing that a member can be. */
static const enum type_kind kinds[] = {
	[BTF_KIND_INT] = TYPE_BASE,
	[BTF_KIND_PTR] = TYPE_POINTER,
	[BTF_KIND_ARRAY] = TYPE_ARRAY,
	[BTF_KIND_STRUCT] = TYPE_STRUCT,
	[BTF_KIND_UNION] = TYPE_UNION,
	[BTF_KIND_ENUM] = TYPE_ENUM,
	[BTF_KIND_FWD] = TYPE_STRUCT, /* with kind_flag: a union */
	[BTF_KIND_TYPEDEF] = TYPE_TYPEDEF,
	[BTF_KIND_VOLATILE] = TYPE_VOLATILE,
	[BTF_KIND_CONST] = TYPE_CONST,
	[BTF_KIND_RESTRICT] = TYPE_RESTRICT,
	[BTF_KIND_FUNC_PROTO] = TYPE_FUNCTION,
	[BTF_KIND_FLOAT] = TYPE_BASE,
	[BTF_KIND_ENUM64] = TYPE_ENUM,
};

static struct error *read_rest(struct btf_converter *converter, uint32_t id, bool by_value,
			       struct btf_record *record, struct node *node)
{
	struct type *type = &node->type;

	switch (type->kind) {
	case TYPE_BASE:
	case TYPE_ENUM:
		type->size = record->size;
		return NULL;
	case TYPE_STRUCT:
	case TYPE_UNION:
		type->size = record->size;
		return read_members(converter, id, by_value, record, node);
	case TYPE_ARRAY:
		return read_array(converter, id, by_value, record, node);
	case TYPE_FUNCTION:
		return read_function(converter, record, node);
	case TYPE_POINTER:
		type->size = converter->pointer_size;
		return read_part(converter, record->type, false, node, &type->target);
	default:
		return read_part(converter, record->type, by_value, node, &type->target);
	}
}

static struct error *read_kind(struct btf_converter *converter, uint32_t id, bool by_value,
			       struct btf_record *record, struct node *node)
{
	struct type *type = &node->type;

	if (record->kind < array_size(kinds))
		type->kind = kinds[record->kind];
	if (record->kind == BTF_KIND_FWD && record->flag)
		type->kind = TYPE_UNION;
	if (type->kind == TYPE_VOID)
		return error_create(ERROR_INPUT,
				    "BTF: type %u is of kind %u, which nothing can be of", id,
				    record->kind);
	/* Behind a pointer a name is enough, unless there is none. */
	type->incomplete = record->kind == BTF_KIND_FWD || (!by_value && type->name);
	return type->incomplete ? NULL : read_rest(converter, id, by_value, record, node);
}

static struct error *read_new(struct btf_converter *converter, uint32_t id, bool by_value,
			      struct btf_record *record, struct node **ret)
{
	struct node *node = arena_alloc(converter->arena, 1, sizeof(*node));
	struct error *err;

	if (converter->depth == BTF_MAX_DEPTH)
		return error_create(ERROR_INPUT, "BTF: types nest too deep at type %u", id);
	node->nr_unfolded = 1;
	node->type.size = TYPE_SIZE_UNKNOWN;
	err = read_name(converter, id, record->name, &node->type.name);
	converter->depth++;
	if (!err)
		err = read_kind(converter, id, by_value, record, node);
	converter->depth--;
	if (err)
		return err;
	*ret = node;
	return NULL;
}

/* Void yields NULL. What is not reached by value is only named. */
static struct error *read_type(struct btf_converter *converter, uint32_t id, bool by_value,
			       struct node **ret)
{
	struct btf_record record;
	struct map_slot *slot;
	struct node *node;
	struct error *err;
	bool is_new;

	id = btf_skip(converter->btf, id, BTF_TAGS);
	if (!btf_read_record(converter->btf, id, &record))
		return error_create(ERROR_INPUT, "BTF: type %u is used, but ids end at %u%s", id,
				    converter->btf->end_id - 1,
				    converter->btf->first_id > 1 ? " (is the base the right one?)" :
								   "");
	if (!id) {
		*ret = NULL;
		return NULL;
	}
	slot = map_add(&converter->nodes, 2 * (uint64_t)id + !by_value, &is_new);
	if (!is_new && !slot->pointer)
		return error_create(ERROR_INPUT, "BTF: type %u contains itself", id);
	if (!is_new) {
		*ret = slot->pointer;
		return NULL;
	}
	err = read_new(converter, id, by_value, &record, &node);
	if (err)
		return err;
	map_find(&converter->nodes, 2 * (uint64_t)id + !by_value)->pointer = node;
	*ret = node;
	return NULL;
}

struct error *btf_convert(struct btf_converter *converter, uint32_t id, const struct type **ret,
			  uint64_t *ret_nr_unfolded)
{
	struct node *node;
	struct error *err = read_type(converter, id, true, &node);

	if (err)
		return err;
	*ret = &node->type;
	*ret_nr_unfolded = node->nr_unfolded;
	return NULL;
}

void btf_converter_deinit(struct btf_converter *converter)
{
	map_deinit(&converter->nodes);
}
