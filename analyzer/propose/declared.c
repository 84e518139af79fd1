/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/declared.h"

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
	return (value + multiple - 1) / multiple * multiple;
}

static uint32_t largest(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

bool declaration_is_unnamed(const struct declaration *member)
{
	return member->is_bits && !member->field.name;
}

uint64_t declaration_width_bits(const struct declaration *member)
{
	return member->is_bits ? member->field.size_bits : field_width_bits(&member->field);
}

const struct type *declared_behind(const struct type *type)
{
	while (type && !type->align &&
	       (type->kind == TYPE_TYPEDEF || type->kind == TYPE_CONST ||
		type->kind == TYPE_VOLATILE || (type->kind == TYPE_ARRAY && !type->vector)))
		type = type->target;
	return type;
}

uint32_t declared_stated_by(const struct type *type)
{
	const struct type *behind = declared_behind(type);

	return behind ? behind->align : 0;
}

const struct type *declared_held(const struct type *type)
{
	type = type_strip(type);
	while (type && type->kind == TYPE_ARRAY)
		type = type_strip(type->target);
	return type_is_aggregate(type) ? type : NULL;
}

static uint32_t capped(const struct declared *declared, uint32_t align)
{
	return declared->pack && declared->pack < align ? declared->pack : align;
}

/* packed forgets the type's alignment but not one that the member states. */
static uint32_t plain_align(const struct declared *declared, const struct declaration *member)
{
	uint32_t own = member->packed ? 1 : member->natural;

	return capped(declared, largest(own, member->stated));
}

/*
 * A bit-field lies in the next free bits, unless it would then span more units of its type's
 * alignment than its type has. packed and #pragma pack, even one that is wide enough, drop that.
 */
static uint64_t bits_offset(const struct declared *declared, const struct declaration *member,
			    uint64_t reached)
{
	uint64_t unit = 8 * (uint64_t)member->natural;
	uint64_t width = member->field.size_bits;

	if (!width)
		return round_up(reached, unit);
	if (member->stated)
		reached = round_up(reached, 8 * (uint64_t)capped(declared, member->stated));
	if (member->packed || declared->pack)
		return reached;
	return reached % unit + width > 8 * type_size(member->field.type) ?
		       round_up(reached, unit) :
		       reached;
}

uint64_t declared_member_offset(const struct declared *declared, const struct declaration *member,
				uint64_t reached_bits)
{
	if (declared->is_union)
		return 0;
	if (member->is_bits)
		return bits_offset(declared, member, reached_bits);
	return round_up(reached_bits, 8 * (uint64_t)plain_align(declared, member));
}

/* What the member makes of the alignment of the whole, in bytes. */
static uint32_t declared_member_align(const struct declared *declared,
				      const struct declaration *member)
{
	if (!declaration_is_unnamed(member))
		return plain_align(declared, member);
	if (!declared->unnamed_aligns)
		return 1;
	/* packed and #pragma pack do not reach those of width 0. */
	return member->field.size_bits ? plain_align(declared, member) : member->natural;
}

void declared_place(struct declared *declared)
{
	uint64_t reached = 0, largest_end = 0;

	declared->align = largest(declared->stated, 1);
	for (size_t i = 0; i < declared->members.nr; i++) {
		struct declaration *member = &declared->members.items[i];
		uint64_t offset = declared_member_offset(declared, member, reached);

		member->field.offset_bits = offset;
		reached = offset + declaration_width_bits(member);
		largest_end = reached > largest_end ? reached : largest_end;
		declared->align = largest(declared->align, declared_member_align(declared, member));
	}
	declared->size = round_up(round_up(largest_end, 8) / 8, declared->align);
}

struct declared declared_keep(struct declared *declared, struct arena *arena)
{
	struct declared kept = *declared;
	struct declaration_vec *members = &declared->members;

	kept.members.items =
		arena_copy(arena, members->items, members->nr * sizeof(*members->items));
	kept.members.capacity = members->nr;
	vec_deinit(members);
	return kept;
}

struct declared declared_copy(const struct declared *declared)
{
	struct declared copy = *declared;

	copy.members = (struct declaration_vec){};
	for (size_t i = 0; i < declared->members.nr; i++)
		*vec_add(&copy.members) = declared->members.items[i];
	return copy;
}
