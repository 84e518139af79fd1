/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/attempt.h"

#include <string.h>

/* No alignment in a struct is larger than a page. */
#define MAX_ALIGN 4096
/* Unnamed bit-fields in a row; more is no longer likely. */
#define MAX_UNNAMED 64

static const struct type unnamed_types[] = {
	{ .kind = TYPE_BASE, .name = "unsigned char", .size = 1 },
	{ .kind = TYPE_BASE, .name = "unsigned short", .size = 2 },
	{ .kind = TYPE_BASE, .name = "unsigned int", .size = 4 },
	{ .kind = TYPE_BASE, .name = "unsigned long long", .size = 8 },
};

/* DWARF tells what alignments are stated, BTF does not. */
static bool aligns_told(const struct attempt *attempt)
{
	return !strcmp(attempt->relayout->source->format, "dwarf");
}

/*
 * Whether the alignment told of a member is its type's. Attributes behind an anonymous struct are
 * always its type's. clang tells of a type what it states, of a member what that comes to.
 */
static bool is_inherited(const struct field *field, uint32_t natural)
{
	const uint32_t stated = declared_stated_by(field->type);

	return field_is_transparent(field) || field->align == stated ||
	       (stated && field->align == natural);
}

static struct declaration make_member(const struct attempt *attempt, const struct field *field)
{
	struct declaration member = {
		.field = *field,
		.natural = relayout_align(attempt->relayout, field->type),
		.packed = attempt->declared.packed,
		.is_bits = field->size_bits != 0,
	};

	if (!is_inherited(field, member.natural))
		member.stated = field->align;
	return member;
}

static void add_member(struct attempt *attempt, const struct declaration *member)
{
	uint64_t offset = declared_member_offset(&attempt->declared, member, attempt->reached);

	*vec_add(&attempt->declared.members) = *member;
	attempt->reached = offset + declaration_width_bits(member);
}

static void add_unnamed(struct attempt *attempt, const struct type *type, uint32_t width_bits)
{
	struct declaration member =
		make_member(attempt, &(struct field){ .type = type, .size_bits = width_bits });

	member.is_bits = true;
	add_member(attempt, &member);
}

static uint64_t expected_offset(const struct attempt *attempt, const struct declaration *member)
{
	return declared_member_offset(&attempt->declared, member, attempt->reached);
}

static bool lands(const struct attempt *attempt, const struct declaration *member)
{
	return expected_offset(attempt, member) == member->field.offset_bits;
}

/* In a packed struct the member states the very alignment that its type states too. */
static bool explain_restated(const struct attempt *attempt, struct declaration *member)
{
	const uint32_t stated = member->stated;

	if (field_is_transparent(&member->field))
		return false;
	member->stated = member->field.align;
	if (lands(attempt, member))
		return true;
	member->stated = stated;
	return false;
}

/* An anonymous struct cannot be packed as a member: its own layout must have another source. */
static bool explain_early_inner(const struct attempt *attempt, struct declaration *member)
{
	const struct explanation *inner =
		relayout_explain(attempt->relayout, type_unqualified(member->field.type));

	for (size_t i = 0; i < inner->nr_declared; i++) {
		member->natural = inner->declared[i].align;
		if (lands(attempt, member))
			return true;
	}
	return false;
}

/* The member lies before where its type's alignment would put it. */
static bool explain_early(const struct attempt *attempt, struct declaration *member)
{
	const uint32_t stated = member->stated;

	if (field_is_transparent(&member->field))
		return explain_early_inner(attempt, member);
	member->packed = true;
	for (uint32_t align = stated < member->natural ? stated : 0; align < member->natural;
	     align = align ? 2 * align : 2) {
		member->stated = align;
		if (lands(attempt, member))
			return true;
	}
	return false;
}

static bool fill_with_align(const struct attempt *attempt, struct declaration *member)
{
	const uint32_t stated = member->stated;

	for (uint32_t align = 2; align <= MAX_ALIGN; align *= 2) {
		if (align <= stated || field_is_transparent(&member->field))
			continue;
		member->stated = align;
		if (lands(attempt, member))
			return true;
	}
	member->stated = stated;
	return false;
}

/* The bit-field beside a gap: the one before, else the next; NULL = neither is one. */
static const struct declaration *bits_beside(const struct attempt *attempt,
					     const struct declaration *next)
{
	const struct declaration_vec *members = &attempt->declared.members;

	if (members->nr && members->items[members->nr - 1].is_bits)
		return &members->items[members->nr - 1];
	return next && next->is_bits ? next : NULL;
}

/* The type that unnamed bit-fields in the gap most likely have: not bool, which has one bit. */
static const struct type *unnamed_type(const struct attempt *attempt,
				       const struct declaration *next)
{
	const struct declaration *beside = bits_beside(attempt, next);

	return beside && type_size(beside->field.type) > 1 ? beside->field.type : &unnamed_types[0];
}

