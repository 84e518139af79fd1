/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/dwarf_reader.h"

#include <dwarf.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/dwarf_members.h"

#define MAX_DEPTH 64

void dwarf_reader_init(struct dwarf_reader *reader, struct arena *arena,
		       const struct source *source)
{
	*reader = (struct dwarf_reader){
		.arena = arena,
		.arch = source->arch,
		.big_endian = source->big_endian,
	};
}

void dwarf_reader_deinit(struct dwarf_reader *reader)
{
	map_deinit(&reader->types);
	map_deinit(&reader->shared);
	map_deinit(&reader->strings);
}

bool dwarf_is_aggregate(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static enum type_kind kind_of(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return TYPE_STRUCT;
	case DW_TAG_class_type:
		return TYPE_CLASS;
	case DW_TAG_union_type:
		return TYPE_UNION;
	case DW_TAG_enumeration_type:
		return TYPE_ENUM;
	case DW_TAG_array_type:
		return TYPE_ARRAY;
	case DW_TAG_subroutine_type:
		return TYPE_FUNCTION;
	case DW_TAG_pointer_type:
		return TYPE_POINTER;
	case DW_TAG_reference_type:
		return TYPE_REFERENCE;
	case DW_TAG_rvalue_reference_type:
		return TYPE_RVALUE_REFERENCE;
	case DW_TAG_ptr_to_member_type:
		return TYPE_MEMBER_POINTER;
	case DW_TAG_typedef:
		return TYPE_TYPEDEF;
	case DW_TAG_const_type:
		return TYPE_CONST;
	case DW_TAG_volatile_type:
		return TYPE_VOLATILE;
	case DW_TAG_restrict_type:
		return TYPE_RESTRICT;
	case DW_TAG_atomic_type:
		return TYPE_ATOMIC;
	default:
		return TYPE_BASE;
	}
}

static bool follow(Dwarf_Die *die, unsigned int attribute, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, attribute, &attr) && dwarf_formref_die(&attr, ret);
}

/* A name in the string sections lives as long as the file; the model must outlive that. */
static const char *copy_string(struct dwarf_reader *reader, const char *text)
{
	struct map_slot *slot;
	bool is_new;

	if (!text)
		return NULL;
	slot = map_add(&reader->strings, (uint64_t)(uintptr_t)text, &is_new);
	if (is_new)
		slot->pointer = arena_strdup(reader->arena, text);
	return slot->pointer;
}

const char *dwarf_reader_name(struct dwarf_reader *reader, Dwarf_Die *die)
{
	return copy_string(reader, dwarf_diename(die));
}

bool dwarf_reader_number(Dwarf_Die *die, unsigned int attribute, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr(die, attribute, &attr) || dwarf_formudata(&attr, &value))
		return false;
	*ret = value;
	return true;
}

uint32_t dwarf_reader_alignment(Dwarf_Die *die)
{
	uint64_t value;

	if (!dwarf_reader_number(die, DW_AT_alignment, &value) || value > UINT32_MAX ||
	    value & (value - 1))
		return 0;
	return (uint32_t)value;
}

static uint64_t pointer_size(Dwarf_Die *die)
{
	Dwarf_Die unit;
	uint8_t address_size = 0;

	return dwarf_diecu(die, &unit, &address_size, NULL) ? address_size : TYPE_SIZE_UNKNOWN;
}

/*
 * Elements of one dimension. No bound is a flexible array. T x[0] has a count of 0, or, from
 * older compilers, an upper bound of -1 in as many bytes as its form has.
 */
static uint64_t dimension_count(Dwarf_Die *subrange)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;
	Dwarf_Sword number;

	if (dwarf_attr(subrange, DW_AT_count, &attr))
		return dwarf_formudata(&attr, &value) ? TYPE_COUNT_FLEXIBLE : value;
	if (!dwarf_attr(subrange, DW_AT_upper_bound, &attr))
		return TYPE_COUNT_FLEXIBLE;
	switch (dwarf_whatform(&attr)) {
	case DW_FORM_exprloc:
	case DW_FORM_block1:
	case DW_FORM_ref4:
		return TYPE_COUNT_FLEXIBLE; /* a bound known at run time only */
	case DW_FORM_data1:
	case DW_FORM_data2:
		return dwarf_formudata(&attr, &value) ? TYPE_COUNT_FLEXIBLE : value + 1;
	case DW_FORM_data4:
		if (dwarf_formudata(&attr, &value))
			return TYPE_COUNT_FLEXIBLE;
		return value == UINT32_MAX ? 0 : value + 1;
	default:
		if (dwarf_formsdata(&attr, &number))
			return TYPE_COUNT_FLEXIBLE;
		return (uint64_t)number + 1;
	}
}

