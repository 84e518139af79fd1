/* SPDX-License-Identifier: GPL-2.0-only */
/* What the source says against a change: each with its place, file and line. */
#include <inttypes.h>
#include <string.h>

#include "propose/proposer.h"

struct source_watch {
	struct proposer *proposer;
	const struct candidate *candidate;
	const struct edited *edited;
	const struct own_member_vec *before;
	const struct own_member_vec *after;
	struct caution_vec *ret;
};

#define ADD(watch, caution_kind, is_forbidden, ...) \
	(*vec_add((watch)->ret) = (struct caution){ \
		 .kind = caution_kind,              \
		 .forbids = is_forbidden,           \
		 .message = arena_printf((watch)->proposer->arena, __VA_ARGS__) })

/* Members that the source names exist before; what the edit took away is nowhere after. */
struct whereabouts {
	const struct own_member *before;
	const struct own_member *after;
	bool moved;
};

static struct whereabouts find(const struct source_watch *watch, const char *member)
{
	struct whereabouts where = {
		.before = member ? own_member_find(watch->before, member) : NULL,
		.after = member ? own_member_find(watch->after, member) : NULL,
	};

	where.moved = where.before &&
		      (!where.after || where.after->offset_bits != where.before->offset_bits);
	return where;
}

static bool is_last(const struct own_member_vec *members, const struct own_member *member)
{
	uint64_t end = member->offset_bits;

	for (size_t i = 0; i < members->nr; i++) {
		if (members->items[i].offset_bits > end)
			return false;
	}
	return true;
}

/* Pads move members and leave them in their order. */
static bool reorders(const struct candidate *candidate)
{
	for (size_t i = 0; i < candidate->nr_edits; i++) {
		enum edit_kind kind = candidate->edits[i].kind;

		if (kind == EDIT_MOVE || kind == EDIT_ORDER || kind == EDIT_GROUP ||
		    kind == EDIT_SPLIT || kind == EDIT_REMOVE)
			return true;
	}
	return false;
}

static void watch_assertion(struct source_watch *watch, const struct constraint *constraint)
{
	const struct type *before = watch->proposer->type, *after = watch->edited->type;
	const struct whereabouts where = find(watch, constraint->member);
	/* What is asserted of no member is so inside of a macro, of its parameter. */
	bool unknown = constraint->member && !where.before;

	if (unknown || (constraint->member ? where.moved : before->size != after->size))
		ADD(watch, CAUTION_ASSERTED, constraint->exact && !unknown,
		    "%s:%" PRIu32 " asserts: %s", constraint->file, constraint->line,
		    constraint->text);
}

static void watch_comment(struct source_watch *watch, const struct constraint *constraint)
{
	const struct whereabouts where = find(watch, constraint->member);
	bool was_first, was_last, breaks;

	if (!where.before)
		return;
	was_first = !where.before->offset_bits;
	was_last = is_last(watch->before, where.before);
	breaks = !where.after || (was_first && where.after->offset_bits) ||
		 (was_last && !is_last(watch->after, where.after));
	if (breaks || (where.moved && !was_first && !was_last))
		ADD(watch, CAUTION_COMMENT, breaks, "%s:%" PRIu32 " says of '%s': %s",
		    constraint->file, constraint->line, constraint->member, constraint->text);
}

static void watch_first(struct source_watch *watch, const struct constraint *constraint)
{
	const struct own_member *first = watch->before->nr ? &watch->before->items[0] : NULL;
	const struct own_member *after = first && first->field->name ?
						 own_member_find(watch->after, first->field->name) :
						 NULL;

	if (!first || !first->field->name || (after && !after->offset_bits))
		return;
	if (constraint->kind == CONSTRAINT_CAST)
		ADD(watch, CAUTION_FIRST, declared_held(first->field->type) != NULL,
		    "'%s' is first, and %s:%" PRIu32 " casts a pointer to the struct (%" PRIu32
		    " more do)",
		    first->field->name, constraint->file, constraint->line, constraint->nr_more);
	else if (constraint->member && !strcmp(constraint->member, first->field->name))
		ADD(watch, CAUTION_FIRST, false,
		    "'%s' is first, so that container_of() makes NULL of NULL, at %s:%" PRIu32
		    " (and %" PRIu32 " more)",
		    first->field->name, constraint->file, constraint->line, constraint->nr_more);
}

static void watch_range(struct source_watch *watch, const struct constraint *constraint)
{
	if (reorders(watch->candidate) && find(watch, constraint->member).moved)
		ADD(watch, CAUTION_RANGE, false,
		    "%s:%" PRIu32 " computes with the offset of '%s' (%" PRIu32
		    " more do): what lies between may be copied or cleared at once",
		    constraint->file, constraint->line, constraint->member, constraint->nr_more);
}

void cautions_find_in_source(struct proposer *proposer, const struct candidate *candidate,
			     const struct edited *edited, const struct own_member_vec *before,
			     const struct own_member_vec *after, struct caution_vec *ret)
{
	struct source_watch watch = { proposer, candidate, edited, before, after, ret };
	const struct constraints *constraints = proposer->request->constraints;

	for (size_t i = 0; constraints && i < constraints->found.nr; i++) {
		const struct constraint *constraint = &constraints->found.items[i];

		switch (constraint->kind) {
		case CONSTRAINT_ASSERTION:
			watch_assertion(&watch, constraint);
			break;
		case CONSTRAINT_COMMENT:
			watch_comment(&watch, constraint);
			break;
		case CONSTRAINT_CAST:
		case CONSTRAINT_CONTAINER:
			watch_first(&watch, constraint);
			break;
		case CONSTRAINT_SHUFFLED:
			ADD(&watch, CAUTION_RANDOM, false,
			    "%s:%" PRIu32 " has %s: what is proposed lasts only in kernels that "
			    "shuffle no structs",
			    constraint->file, constraint->line, constraint->text);
			break;
		case CONSTRAINT_RANGE:
			watch_range(&watch, constraint);
			break;
		}
	}
}
