/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/type.h"

#include "base/map.h"

/* Deeper than any real type; keeps a damaged file from driving the recursion. */
#define MAX_DEPTH 64

bool type_is_aggregate(const struct type *type)
{
	return type &&
	       (type->kind == TYPE_STRUCT || type->kind == TYPE_CLASS || type->kind == TYPE_UNION);
}

const char *type_keyword(enum type_kind kind)
{
	switch (kind) {
	case TYPE_STRUCT:
		return "struct";
	case TYPE_CLASS:
		return "class";
	case TYPE_UNION:
		return "union";
	case TYPE_ENUM:
		return "enum";
	default:
		return NULL;
	}
}

static bool is_qualifier(const struct type *type)
{
	return type->kind == TYPE_CONST || type->kind == TYPE_VOLATILE ||
	       type->kind == TYPE_RESTRICT || type->kind == TYPE_ATOMIC;
}

const struct type *type_strip(const struct type *type)
{
	for (int depth = 0; type && depth < MAX_DEPTH; depth++) {
		if (!is_qualifier(type) && type->kind != TYPE_TYPEDEF)
			return type;
		type = type->target;
	}
	return NULL;
}

const struct type *type_unqualified(const struct type *type)
{
	for (int depth = 0; type && is_qualifier(type) && depth < MAX_DEPTH; depth++)
		type = type->target;
	return type;
}

static uint64_t array_bytes(const struct type *array)
{
	uint64_t bytes = type_size(array->target);

	if (bytes == TYPE_SIZE_UNKNOWN)
		return bytes;
	for (uint32_t i = 0; i < array->nr_counts; i++) {
		uint64_t count = array->counts[i];

		if (count == TYPE_COUNT_FLEXIBLE)
			return 0;
		if (__builtin_mul_overflow(bytes, count, &bytes))
			return TYPE_SIZE_UNKNOWN;
	}
	return bytes;
}

uint64_t type_size(const struct type *type)
{
	const struct type *stripped = type_strip(type);

	for (; type != stripped; type = type->target) {
		if (type->kind == TYPE_ATOMIC && type->size && type->size != TYPE_SIZE_UNKNOWN)
			return type->size;
	}
	if (!stripped || stripped->kind == TYPE_VOID || stripped->kind == TYPE_FUNCTION)
		return 0;
	if (stripped->kind == TYPE_ARRAY && stripped->size == TYPE_SIZE_UNKNOWN)
		return array_bytes(stripped);
	return stripped->size;
}

const struct type *type_element(const struct type *type, uint64_t *offset)
{
	type = type_strip(type);
	while (type && type->kind == TYPE_ARRAY) {
		const struct type *element = type_strip(type->target);
		uint64_t size = type_size(element);

		if (!size || size == TYPE_SIZE_UNKNOWN)
			break;
		*offset %= size;
		type = element;
	}
	return type;
}