static void read_counts(struct dwarf_reader *reader, Dwarf_Die *die, struct type *type)
{
	uint64_t counts[16];
	uint32_t nr = 0;
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_subrange_type && nr < array_size(counts))
			counts[nr++] = dimension_count(&child);
	} while (!dwarf_siblingof(&child, &child));
	type->counts = arena_copy(reader->arena, counts, nr * sizeof(counts[0]));
	type->nr_counts = nr;
}

static const struct type *read_type(struct dwarf_reader *reader, Dwarf_Die *die, bool by_value,
				    int depth);

const struct type *dwarf_reader_target(struct dwarf_reader *reader, Dwarf_Die *die, bool by_value,
				       int depth)
{
	Dwarf_Die target;

	return follow(die, DW_AT_type, &target) ? read_type(reader, &target, by_value, depth + 1) :
						  NULL;
}

static void read_parameters(struct dwarf_reader *reader, Dwarf_Die *die, struct type *type,
			    int depth)
{
	auto_vec struct field_vec fields = {};
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
			type->variadic = true;
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		*vec_add(&fields) = (struct field){
			.type = dwarf_reader_target(reader, &child, false, depth),
		};
	} while (!dwarf_siblingof(&child, &child));
	type->nr_fields = (uint32_t)fields.nr;
	type->fields = arena_copy(reader->arena, fields.items, fields.nr * sizeof(struct field));
}

DEFINE_VEC(enumerator_vec, struct enumerator);

static void read_enumerators(struct dwarf_reader *reader, Dwarf_Die *die, struct type *type)
{
	auto_vec struct enumerator_vec found = {};
	Dwarf_Attribute attribute;
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return;
	do {
		Dwarf_Word value = 0;
		Dwarf_Sword negative = 0;

		if (dwarf_tag(&child) != DW_TAG_enumerator ||
		    !dwarf_attr(&child, DW_AT_const_value, &attribute))
			continue;
		if (dwarf_formudata(&attribute, &value) && !dwarf_formsdata(&attribute, &negative))
			value = (Dwarf_Word)negative;
		*vec_add(&found) =
			(struct enumerator){ dwarf_reader_name(reader, &child), (int64_t)value };
	} while (!dwarf_siblingof(&child, &child));
	type->nr_enumerators = (uint32_t)found.nr;
	type->enumerators = arena_copy(reader->arena, found.items, found.nr * sizeof(*found.items));
}

/* libdw's dwarf_decl_file() asserts that it can read the line table; this can't be hoped for. */
static const char *decl_file(struct dwarf_reader *reader, Dwarf_Die *die)
{
	uint64_t index, table;
	Dwarf_Die unit;
	Dwarf_Attribute comp_dir;

	if (!dwarf_reader_number(die, DW_AT_decl_file, &index) ||
	    !dwarf_diecu(die, &unit, NULL, NULL))
		return NULL;
	/* A unit in a .dwo file uses the table of its skeleton. */
	if (!dwarf_reader_number(&unit, DW_AT_stmt_list, &table)) {
		if (!reader->skeleton ||
		    !dwarf_reader_number(reader->skeleton, DW_AT_stmt_list, &table))
			return NULL;
		unit = *reader->skeleton;
	}
	return dwarf_file_name(
		reader->files, table, index,
		dwarf_attr(&unit, DW_AT_comp_dir, &comp_dir) ? dwarf_formstring(&comp_dir) : NULL);
}

static void read_place(struct dwarf_reader *reader, Dwarf_Die *die, struct type *type)
{
	int line;

	type->file = decl_file(reader, die);
	if (!dwarf_decl_line(die, &line))
		type->line = (uint32_t)line;
}

/* A declaration may name the type unit that completes it, a specification its declaration. */
static void complete(Dwarf_Die *die)
{
	Dwarf_Die other;

	if (follow(die, DW_AT_signature, &other))
		*die = other;
}

static void read_aggregate(struct dwarf_reader *reader, Dwarf_Die *die, struct type *type,
			   int depth)
{
	read_place(reader, die, type);
	dwarf_members_read(reader, die, type, depth);
	type_seal(type, reader->arch);
}

static void read_sizes(Dwarf_Die *die, struct type *type)
{
	uint64_t value;

	type->size = TYPE_SIZE_UNKNOWN;
	if (dwarf_reader_number(die, DW_AT_byte_size, &value))
		type->size = value;
	else if (dwarf_reader_number(die, DW_AT_bit_size, &value))
		type->size = (value + 7) / 8;
	type->align = dwarf_reader_alignment(die);
}