/* Unnamed bit-fields up to a bit; each ends with its unit. Nothing follows a flexible array. */
static bool fill_with_bits(struct attempt *attempt, const struct type *type, uint64_t until)
{
	const struct declaration_vec *members = &attempt->declared.members;
	const uint64_t unit = 8 * (uint64_t)relayout_align(attempt->relayout, type);
	const uint64_t width = 8 * type_size(type);

	if (members->nr && field_is_flexible(&members->items[members->nr - 1].field))
		return false;
	for (int i = 0; i < MAX_UNNAMED && attempt->reached < until; i++) {
		uint64_t room = width - attempt->reached % unit;
		uint64_t missing = until - attempt->reached;

		add_unnamed(attempt, type, (uint32_t)(missing < room ? missing : room));
	}
	return attempt->reached == until;
}

static bool fill_with(struct attempt *attempt, enum filler filler, struct declaration *next)
{
	const size_t nr_members = attempt->declared.members.nr;
	const uint64_t reached = attempt->reached;

	if (filler == FILLER_ALIGN)
		return fill_with_align(attempt, next);
	if (filler == FILLER_BITS &&
	    fill_with_bits(attempt, unnamed_type(attempt, next), next->field.offset_bits) &&
	    lands(attempt, next))
		return true;
	attempt->declared.members.nr = nr_members;
	attempt->reached = reached;
	for (size_t i = 0; filler == FILLER_ZERO_WIDTH && i < array_size(unnamed_types); i++) {
		add_unnamed(attempt, &unnamed_types[i], 0);
		if (lands(attempt, next))
			return true;
		attempt->declared.members.nr = nr_members;
		attempt->reached = reached;
	}
	return false;
}

/* The member lies behind where it would go: something is in between that is not shown. */
static bool explain_late(struct attempt *attempt, struct declaration *member)
{
	static const enum filler usual[] = { FILLER_BITS, FILLER_ZERO_WIDTH, FILLER_ALIGN };
	static const enum filler untold[] = { FILLER_ALIGN, FILLER_BITS, FILLER_ZERO_WIDTH };
	const enum filler *fillers =
		aligns_told(attempt) || bits_beside(attempt, member) ? usual : untold;

	attempt->nr_filled++;
	for (unsigned int i = 0; i < NR_FILLERS; i++) {
		if (fill_with(attempt, fillers[(attempt->first_filler + i) % NR_FILLERS], member))
			return true;
	}
	return false;
}

static bool explain_elsewhere(struct attempt *attempt, struct declaration *member)
{
	attempt->nr_exceptions++;
	if (explain_restated(attempt, member))
		return true;
	return expected_offset(attempt, member) > member->field.offset_bits ?
		       explain_early(attempt, member) :
		       explain_late(attempt, member);
}

static void explain_field(struct attempt *attempt, const struct field *field)
{
	struct declaration member = make_member(attempt, field);
	const uint64_t expected = expected_offset(attempt, &member);

	if (expected == field->offset_bits || explain_elsewhere(attempt, &member)) {
		add_member(attempt, &member);
		return;
	}
	attempt->failed = true;
	attempt->misplaced = field;
	attempt->expected = expected;
}

/* gcc tells of a struct also what only a member of it states; clang does not. */
static bool member_states(const struct declared *declared, uint32_t align)
{
	for (size_t i = 0; i < declared->members.nr; i++) {
		if (declared->members.items[i].field.align >= align)
			return true;
	}
	return false;
}

/* The struct is longer than its members: its own alignment, or unnamed bits at the end. */
static void explain_tail(struct attempt *attempt)
{
	struct declared *declared = &attempt->declared;
	const uint32_t stated = declared->stated;
	const uint64_t size = attempt->type->size;

	attempt->nr_exceptions++;
	attempt->nr_filled++;
	for (uint32_t align = 2; !aligns_told(attempt) && !bits_beside(attempt, NULL) &&
				 declared->size != size && align <= MAX_ALIGN;
	     align *= 2) {
		declared->stated = align;
		declared_place(declared);
	}
	if (declared->size == size)
		return;
	declared->stated = stated;
	if (!declared->is_union)
		fill_with_bits(attempt, unnamed_type(attempt, NULL), size * 8);
	declared_place(declared);
}

static void explain_end(struct attempt *attempt)
{
	struct declared *declared = &attempt->declared;
	const struct type *type = attempt->type;

	declared_place(declared);
	if (declared->align < type->align || !member_states(declared, type->align))
		declared->stated = type->align;
	declared_place(declared);
	/* gcc tells the alignment there is; clang what the struct states, which may be less. */
	if (type->align && declared->align > type->align)
		attempt->nr_exceptions++;
	if (declared->size < type->size)
		explain_tail(attempt);
	attempt->failed = declared->size != type->size;
}

void attempt_run(struct attempt *attempt)
{
	const struct type *type = attempt->type;

	attempt->declared.is_union = type->kind == TYPE_UNION;
	attempt->declared.unnamed_aligns = attempt->relayout->source->arch->unnamed_aligns;
	for (uint32_t i = 0; i < type->nr_fields && !attempt->failed; i++)
		explain_field(attempt, &type->fields[i]);
	if (!attempt->failed)
		explain_end(attempt);
}
