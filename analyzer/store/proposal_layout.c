/* SPDX-License-Identifier: GPL-2.0-only */
#include "store/proposal_layout.h"

bool proposal_layout_add(struct proposal_layout *layout, const struct layout_member *member)
{
	const struct layout_member *last =
		layout->members.nr ? &layout->members.items[layout->members.nr - 1] : NULL;
	uint32_t deepest = last ? last->depth + !last->type : 0;

	if (member->depth > deepest || member->depth > LAYOUT_MAX_DEPTH)
		return false;
	*vec_add(&layout->members) = *member;
	return true;
}

static const struct type *make_members(const struct proposal_layout *layout, size_t *at,
				       uint32_t depth, uint64_t base_bits, struct type like,
				       struct arena *arena);

static struct field make_field(const struct proposal_layout *layout, size_t *at, uint64_t base_bits,
			       struct arena *arena)
{
	const struct layout_member *member = &layout->members.items[(*at)++];
	struct type like = { .kind = member->is_union ? TYPE_UNION : TYPE_STRUCT,
			     .size = member->width_bits / 8 };
	struct field field = {
		.kind = FIELD_MEMBER,
		.name = member->name,
		.offset_bits = member->offset_bits - base_bits,
		.size_bits = member->is_bits ? (uint32_t)member->width_bits : 0,
		.line = member->line,
	};

	if (!member->type) {
		field.type = make_members(layout, at, member->depth + 1, member->offset_bits, like,
					  arena);
		return field;
	}
	like.kind = TYPE_BASE;
	like.name = member->type;
	field.type = arena_copy(arena, &like, sizeof(like));
	return field;
}

/* Reads on from *at while it lies that deep; offsets count from base_bits. */
static const struct type *make_members(const struct proposal_layout *layout, size_t *at,
				       uint32_t depth, uint64_t base_bits, struct type like,
				       struct arena *arena)
{
	auto_vec struct field_vec fields = {};

	while (*at < layout->members.nr && layout->members.items[*at].depth >= depth)
		*vec_add(&fields) = make_field(layout, at, base_bits, arena);
	like.fields = arena_copy(arena, fields.items, fields.nr * sizeof(*fields.items));
	like.nr_fields = (uint32_t)fields.nr;
	return arena_copy(arena, &like, sizeof(like));
}

const struct type *proposal_layout_make(const struct proposal_layout *layout, struct type like,
					struct arena *arena)
{
	size_t at = 0;

	return make_members(layout, &at, 0, 0, like, arena);
}

void proposal_layout_deinit(struct proposal_layout *layout)
{
	vec_deinit(&layout->members);
}
