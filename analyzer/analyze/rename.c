/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/rename.h"

#include <string.h>

/* Beyond so many pairs names aren't compared with each other: such structs have been rewritten. */
#define MAX_PAIRS 4096

void scope_init(struct scope *scope, const uint32_t *olds, size_t nr_olds, const uint32_t *news,
		size_t nr_news)
{
	struct matching *matching = scope->matching;
	struct scope_side *sides[] = { &scope->old_side, &scope->new_side };

	scope->old_side = (struct scope_side){ &matching->old_members, olds, nr_olds, NULL };
	scope->new_side = (struct scope_side){ &matching->new_members, news, nr_news, NULL };
	for (int i = 0; i < 2; i++) {
		struct scope_side *side = sides[i];

		side->partners = memory_alloc(side->nr, sizeof(*side->partners));
		for (size_t at = 0; at < side->nr; at++)
			side->partners[at] = MATCHING_NONE;
	}
}

void scope_deinit(struct scope *scope)
{
	free(scope->old_side.partners);
	free(scope->new_side.partners);
}

static const struct member *member_at(const struct scope_side *side, size_t position)
{
	return &side->members->items[side->indexes[position]];
}

const char *scope_name(const struct scope_side *side, size_t position)
{
	return member_name(member_at(side, position));
}

void scope_link(struct scope *scope, size_t old, size_t new, const char *renamed_for)
{
	struct matching *matching = scope->matching;
	uint32_t old_index = scope->old_side.indexes[old], new_index = scope->new_side.indexes[new];

	scope->old_side.partners[old] = (int32_t) new;
	scope->new_side.partners[new] = (int32_t)old;
	matching->to_new[old_index] = (int32_t)new_index;
	matching->to_old[new_index] = (int32_t)old_index;
	matching->renamed_for[old_index] = renamed_for;
}

static bool alike(struct scope *scope, size_t old, size_t new)
{
	const struct member *a = member_at(&scope->old_side, old);
	const struct member *b = member_at(&scope->new_side, new);

	return a->width_bits == b->width_bits && a->field->kind == b->field->kind &&
	       !a->field->size_bits == !b->field->size_bits &&
	       matching_types_alike(scope->matching, a->field->type, b->field->type);
}

/* Names of which at most a third differs, or one with a few letters put before or behind. */
static bool similar(const char *a, const char *b)
{
	size_t shorter = strlen(a), longer = strlen(b);

	if (shorter > longer)
		return similar(b, a);
	if (shorter < 3)
		return false;
	if (strstr(b, a))
		return 2 * shorter >= longer;
	return text_distance(a, b, (unsigned int)longer / 3) <= longer / 3;
}

static bool similar_at(const struct scope *scope, size_t old, size_t new)
{
	return similar(scope_name(&scope->old_side, old), scope_name(&scope->new_side, new));
}

static bool same_offset(const struct scope *scope, size_t old, size_t new)
{
	return member_at(&scope->old_side, old)->offset_bits ==
	       member_at(&scope->new_side, new)->offset_bits;
}

/* Unmatched members that follow each other, [start, end). */
struct run {
	size_t start;
	size_t end;
};

static size_t run_length(struct run run)
{
	return run.end - run.start;
}

static struct run run_from(const struct scope_side *side, size_t start)
{
	struct run run = { start, start };

	while (run.end < side->nr && side->partners[run.end] < 0)
		run.end++;
	return run;
}

/* What stands in the new struct where the old one has the run: behind the same neighbour... */
static struct run run_across(const struct scope *scope, struct run old)
{
	const struct scope_side *new_side = &scope->new_side;
	const int32_t *partners = scope->old_side.partners;
	struct run run = run_from(new_side, old.start ? (size_t)partners[old.start - 1] + 1 : 0);

	if (run_length(run) || old.end == scope->old_side.nr)
		return run;
	/* ... or before it. */
	run.start = run.end = (size_t)partners[old.end];
	while (run.start > 0 && new_side->partners[run.start - 1] < 0)
		run.start--;
	return run;
}

static bool all_alike(struct scope *scope, struct run old, struct run new)
{
	for (size_t i = 0; i < run_length(old); i++) {
		if (!alike(scope, old.start + i, new.start + i))
			return false;
	}
	return true;
}

static void match_run(struct scope *scope, struct run old, struct run new)
{
	size_t next = new.start;

	if (run_length(old) == run_length(new) && all_alike(scope, old, new)) {
		for (size_t i = 0; i < run_length(old); i++)
			scope_link(scope, old.start + i, new.start + i,
				   same_offset(scope, old.start + i, new.start + i) ?
					   "same type at the same place" :
					   "same type between the same neighbours");
		return;
	}
	if (run_length(old) == 1 && run_length(new) == 1 &&
	    similar_at(scope, old.start, new.start)) {
		scope_link(scope, old.start, new.start, "similar name between the same neighbours");
		return;
	}
	for (size_t i = old.start; i < old.end; i++) {
		for (size_t j = next; j < new.end; j++) {
			if (!similar_at(scope, i, j) || !alike(scope, i, j))
				continue;
			scope_link(scope, i, j, "same type and a similar name");
			next = j + 1;
			break;
		}
	}
}

static size_t nr_unmatched(const struct scope_side *side)
{
	size_t nr = 0;

	for (size_t i = 0; i < side->nr; i++)
		nr += side->partners[i] < 0;
	return nr;
}

/* Renamed and moved: the first of one type and similar name, wherever it is. */
static void match_anywhere(struct scope *scope)
{
	for (size_t i = 0; i < scope->old_side.nr; i++) {
		if (scope->old_side.partners[i] >= 0)
			continue;
		for (size_t j = 0; j < scope->new_side.nr; j++) {
			if (scope->new_side.partners[j] >= 0 || !similar_at(scope, i, j) ||
			    !alike(scope, i, j))
				continue;
			scope_link(scope, i, j, "same type and a similar name");
			break;
		}
	}
}

void scope_match_renamed(struct scope *scope)
{
	size_t nr_old = nr_unmatched(&scope->old_side), nr_new = nr_unmatched(&scope->new_side);
	const int32_t *partners = scope->old_side.partners;

	if (!nr_old || !nr_new || nr_old > MAX_PAIRS / nr_new)
		return;
	for (size_t i = 0; i < scope->old_side.nr; i++) {
		struct run old;

		if (partners[i] >= 0 || (i && partners[i - 1] < 0))
			continue;
		old = run_from(&scope->old_side, i);
		match_run(scope, old, run_across(scope, old));
	}
	match_anywhere(scope);
}
