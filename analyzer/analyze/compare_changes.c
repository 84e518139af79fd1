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
		.bit_size = member->field->size_bits,
		.align = field_align(member->field, old_side ? pair->old_arch : pair->new_arch),
		.line = member->field->line,
	};
	return described;
}

/* Defined in place: its members are own members of the struct. */
static bool is_in_place(const struct member_vec *members, size_t at)
{
	return members->items[at].nr_inside && members->items[at + 1].own;
}

static bool same_abi(const struct pair *pair)
{
	return pair->old_arch->scalar_align == pair->new_arch->scalar_align &&
	       pair->old_arch->vector_align == pair->new_arch->vector_align;
}

static unsigned int kinds_of(struct pair *pair, size_t old, size_t new);

/* Whether anything in the struct embedded at old differs from that at new, however deep. */
static bool inside_differs(struct pair *pair, size_t old, size_t new)
{
	const struct member *before = old_member(pair, old), *after = new_member(pair, new);
	const struct type *old_type = member_aggregate(before), *new_type = member_aggregate(after);

	if (same_abi(pair) && type_hash(old_type) == type_hash(new_type))
		return false;
	if (before->nr_inside != after->nr_inside || type_size(old_type) != type_size(new_type))
		return true;
	for (size_t i = old + 1; i <= old + before->nr_inside; i++) {
		int32_t partner = pair->matching.to_new[i];

		if (partner < 0 ||
		    old_member(pair, i)->offset_bits - before->offset_bits !=
			    new_member(pair, (size_t)partner)->offset_bits - after->offset_bits ||
		    kinds_of(pair, i, (size_t)partner) & ~CHANGE_MOVED)
			return true;
	}
	return false;
}

/* What the field asks for, even where it does not get it. */
static uint32_t asked_align(const struct field *field, const struct arch *arch)
{
	return field->align ? field->align : type_align(field->type, arch);
}

static unsigned int type_kinds(struct pair *pair, const struct field *a, const struct field *b)
{
	bool same_type = same_abi(pair) && type_hash(a->type) == type_hash(b->type);
	unsigned int kinds = 0;

	if (!same_type && !matching_types_alike(&pair->matching, a->type, b->type))
		kinds |= CHANGE_RETYPED;
	if (!pair->matching.loose && !(same_type && a->align == b->align) &&
	    asked_align(a, pair->old_arch) != asked_align(b, pair->new_arch))
		kinds |= CHANGE_REALIGNED;
	return kinds;
}

static unsigned int kinds_of(struct pair *pair, size_t old, size_t new)
{
	const struct member *before = old_member(pair, old), *after = new_member(pair, new);
	const struct field *a = before->field, *b = after->field;
	unsigned int kinds = type_kinds(pair, a, b);

	if (strcmp(member_name(before), member_name(after)))
		kinds |= CHANGE_RENAMED;
	if (before->offset_bits != after->offset_bits)
		kinds |= CHANGE_MOVED;
	if (a->size_bits != b->size_bits)
		kinds |= CHANGE_BITS;
	else if (before->width_bits != after->width_bits)
		kinds |= CHANGE_RESIZED;
	return kinds;
}

static bool same_aggregate(struct pair *pair, size_t old, size_t new)
{
	const char *before = member_aggregate_name(old_member(pair, old), pair->arena);
	const char *after = member_aggregate_name(new_member(pair, new), pair->arena);

	return before && after && !strcmp(before, after);
}

static void find_kinds(struct pair *pair)
{
	const struct matching *matching = &pair->matching;

	for (size_t i = 0; i < matching->old_members.nr; i++) {
		int32_t new = matching->to_new[i];

		if (new < 0 || !old_member(pair, i)->own)
			continue;
		pair->kinds[i] = kinds_of(pair, i, (size_t) new);
		if (same_aggregate(pair, i, (size_t) new) && inside_differs(pair, i, (size_t) new))
			pair->kinds[i] |= CHANGE_INSIDE;
	}
}

/* The struct itself, then those of its members that are defined in place. */
static void find_ripples(struct pair *pair)
{
	const struct matching *matching = &pair->matching;

	for (size_t i = 0; i < matching->old_members.nr; i++)
		pair->ripples[i] = -1;
	pair_find_ripples(pair, -1, -1);
	for (size_t i = 0; i < matching->old_members.nr; i++) {
		int32_t new = matching->to_new[i];

		if (new >= 0 && old_member(pair, i)->own && !old_member(pair, i)->anonymous &&
		    is_in_place(&matching->old_members, i) &&
		    is_in_place(&matching->new_members, (size_t) new))
			pair_find_ripples(pair, (int32_t)i, new);
	}
}