/* Fills type from die; what it refers to is read in turn. */
static void read_into(struct dwarf_reader *reader, Dwarf_Die *die, struct type *type, bool by_value,
		      int depth)
{
	uint64_t encoding;

	/* Not integrated: what a definition specifies is a declaration. */
	if (dwarf_hasattr(die, DW_AT_declaration))
		return;
	read_sizes(die, type);
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_CLASS:
	case TYPE_UNION:
		read_aggregate(reader, die, type, depth);
		break;
	case TYPE_ARRAY:
		type->vector = dwarf_hasattr(die, DW_AT_GNU_vector);
		type->target = dwarf_reader_target(reader, die, by_value, depth);
		read_counts(reader, die, type);
		break;
	case TYPE_FUNCTION:
		type->target = dwarf_reader_target(reader, die, false, depth);
		read_parameters(reader, die, type, depth);
		break;
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
		if (type->size == TYPE_SIZE_UNKNOWN)
			type->size = pointer_size(die);
		type->target = dwarf_reader_target(reader, die, false, depth);
		break;
	case TYPE_MEMBER_POINTER:
		type->target = dwarf_reader_target(reader, die, false, depth);
		if (type->size == TYPE_SIZE_UNKNOWN) /* Itanium C++ ABI 2.3: functions take two */
			type->size = pointer_size(die) *
				     (type->target && type->target->kind == TYPE_FUNCTION ? 2 : 1);
		break;
	case TYPE_BASE:
		/* GNU C's complex integers have no encoding: gcc and clang write lo_user. */
		type->complex = dwarf_reader_number(die, DW_AT_encoding, &encoding) &&
				(encoding == DW_ATE_complex_float || encoding == DW_ATE_lo_user);
		break;
	case TYPE_ENUM:
		read_place(reader, die, type);
		if (!type->name)
			read_enumerators(reader, die, type);
		type->target = dwarf_reader_target(reader, die, by_value, depth);
		break;
	default:
		type->target = dwarf_reader_target(reader, die, by_value, depth);
	}
	type->incomplete = false;
}

static uint64_t name_key(enum type_kind kind, const char *name)
{
	return hash_string(kind, name);
}

void dwarf_reader_share(struct dwarf_reader *reader, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	if (name)
		map_add(&reader->shared, name_key(kind_of(dwarf_tag(die)), name), NULL)->pointer =
			die->addr;
}

/* The one DIE that stands for all structs of this name, or die itself. */
static void *representative(const struct dwarf_reader *reader, Dwarf_Die *die)
{
	const char *name;
	const struct map_slot *slot;

	if (!reader->shared.nr || !dwarf_is_aggregate(dwarf_tag(die)))
		return die->addr;
	name = dwarf_diename(die);
	slot = name ? map_find(&reader->shared, name_key(kind_of(dwarf_tag(die)), name)) : NULL;
	return slot && !dwarf_hasattr(die, DW_AT_declaration) ? slot->pointer : die->addr;
}

/* A type that can't or need not be read any further. */
static struct type *name_only(struct dwarf_reader *reader, Dwarf_Die *die)
{
	struct type *type = arena_alloc(reader->arena, 1, sizeof(*type));

	type->kind = kind_of(dwarf_tag(die));
	type->name = dwarf_reader_name(reader, die);
	type->size = TYPE_SIZE_UNKNOWN;
	type->incomplete = true;
	return type;
}

static const struct type *read_type(struct dwarf_reader *reader, Dwarf_Die *die, bool by_value,
				    int depth)
{
	struct map_slot *slot;
	struct type *type;
	uint64_t key;
	bool is_new;

	complete(die);
	key = (uint64_t)(uintptr_t)(by_value ? representative(reader, die) : die->addr) * 2 +
	      by_value;
	slot = map_add(&reader->types, key, &is_new);
	if (!is_new) {
		type = slot->pointer;
		/* Still being read: a type that holds itself, which only a damaged file has. */
		return by_value && type->incomplete ? name_only(reader, die) : type;
	}
	type = name_only(reader, die);
	slot->pointer = type;
	if (depth >= MAX_DEPTH)
		return type;
	/* Behind a pointer a name is enough, unless there is none. */
	if (!by_value && type->name)
		return type;
	read_into(reader, die, type, by_value, depth);
	return type;
}

const struct type *dwarf_reader_type(struct dwarf_reader *reader, Dwarf_Die *die)
{
	return read_type(reader, die, true, 0);
}
