/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/proposer.h"

#include <string.h>

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
	auto_free int32_t *last = NULL; /* by index of the parent + 1: its latest member + 1 */

	layout_flatten(type, 0, &placed);
	last = memory_alloc(placed.nr + 1, sizeof(*last));
	for (size_t i = 0; i < placed.nr; i++) {
		int32_t *sibling = &last[placed.items[i].parent + 1];
		struct own_member member = {
			.field = placed.items[i].field,
			.previous = *sibling - 1,
			.in_union = is_in_union(type, &placed, placed.items[i].parent),
			.offset_bits = placed.items[i].offset_bits,
			.width_bits = placed.items[i].width_bits,
		};

		find_name(&placed, i, &member);
		*sibling = (int32_t)i + 1;
		*vec_add(ret) = member;
	}
}

const struct own_member *own_member_find(const struct own_member_vec *members, const char *name)
{
	for (size_t i = 0; i < members->nr; i++) {
		const char *own = members->items[i].field->name;

		if (own && !strcmp(own, name))
			return &members->items[i];
	}
	return NULL;
}