/* The named member it counts as a member of; -1 = the struct itself. */
static int32_t holder(const struct member_vec *members, size_t at)
{
	int32_t parent = members->items[at].parent;

	while (parent >= 0 && members->items[parent].anonymous)
		parent = members->items[parent].parent;
	return parent;
}

static int64_t moved_within_holder(const struct pair *pair, size_t old, size_t new)
{
	int32_t old_holder = holder(&pair->matching.old_members, old);
	int32_t new_holder = holder(&pair->matching.new_members, new);
	uint64_t before = old_member(pair, old)->offset_bits;
	uint64_t after = new_member(pair, new)->offset_bits;

	if (before == FIELD_OFFSET_UNKNOWN || after == FIELD_OFFSET_UNKNOWN)
		return 0;
	if (old_holder >= 0)
		before -= old_member(pair, (size_t)old_holder)->offset_bits;
	if (new_holder >= 0)
		after -= new_member(pair, (size_t)new_holder)->offset_bits;
	return (int64_t)(after - before);
}

/* Whether the field itself asks for more than its type does; compilers state the type's again. */
static bool overaligned(const struct field *field, const struct arch *arch)
{
	return field->align > type_align(field->type, arch);
}

/* Of what is defined in place, the members inside tell what happened. */
static bool is_told_inside(const struct pair *pair, size_t old, size_t new)
{
	return is_in_place(&pair->matching.old_members, old) &&
	       is_in_place(&pair->matching.new_members, new);
}

/* What is left of the kinds when those are gone that something else brought about. */
static unsigned int edited_kinds(const struct pair *pair, const struct change *change, size_t old,
				 size_t new)
{
	const struct field *before = old_member(pair, old)->field;
	const struct field *after = new_member(pair, new)->field;
	unsigned int kinds = change->kinds;
	bool inside = is_told_inside(pair, old, new) ||
		      (kinds & CHANGE_INSIDE && !(kinds & CHANGE_RETYPED));

	if (change->ripple >= 0 || !change->moved_bits ||
	    (old_member(pair, old)->anonymous && inside))
		kinds &= ~CHANGE_MOVED;
	if (!inside)
		return kinds;
	kinds &= ~(CHANGE_INSIDE | CHANGE_RESIZED);
	if (!overaligned(before, pair->old_arch) && !overaligned(after, pair->new_arch))
		kinds &= ~CHANGE_REALIGNED;
	return kinds;
}

/* Label of the member that stands before it in what it lies in; NULL = it is the first. */
static const char *label_before(struct pair *pair, size_t new)
{
	const struct member_vec *members = &pair->matching.new_members;
	int32_t lies_in = holder(members, new);
	auto_vec struct index_vec named = {}, anonymous = {};

	members_collect(members, lies_in, &named, &anonymous);
	for (size_t i = 1; i < named.nr; i++) {
		if (named.items[i] == new)
			return pair_label(pair, members, named.items[i - 1]);
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
		.moved_bits = moved_within_holder(pair, old, new),
		.ripple = pair->ripples[old],
		.renamed_for = pair->matching.renamed_for[old],
	};
	unsigned int edited;

	if (!change.kinds)
		return;
	edited = edited_kinds(pair, &change, old, new);
	change.follows = !edited;
	change.carried = !edited && change.ripple < 0 && !(change.kinds & CHANGE_INSIDE);
	change.before = describe(pair, true, old);
	change.after = describe(pair, false, new);
	if (edited & CHANGE_MOVED)
		change.behind = label_before(pair, new);
	add_change(changes, change);
}

/* One that came or went; what lies in it goes along. */
static void add_unmatched(struct pair *pair, struct sorted_change_vec *changes, bool old_side,
			  size_t at)
{
	const struct matching *matching = &pair->matching;
	const int32_t *partners = old_side ? matching->to_new : matching->to_old;
	const struct member_vec *others =
		old_side ? &matching->new_members : &matching->old_members;
	int32_t lies_in = holder(old_side ? &matching->old_members : &matching->new_members, at);
	struct change change = {
		.kinds = old_side ? CHANGE_REMOVED : CHANGE_ADDED,
		.before = old_side ? describe(pair, true, at) : NULL,
		.after = old_side ? NULL : describe(pair, false, at),
		.ripple = -1,
	};

	change.carried = lies_in >= 0 &&
			 (partners[lies_in] < 0 || !is_in_place(others, (size_t)partners[lies_in]));
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
		int32_t new = matching->to_new[i];

		if (!old_member(pair, i)->own)
			continue;
		if (new >= 0 && new_member(pair, (size_t) new)->own)
			add_matched(pair, &changes, i, (size_t) new);
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
	find_kinds(pair);
	find_ripples(pair);
	list_changes(pair);
}
