/* SPDX-License-Identifier: GPL-2.0-only */
/* The exact list of changes between two structs' own members. */
#include <inttypes.h>
#include <string.h>

#include "analyze/compare_pair.h"

/* A change with what it is sorted by. */
struct sorted_change {
	struct change change;
	uint64_t offset_bits;
	size_t added; /* when */
};

DEFINE_VEC(sorted_change_vec, struct sorted_change);

static const struct member *old_member(const struct pair *pair, size_t at)
{
	return &pair->matching.old_members.items[at];
}

static const struct member *new_member(const struct pair *pair, size_t at)
{
	return &pair->matching.new_members.items[at];
}

const char *pair_path(struct pair *pair, const struct member_vec *members, size_t at)
{
	auto_text struct text text = {};

	member_print_path(&text, members, at);
	return arena_strdup(pair->arena, text_chars(&text));
}

const char *pair_label(struct pair *pair, const struct member_vec *members, size_t at)
{
	auto_text struct text text = {};

	member_print_label(&text, members, at);
	return arena_strdup(pair->arena, text_chars(&text));
}

static const struct compared_member *describe(struct pair *pair, bool old_side, size_t at)
{
	const struct member_vec *members =
		old_side ? &pair->matching.old_members : &pair->matching.new_members;
	const struct member *member = &members->items[at];
	struct compared_member *described = arena_alloc(pair->arena, 1, sizeof(*described));
	auto_text struct text type = {};

	type_print(&type, member->field->type, NULL);
	*described = (struct compared_member){
		.path = pair_path(pair, members, at),
		.label = pair_label(pair, members, at),
		.type = arena_strdup(pair->arena, text_chars(&type)),
		.anonymous =
			member->anonymous ? type_keyword(member_aggregate(member)->kind) : NULL,
		.offset_bits = member->offset_bits,
		.width_bits = member->width_bits,
		.is_sized = field_is_sized(member->field),
		.bit_size = member->field->size_bits,
		.align = field_align(member->field, old_side ? pair->old_arch : pair->new_arch),
		.line = member->field->line,
	};
	return described;
}

/* Label of the named member that is declared before it; NULL = it is the first. */
static const char *label_before(struct pair *pair, size_t new)
{
	const struct member_vec *members = &pair->matching.new_members;
	int32_t parent = new_member(pair, new)->parent;

	for (int32_t at = (int32_t) new - 1; at > parent; at--) {
		if (new_member(pair, (size_t)at)->parent == parent)
			return pair_label(pair, members, (size_t)at);
	}
	return NULL;
}

static void add_change(struct sorted_change_vec *changes, struct change change)
{
	const struct compared_member *member = change.after ? change.after : change.before;

	*vec_add(changes) = (struct sorted_change){ change, member->offset_bits, changes->nr };
}

static void add_matched(struct pair *pair, struct sorted_change_vec *changes, size_t old,
			size_t new)
{
	struct change change = {
		.kinds = pair->kinds[old],
		.moved_bits = pair_moved_bits(pair, old),
		.ripple = pair->ripples[old],
		.renamed_for = pair->matching.renamed_for[old],
	};
	unsigned int edited;

	if (!change.kinds)
		return;
	edited = pair_edited_kinds(pair, old);
	change.follows = !edited;
	change.carried = !edited && change.ripple < 0 && !(change.kinds & CHANGE_INSIDE);
	change.before = describe(pair, true, old);
	change.after = describe(pair, false, new);
	if (edited & CHANGE_MOVED)
		change.behind = label_before(pair, new);
	add_change(changes, change);
}

/* One that came or went; what lies in a named one goes along. */
static void add_unmatched(struct pair *pair, struct sorted_change_vec *changes, bool old_side,
			  size_t at)
{
	const struct matching *matching = &pair->matching;
	const struct member_vec *members =
		old_side ? &matching->old_members : &matching->new_members;
	const int32_t *partners = old_side ? matching->to_new : matching->to_old;
	const struct member_vec *others =
		old_side ? &matching->new_members : &matching->old_members;
	int32_t holder = members->items[at].parent;
	struct change change = {
		.kinds = old_side ? CHANGE_REMOVED : CHANGE_ADDED,
		.before = old_side ? describe(pair, true, at) : NULL,
		.after = old_side ? NULL : describe(pair, false, at),
		.ripple = -1,
	};

	while (holder >= 0 && members->items[holder].anonymous)
		holder = members->items[holder].parent;
	change.carried =
		holder >= 0 && (partners[holder] < 0 || !others->items[partners[holder]].in_place);
	change.follows = change.carried;
	add_change(changes, change);
}

static int compare_changes(const void *a, const void *b)
{
	const struct sorted_change *left = a, *right = b;

	if (left->offset_bits != right->offset_bits)
		return left->offset_bits < right->offset_bits ? -1 : 1;
	return left->added < right->added ? -1 : left->added > right->added;
}

static void list_changes(struct pair *pair)
{
	const struct matching *matching = &pair->matching;
	auto_vec struct sorted_change_vec changes = {};

	for (size_t i = 0; i < matching->old_members.nr; i++) {
		if (!old_member(pair, i)->own)
			continue;
		if (pair_has_partner(pair, i))
			add_matched(pair, &changes, i, matching->to_new[i]);
		else
			add_unmatched(pair, &changes, true, i);
	}
	for (size_t i = 0; i < matching->new_members.nr; i++) {
		int32_t old = matching->to_old[i];

		if (new_member(pair, i)->own && (old < 0 || !old_member(pair, (size_t)old)->own))
			add_unmatched(pair, &changes, false, i);
	}
	vec_sort(&changes, compare_changes);
	for (size_t i = 0; i < changes.nr; i++)
		*vec_add(&pair->result->changes) = changes.items[i].change;
}

void pair_find_changes(struct pair *pair)
{
	size_t nr = pair->matching.old_members.nr;

	pair->kinds = memory_alloc(nr, sizeof(*pair->kinds));
	pair->ripples = memory_alloc(nr, sizeof(*pair->ripples));
	pair->edited = memory_alloc(nr + 1, sizeof(*pair->edited));
	for (size_t i = 0; i < nr; i++)
		pair->ripples[i] = -1;
	pair_find_kinds(pair);
	pair_find_ripples(pair);
	list_changes(pair);
}

void pair_deinit(struct pair *pair)
{
	free(pair->kinds);
	free(pair->ripples);
	free(pair->edited);
	matching_deinit(&pair->matching);
}
