/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/dwarf_members.h"

#include <dwarf.h>

/* No object is larger than 2^48 bytes: an offset beyond that is damage, and would overflow. */
#define MAX_OFFSET (1ull << 48)
#define MAX_DEPTH 64

/* The constant that a location of DWARF 2 is ("DW_OP_plus_uconst N"); others need the object. */
static bool constant_location(Dwarf_Attribute *attr, uint64_t *ret)
{
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_getlocation(attr, &ops, &nr) || nr != 1)
		return false;
	if (ops[0].atom == DW_OP_plus_uconst || ops[0].atom == DW_OP_constu) {
		*ret = ops[0].number;
		return true;
	}
	if (ops[0].atom >= DW_OP_lit0 && ops[0].atom <= DW_OP_lit31) {
		*ret = ops[0].atom - DW_OP_lit0;
		return true;
	}
	return false;
}

/* Byte offset in the struct; a union's members state none. */
static bool byte_offset(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	*ret = 0;
	if (!dwarf_attr(die, DW_AT_data_member_location, &attr))
		return true;
	if (dwarf_formudata(&attr, &value))
		return constant_location(&attr, ret);
	*ret = value;
	return true;
}

/*
 * DWARF 2 and 3, and gcc's -gdwarf-4: bits from the most significant end of a storage unit of
 * DW_AT_byte_size (else of the type's size) bytes. Both may be negative: clang's are, for an
 * _Atomic struct at 0 that it has widened; so the sum counts, modulo 2^64.
 */
static uint64_t old_bit_offset(const struct dwarf_reader *reader, Dwarf_Die *die,
			       const struct field *field, uint64_t bytes)
{
	uint64_t storage = type_size(field->type);
	Dwarf_Attribute attr;
	Dwarf_Sword from_top;

	if (!dwarf_attr(die, DW_AT_bit_offset, &attr) || dwarf_formsdata(&attr, &from_top))
		return bytes * 8;
	dwarf_reader_number(die, DW_AT_byte_size, &storage);
	if (storage > 64)
		return FIELD_OFFSET_UNKNOWN;
	if (reader->big_endian)
		return bytes * 8 + (uint64_t)from_top;
	return bytes * 8 + storage * 8 - (uint64_t)from_top - field->size_bits;
}

static void read_place(const struct dwarf_reader *reader, Dwarf_Die *die, struct field *field)
{
	uint64_t value, bytes;

	if (dwarf_reader_number(die, DW_AT_bit_size, &value) && value <= UINT32_MAX)
		field->size_bits = (uint32_t)value;
	if (dwarf_reader_number(die, DW_AT_data_bit_offset, &value))
		field->offset_bits = value;
	else if (!byte_offset(die, &bytes))
		field->offset_bits = FIELD_OFFSET_UNKNOWN;
	else if (field->size_bits)
		field->offset_bits = old_bit_offset(reader, die, field, bytes);
	else
		field->offset_bits = bytes < MAX_OFFSET ? bytes * 8 : FIELD_OFFSET_UNKNOWN;
	if (field->offset_bits >= MAX_OFFSET * 8)
		field->offset_bits = FIELD_OFFSET_UNKNOWN;
}

/*
 * clang tells of an _Atomic struct that it has widened to a power of two as of a bit-field that
 * wide; with DWARF 4 it does not even say _Atomic.
 */
static void read_widened_atomic(struct dwarf_reader *reader, struct field *field)
{
	const struct type *inner = type_unqualified(field->type);
	struct type *atomic;

	if (!field->size_bits || !type_is_aggregate(type_strip(inner)))
		return;
	atomic = arena_alloc(reader->arena, 1, sizeof(*atomic));
	atomic->kind = TYPE_ATOMIC;
	atomic->size = field->size_bits / 8;
	atomic->target = inner;
	field->type = atomic;
	field->size_bits = 0;
}

static struct field read_field(struct dwarf_reader *reader, Dwarf_Die *die, enum field_kind kind,
			       int depth)
{
	struct field field = { .kind = kind };
	int line;

	field.name = dwarf_reader_name(reader, die);
	field.type = dwarf_reader_target(reader, die, true, depth);
	field.align = dwarf_reader_alignment(die);
	if (!dwarf_decl_line(die, &line))
		field.line = (uint32_t)line;
	if (kind == FIELD_VIRTUAL_BASE)
		field.offset_bits = FIELD_OFFSET_UNKNOWN;
	else
		read_place(reader, die, &field);
	read_widened_atomic(reader, &field);
	return field;
}

/* A static member of C++ is a variable elsewhere. */
static bool is_static(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_external) || dwarf_hasattr(die, DW_AT_declaration) ||
	       dwarf_hasattr(die, DW_AT_const_value);
}

static void add_variants(struct dwarf_reader *reader, Dwarf_Die *part, const struct type *outer,
			 struct field_vec *fields, int depth);

static void add_member(struct dwarf_reader *reader, Dwarf_Die *die, const struct type *outer,
		       struct field_vec *fields, int depth)
{
	uint64_t virtuality;

	switch (dwarf_tag(die)) {
	case DW_TAG_member:
		if (!is_static(die))
			*vec_add(fields) = read_field(reader, die, FIELD_MEMBER, depth);
		break;
	case DW_TAG_inheritance:
		if (dwarf_reader_number(die, DW_AT_virtuality, &virtuality) && virtuality)
			*vec_add(fields) = read_field(reader, die, FIELD_VIRTUAL_BASE, depth);
		else
			*vec_add(fields) = read_field(reader, die, FIELD_BASE, depth);
		break;
	case DW_TAG_variant_part:
		add_variants(reader, die, outer, fields, depth);
		break;
	}
}

static void add_members(struct dwarf_reader *reader, Dwarf_Die *die, const struct type *outer,
			struct field_vec *fields, int depth)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return;
	do {
		add_member(reader, &child, outer, fields, depth);
	} while (!dwarf_siblingof(&child, &child));
}

/*
 * A Rust enum: the discriminant is a field of the enum, and the variants are the alternatives of
 * a union as large as the enum.
 */
static void add_variants(struct dwarf_reader *reader, Dwarf_Die *part, const struct type *outer,
			 struct field_vec *fields, int depth)
{
	auto_vec struct field_vec variants = {};
	struct type *alternatives;
	Dwarf_Die child;

	if (depth >= MAX_DEPTH || dwarf_child(part, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_variant)
			add_members(reader, &child, outer, &variants, depth + 1);
		else
			add_member(reader, &child, outer, fields, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
	alternatives = arena_alloc(reader->arena, 1, sizeof(*alternatives));
	alternatives->kind = TYPE_UNION;
	alternatives->size = outer->size;
	alternatives->nr_fields = (uint32_t)variants.nr;
	alternatives->fields =
		arena_copy(reader->arena, variants.items, variants.nr * sizeof(struct field));
	*vec_add(fields) = (struct field){ .kind = FIELD_VARIANTS, .type = alternatives };
}

void dwarf_members_read(struct dwarf_reader *reader, Dwarf_Die *die, struct type *type, int depth)
{
	auto_vec struct field_vec fields = {};

	add_members(reader, die, type, &fields, depth);
	type->nr_fields = (uint32_t)fields.nr;
	type->fields = arena_copy(reader->arena, fields.items, fields.nr * sizeof(struct field));
}
