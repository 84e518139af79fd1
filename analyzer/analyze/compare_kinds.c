/* SPDX-License-Identifier: GPL-2.0-only */
/* What changed about each member, and what of that is an edit. */
#include <string.h>

#include "analyze/compare_pair.h"

static const struct member *old_member(const struct pair *pair, size_t at)
{
	return &pair->matching.old_members.items[at];
}

static const struct member *new_member(const struct pair *pair, size_t at)
{
	return &pair->matching.new_members.items[at];
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

	/* A typedef may stand for a struct on one side only. */
	if (!old_type || !new_type)
		return old_type || new_type;
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

/* Whether a field lies where its type alone would not have it: in a packed struct. */
static bool lies_packed(const struct member *member, uint32_t align)
{
	return !member->field->size_bits && member->field->offset_bits % (8 * (uint64_t)align);
}

/* Whether a field asks for another alignment than before: what it states, else its type's. */
static bool is_realigned(const struct pair *pair, const struct member *before,
			 const struct member *after)
{
	uint32_t old_stated = before->field->align, new_stated = after->field->align;
	uint32_t old_align = type_align(before->field->type, pair->old_arch);
	uint32_t new_align = type_align(after->field->type, pair->new_arch);
	bool old_packed = lies_packed(before, old_align),
	     new_packed = lies_packed(after, new_align);

	if (old_stated && new_stated)
		return old_stated != new_stated;
	if (old_stated)
		return old_stated != (new_packed ? 1 : new_align);
	if (new_stated)
		return new_stated != (old_packed ? 1 : old_align);
	return old_align != new_align && !old_packed && !new_packed;
}

static unsigned int type_kinds(struct pair *pair, size_t old, size_t new)
{
	const struct field *a = old_member(pair, old)->field, *b = new_member(pair, new)->field;
	bool same_type = same_abi(pair) && type_hash(a->type) == type_hash(b->type);
	unsigned int kinds = 0;

	if (same_type && a->align == b->align)
		return 0;
	if (!same_type && !matching_types_alike(&pair->matching, a->type, b->type))
		kinds |= CHANGE_RETYPED;
	if (!pair->matching.loose &&
	    is_realigned(pair, old_member(pair, old), new_member(pair, new)))
		kinds |= CHANGE_REALIGNED;
	return kinds;
}

static unsigned int kinds_of(struct pair *pair, size_t old, size_t new)
{
	const struct member *before = old_member(pair, old), *after = new_member(pair, new);
	unsigned int kinds = type_kinds(pair, old, new);

	if (strcmp(member_name(before), member_name(after)))
		kinds |= CHANGE_RENAMED;
	if (before->offset_bits != after->offset_bits)
		kinds |= CHANGE_MOVED;
	if (before->field->size_bits != after->field->size_bits)
		kinds |= CHANGE_BITS;
	else if (before->width_bits != after->width_bits)
		kinds |= CHANGE_RESIZED;
	return kinds;
}

/* One struct by name, though there may be more of them in an array now. */
static bool same_aggregate(struct pair *pair, size_t old, size_t new)
{
	const char *before = member_aggregate_name(old_member(pair, old), pair->arena);
	const char *after = member_aggregate_name(new_member(pair, new), pair->arena);

	return before && after && !strcmp(before, after);
}

void pair_find_kinds(struct pair *pair)
{
	const struct matching *matching = &pair->matching;

	for (size_t i = 0; i < matching->old_members.nr; i++) {
		int32_t new = matching->to_new[i];

		if (new < 0 || !old_member(pair, i)->own)
			continue;
		pair->kinds[i] = kinds_of(pair, i, new);
		/* What lies in a renamed member has another path. */
		if (old_member(pair, i)->parent >= 0)
			pair->kinds[i] |= pair->kinds[old_member(pair, i)->parent] & CHANGE_RENAMED;
		if (old_member(pair, i)->in_place && new_member(pair, new)->in_place)
			continue;
		if (!(pair->kinds[i] & CHANGE_RETYPED) || same_aggregate(pair, i, new))
			pair->kinds[i] |= inside_differs(pair, i, new) ? CHANGE_INSIDE : 0;
	}
}

bool pair_has_partner(const struct pair *pair, size_t old)
{
	int32_t new = pair->matching.to_new[old];

	return new >= 0 && new_member(pair, new)->own;
}

static bool lies_in(const struct member_vec *members, size_t at, int32_t holder)
{
	return (int32_t)at > holder && at <= (size_t)holder + members->items[holder].nr_inside;
}

struct place pair_place(const struct pair *pair, size_t old, size_t new)
{
	const struct matching *matching = &pair->matching;
	const struct member *before = old_member(pair, old), *after = new_member(pair, new);
	struct place place = { before->parent, before->offset_bits, after->offset_bits };

	while (place.holder >= 0) {
		int32_t partner = matching->to_new[place.holder];

		if (partner >= 0 && lies_in(&matching->new_members, new, partner))
			break;
		place.holder = old_member(pair, (size_t)place.holder)->parent;
	}
	if (place.holder < 0)
		return place;
	if (place.before != FIELD_OFFSET_UNKNOWN)
		place.before -= old_member(pair, (size_t)place.holder)->offset_bits;
	if (place.after != FIELD_OFFSET_UNKNOWN)
		place.after -=
			new_member(pair, (size_t)matching->to_new[place.holder])->offset_bits;
	return place;
}

int64_t pair_moved_bits(const struct pair *pair, size_t old)
{
	struct place place = pair_place(pair, old, (size_t)pair->matching.to_new[old]);

	return place.before == FIELD_OFFSET_UNKNOWN || place.after == FIELD_OFFSET_UNKNOWN ?
		       0 :
		       (int64_t)(place.after - place.before);
}

void pair_mark_edited(struct pair *pair, int32_t old)
{
	while (old >= 0 && !pair->edited[old + 1]) {
		pair->edited[old + 1] = true;
		old = old_member(pair, (size_t)old)->parent;
	}
	if (old < 0)
		pair->edited[0] = true;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

bool align_is_edited(struct stated_align before, struct stated_align after)
{
	uint32_t old_own = before.align > before.natural ? before.align : 0;
	uint32_t new_own = after.align > after.natural ? after.align : 0;

	return (old_own || new_own) && before.align != after.align &&
	       after.align != larger(after.natural, old_own) &&
	       before.align != larger(before.natural, new_own);
}

static struct stated_align stated_align(const struct field *field, const struct arch *arch)
{
	uint32_t natural = type_align(field->type, arch);

	return (struct stated_align){ field->align ? field->align : natural, natural };
}

unsigned int pair_edited_kinds(const struct pair *pair, size_t old)
{
	size_t new = (size_t)pair->matching.to_new[old];
	unsigned int kinds = pair->kinds[old];
	bool in_place = old_member(pair, old)->in_place && new_member(pair, new)->in_place;

	if (pair->ripples[old] >= 0 || !pair_moved_bits(pair, old))
		kinds &= ~CHANGE_MOVED;
	if (!pair->matching.renamed_for[old])
		kinds &= ~CHANGE_RENAMED;
	/* Of a bit-field compilers state the alignment of the unit it happened to get. */
	if (old_member(pair, old)->field->size_bits || new_member(pair, new)->field->size_bits)
		kinds &= ~CHANGE_REALIGNED;
	/* Of what is defined in place the members inside tell what happened. */
	if (!in_place && !(kinds & CHANGE_INSIDE && !(kinds & CHANGE_RETYPED)))
		return kinds;
	kinds &= ~(CHANGE_INSIDE | CHANGE_RESIZED);
	if (!align_is_edited(stated_align(old_member(pair, old)->field, pair->old_arch),
			     stated_align(new_member(pair, new)->field, pair->new_arch)))
		kinds &= ~CHANGE_REALIGNED;
	return kinds;
}
