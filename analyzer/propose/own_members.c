/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/proposer.h"

/* The name of the first field inside that has one, and how deep it lies. */
static void find_name(const struct placed_vec *placed, size_t at, struct own_member *ret)
{
	ret->name = placed->items[at].field->name;
	for (size_t i = at + 1;
	     !ret->name && i < placed->nr && placed->items[i].depth > placed->items[at].depth;
	     i++) {
		ret->name = placed->items[i].field->name;
		ret->outward = placed->items[i].depth - placed->items[at].depth;
	}
	if (!ret->name)
		ret->outward = 0;
}

static bool is_in_union(const struct type *type, const struct placed_vec *placed, int32_t parent)
{
	if (parent >= 0)
		type = type_unqualified(placed->items[parent].field->type);
	return type->kind == TYPE_UNION;
}

void own_members_list(const struct type *type, struct own_member_vec *ret)
{
	auto_vec struct placed_vec placed = {};

	layout_flatten(type, 0, &placed);
	for (size_t i = 0; i < placed.nr; i++) {
		struct own_member member = {
			.field = placed.items[i].field,
			.previous = -1,
			.in_union = is_in_union(type, &placed, placed.items[i].parent),
			.offset_bits = placed.items[i].offset_bits,
			.width_bits = placed.items[i].width_bits,
		};

		find_name(&placed, i, &member);
		for (size_t j = i; j-- > 0 && member.previous < 0;) {
			if (placed.items[j].parent == placed.items[i].parent)
				member.previous = (int32_t)j;
		}
		*vec_add(ret) = member;
	}
}
