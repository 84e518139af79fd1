/* SPDX-License-Identifier: GPL-2.0-only */
/* Members, holes and packed structs as pahole counts them. */
#include "report/pahole.h"

#define MAX_DEPTH 64
/* A damaged file may nest a struct twice in each of 64 others. */
#define MAX_VISITS 100000

static uint64_t known_size(const struct type *type)
{
	uint64_t size = type_size(type);

	return size == TYPE_SIZE_UNKNOWN ? 0 : size;
}

static struct pahole_member member_of(const struct field *field)
{
	struct pahole_member member = { .field = field, .size = known_size(field->type) };
	uint64_t unit_bits = 8 * member.size;

	if (field->size_bits && unit_bits) {
		member.offset = field->offset_bits / unit_bits * member.size;
		member.unit_bits = field->offset_bits % unit_bits;
	} else {
		member.offset = field->offset_bits / 8;
	}
	return member;
}

/* Where the run of bit-fields read so far may reach, and how far the bits read reach. */
struct cursor {
	uint64_t seen; /* bits */
	bool in_bit_fields;
	uint64_t unit_bits;
	uint64_t unit_end; /* bits */
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t distance(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* What is unused before member, split into the rest of a bit-field's unit and whole bytes. */
static void gap_before(struct cursor *cursor, const struct pahole_member *member,
		       uint64_t *ret_bytes, uint64_t *ret_bits)
{
	uint64_t start = member->field->offset_bits, unit = 8 * member->offset;

	*ret_bytes = *ret_bits = 0;
	if (cursor->in_bit_fields) {
		uint64_t end = least(start, cursor->unit_end);

		*ret_bits = distance(cursor->seen, end);
		cursor->seen = end;
	}
	if (!member->field->size_bits) {
		*ret_bytes = distance(cursor->seen / 8, start / 8);
		return;
	}
	if (cursor->seen < unit && unit <= start) {
		*ret_bytes = member->offset - cursor->seen / 8;
		cursor->seen = unit;
	}
	*ret_bits += distance(cursor->seen, start);
}

static void advance(struct cursor *cursor, const struct pahole_member *member)
{
	uint64_t start = member->field->offset_bits, bits = 8 * member->size;
	uint64_t end = start + (member->field->size_bits ? member->field->size_bits : bits);

	cursor->seen = end;
	cursor->in_bit_fields = member->field->size_bits;
	if (!cursor->in_bit_fields) {
		cursor->unit_bits = 0;
		cursor->unit_end = end;
	} else if (end > cursor->unit_end || bits > cursor->unit_bits) {
		cursor->unit_bits = bits;
		cursor->unit_end = 8 * member->offset + bits;
		/* It began in the unit before and ends in the next one. */
		if (end > cursor->unit_end)
			cursor->unit_end += bits;
	}
}

static void finish(struct pahole_body *body, struct cursor *cursor, uint64_t size)
{
	if (cursor->in_bit_fields) {
		uint64_t end = least(8 * size, cursor->unit_end);

		body->bit_padding = distance(cursor->seen, end);
		cursor->seen = end;
	}
	body->padding = distance(cursor->seen / 8, size);
}

void pahole_body_init(struct pahole_body *body, const struct type *type)
{
	struct cursor cursor = { .unit_end = 8 * known_size(type) };

	*body = (struct pahole_body){};
	for (uint32_t i = 0; i < type->nr_fields; i++) {
		struct pahole_member member = member_of(&type->fields[i]);
		uint64_t bytes, bits;

		if (member.field->offset_bits == FIELD_OFFSET_UNKNOWN)
			continue;
		gap_before(&cursor, &member, &bytes, &bits);
		advance(&cursor, &member);
		*(body->members.nr ? &body->members.items[body->members.nr - 1].hole :
				     &body->first_hole) = bytes;
		*(body->members.nr ? &body->members.items[body->members.nr - 1].bit_hole :
				     &body->first_bit_hole) = bits;
		body->nr_holes += bytes != 0;
		body->nr_bit_holes += bits != 0;
		*vec_add(&body->members) = member;
	}
	finish(body, &cursor, known_size(type));
}

void pahole_body_deinit(struct pahole_body *body)
{
	vec_deinit(&body->members);
}

static uint64_t natural_align_at(const struct type *type, int depth, uint32_t *visits)
{
	uint64_t align = 1;

	type = type_strip(type);
	if (!type || depth > MAX_DEPTH || ++*visits > MAX_VISITS)
		return 1;
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_CLASS:
	case TYPE_UNION:
		for (uint32_t i = 0; i < type->nr_fields; i++) {
			uint64_t inner = natural_align_at(type->fields[i].type, depth + 1, visits);

			align = inner > align ? inner : align;
		}
		return align;
	case TYPE_ARRAY:
		return natural_align_at(type->target, depth + 1, visits);
	case TYPE_BASE:
	case TYPE_ENUM:
	case TYPE_POINTER:
		return known_size(type) ? known_size(type) : 1;
	default:
		return 1;
	}
}

/* Alignment a type would have with nothing stated: that of its largest scalar. */
static uint64_t pahole_natural_align(const struct type *type)
{
	uint32_t visits = 0;

	return natural_align_at(type, 0, &visits);
}

bool pahole_is_packed(const struct type *type, const struct pahole_body *body)
{
	uint64_t largest = 1;

	if (body->padding || body->nr_holes)
		return false;
	for (size_t i = 0; i < body->members.nr; i++) {
		uint64_t align = pahole_natural_align(body->members.items[i].field->type);

		if (body->members.items[i].offset % align)
			return true;
		largest = align > largest ? align : largest;
	}
	return (largest != 1 && type->align == 1) || known_size(type) % largest;
}

bool pahole_member_is_packed(const struct type *outer, const struct pahole_body *body,
			     const struct pahole_member *member)
{
	const struct type *inner = member->field->type;
	uint64_t align;

	if (!inner || (inner->kind != TYPE_STRUCT && inner->kind != TYPE_CLASS))
		return false;
	align = pahole_natural_align(inner);
	if (outer->kind == TYPE_UNION)
		return known_size(outer) % align;
	return (body->padding || body->nr_holes) && member->offset % align;
}