static uint32_t least(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

/* The largest power of two that divides bytes. */
static uint64_t power_in(uint64_t bytes)
{
	return bytes & -bytes;
}

/* i386: a 12-byte long double is aligned like its largest power of two. */
static uint32_t size_align(uint64_t bytes, uint32_t limit)
{
	if (!bytes || bytes == TYPE_SIZE_UNKNOWN)
		return 1;
	return least(power_in(bytes), limit);
}

/* What the members tell about their struct: none says that it is packed, but it may show. */
struct members_align {
	uint32_t natural; /* as not packed */
	uint32_t stated;  /* what members of a packed struct ask for all the same */
	bool packed;
};

/* Whether a compiler puts the field where it is only if it is packed. */
static bool field_is_packed(const struct field *field, uint32_t align)
{
	uint64_t unit = 8 * (uint64_t)align, in_unit = field->offset_bits % unit;
	uint64_t nr_units = type_size(field->type) / align;

	if (!field->size_bits)
		return in_unit;
	/* A bit-field spreads over no more units of its type's alignment than the type has. */
	return (in_unit + field->size_bits - 1) / unit >= (nr_units ? nr_units : 1);
}

static struct members_align align_members(const struct type *type, const struct arch *arch)
{
	struct members_align ret = { 1, 1, false };

	for (uint32_t i = 0; i < type->nr_fields; i++) {
		const struct field *field = &type->fields[i];
		uint32_t align = field->align ? field->align : type_align(field->type, arch);

		if (field->offset_bits == FIELD_OFFSET_UNKNOWN)
			continue;
		ret.packed |= field_is_packed(field, align);
		ret.natural = align > ret.natural ? align : ret.natural;
		ret.stated = field->align > ret.stated ? field->align : ret.stated;
	}
	/* A size is always a multiple of the alignment. */
	if (type->size != TYPE_SIZE_UNKNOWN)
		ret.packed |= type->size % ret.natural;
	return ret;
}

static uint32_t aggregate_align(const struct type *type, const struct arch *arch)
{
	struct members_align members;

	if (type->hash && type->known_align)
		return type->known_align;
	members = align_members(type, arch);
	return members.packed ? members.stated : members.natural;
}

void type_seal(struct type *type, const struct arch *arch)
{
	type->known_align = arch ? aggregate_align(type, arch) : 0;
	type->hash = type_hash(type);
}

/* C compilers align an atomic of a power of two up to 16 to its size. */
static uint32_t atomic_align(uint64_t size, uint32_t align)
{
	return size <= 16 && power_in(size) == size && size > align ? (uint32_t)size : align;
}

uint32_t type_align(const struct type *type, const struct arch *arch)
{
	for (int depth = 0; type && depth < MAX_DEPTH; depth++, type = type->target) {
		if (type->align)
			return type->align;
		switch (type->kind) {
		case TYPE_VOID:
		case TYPE_FUNCTION:
			return 1;
		case TYPE_STRUCT:
		case TYPE_CLASS:
		case TYPE_UNION:
			return aggregate_align(type, arch);
		case TYPE_ATOMIC:
			return atomic_align(type_size(type), type_align(type->target, arch));
		case TYPE_ARRAY:
			if (type->vector)
				return size_align(type_size(type), arch->vector_align);
			break;
		case TYPE_TYPEDEF:
		case TYPE_CONST:
		case TYPE_VOLATILE:
		case TYPE_RESTRICT:
			break;
		default:
			return size_align(type->complex ? type->size / 2 : type->size,
					  arch->scalar_align);
		}
	}
	return 1;
}

uint32_t field_align(const struct field *field, const struct arch *arch)
{
	uint32_t align = field->align ? field->align : type_align(field->type, arch);

	if (field->offset_bits == FIELD_OFFSET_UNKNOWN)
		return 1;
	/* A bit-field aligns its struct like its type, wherever its bits lie. */
	if (!field->size_bits && field->offset_bits % (8 * (uint64_t)align))
		return 1;
	return align;
}

bool type_is_packed(const struct type *type, const struct arch *arch)
{
	return align_members(type, arch).packed;
}

bool field_is_flexible(const struct field *field)
{
	const struct type *type = type_strip(field->type);

	return type && type->kind == TYPE_ARRAY && type->nr_counts &&
	       type->counts[0] == TYPE_COUNT_FLEXIBLE;
}

bool field_is_transparent(const struct field *field)
{
	const struct type *type = type_unqualified(field->type);

	return !field->name && field->kind != FIELD_VIRTUAL_BASE && type_is_aggregate(type);
}

bool field_is_sized(const struct field *field)
{
	return field->size_bits || type_size(field->type) != TYPE_SIZE_UNKNOWN;
}

uint64_t field_width_bits(const struct field *field)
{
	uint64_t size = field->size_bits ? 0 : type_size(field->type);

	return size == TYPE_SIZE_UNKNOWN || size > UINT64_MAX / 16 ? 0 :
								     size * 8 + field->size_bits;
}

static uint64_t hash_at(const struct type *type, bool by_value, int depth);

static uint64_t hash_fields(uint64_t hash, const struct type *type, bool by_value, int depth)
{
	for (uint32_t i = 0; i < type->nr_fields; i++) {
		const struct field *field = &type->fields[i];

		hash = hash_mix(hash_string(hash, field->name), field->kind);
		hash = hash_mix(hash_mix(hash, field->offset_bits), field->size_bits);
		hash = hash_mix(hash, field->align);
		hash = hash_mix(hash, hash_at(field->type, by_value, depth + 1));
	}
	return hash;
}

static uint64_t hash_at(const struct type *type, bool by_value, int depth)
{
	uint64_t hash;

	if (!type || depth > MAX_DEPTH)
		return 1;
	if (by_value && type->hash)
		return type->hash;
	hash = hash_string(hash_mix(2, type->kind), type->name);
	if (!by_value && type->name)
		return hash;
	if (by_value)
		hash = hash_mix(hash_mix(hash, type->size), type->align);
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_CLASS:
	case TYPE_UNION:
		return hash_fields(hash, type, by_value, depth);
	case TYPE_FUNCTION:
		hash = hash_fields(hash_mix(hash, type->variadic), type, false, depth);
		return hash_mix(hash, hash_at(type->target, false, depth + 1));
	case TYPE_ARRAY:
		for (uint32_t i = 0; i < type->nr_counts; i++)
			hash = hash_mix(hash, type->counts[i]);
		return hash_mix(hash, hash_at(type->target, by_value, depth + 1));
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
		return hash_mix(hash, hash_at(type->target, false, depth + 1));
	default:
		return hash_mix(hash, hash_at(type->target, by_value, depth + 1));
	}
}

uint64_t type_hash(const struct type *type)
{
	return hash_at(type, true, 0);
}
