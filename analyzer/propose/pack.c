/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a struct smaller by moving members from its end into holes before them. Fields that stand
 * in a group, bit-fields and slots that are kept stay; what an alignment keeps apart is not joined.
 */
#include <inttypes.h>
#include <string.h>

#include "propose/proposer.h"

#define MAX_MOVES 64

struct packing_search {
	struct proposer *proposer;
	const struct type *type; /* with the moves so far */
	struct own_member_vec members;
	struct edit_vec moves;
	struct text change;
};

static void search_deinit(struct packing_search *search)
{
	vec_deinit(&search->members);
	vec_deinit(&search->moves);
	text_deinit(&search->change);
}

/* Bytes between a member and the one behind it in the same struct; 0 = none. */
static uint64_t hole_behind(const struct packing_search *search, size_t at)
{
	const struct own_member *member = &search->members.items[at];
	uint64_t end = (member->offset_bits + member->width_bits + 7) / 8;

	for (size_t i = at + 1; i < search->members.nr; i++) {
		const struct own_member *next = &search->members.items[i];

		if (next->previous == (int32_t)at)
			return next->in_union || next->offset_bits / 8 <= end ?
				       0 :
				       next->offset_bits / 8 - end;
	}
	return 0;
}

static bool is_in_group(const struct packing_search *search, size_t at)
{
	bool in_group = false;

	for (size_t i = 0; i <= at; i++) {
		const struct field *field = search->members.items[i].field;

		if (field_group_begin(field))
			in_group = true;
		else if (field_group_end(field))
			return i == at || (in_group = false);
	}
	return in_group;
}

static bool same_struct(const struct packing_search *search, size_t a, size_t b)
{
	for (int32_t i = (int32_t)b; i >= 0; i = search->members.items[i].previous) {
		if (i == (int32_t)a)
			return true;
	}
	return false;
}

/* An alignment of a line or more keeps what is before and behind apart: nothing may cross it. */
static bool starts_part(const struct packing_search *search, size_t at)
{
	const struct field *field = search->members.items[at].field;
	const uint32_t line = search->proposer->request->view.cacheline;

	return field->align >= line || declared_stated_by(field->type) >= line;
}

static bool same_part(const struct packing_search *search, size_t a, size_t b)
{
	for (size_t i = a + 1; i <= b; i++) {
		if (starts_part(search, i))
			return false;
	}
	return true;
}

static bool fits(const struct packing_search *search, size_t at, size_t behind, uint64_t hole)
{
	const struct own_member *member = &search->members.items[at];
	const struct own_member *before = &search->members.items[behind];
	const uint64_t align = relayout_align(&search->proposer->relayout, member->field->type);
	const uint64_t start = (before->offset_bits + before->width_bits + 7) / 8;
	const uint64_t gap = (align - start % align) % align;

	return member->field->name && !member->in_union && !member->field->size_bits &&
	       !member->field->align && member->width_bits &&
	       member->width_bits / 8 + gap <= hole && same_struct(search, behind, at) &&
	       same_part(search, behind, at) && !is_in_group(search, at);
}

/* The largest that fits, of these the last; -1 = none. */
static int64_t find_filler(const struct packing_search *search, size_t behind, uint64_t hole)
{
	int64_t found = -1;

	for (size_t i = behind + 2; i < search->members.nr; i++) {
		if (fits(search, i, behind, hole) &&
		    (found < 0 || search->members.items[i].width_bits >=
					  search->members.items[found].width_bits))
			found = (int64_t)i;
	}
	return found;
}

static bool fill(struct packing_search *search, size_t behind, uint64_t hole)
{
	const struct own_member *before = &search->members.items[behind];
	int64_t at = find_filler(search, behind, hole);
	struct edit move;
	struct edited edited;
	struct error *err;

	if (at < 0 || !before->name || before->field->size_bits || is_in_group(search, behind))
		return false;
	move = (struct edit){ EDIT_MOVE, .member = search->members.items[at].name,
			      .anchor = before->name, .side = EDIT_AFTER };
	err = relayout_edit(&search->proposer->relayout, search->type, &move, 1, &edited);
	if (err || edited.type->size > search->type->size) {
		error_destroy(err);
		return false;
	}
	*vec_add(&search->moves) = move;
	text_printf(&search->change, "%smove '%s' behind %s'%s'", search->change.length ? "\n" : "",
		    move.member, before->field->name ? "" : "the anonymous struct of ",
		    before->name);
	search->type = edited.type;
	vec_deinit(&search->members);
	own_members_list(search->type, &search->members);
	return true;
}

static bool fill_one(struct packing_search *search)
{
	for (size_t i = 0; i + 2 < search->members.nr; i++) {
		uint64_t hole = hole_behind(search, i);

		if (hole && fill(search, i, hole))
			return true;
	}
	return false;
}

void candidates_pack(struct proposer *proposer, struct candidate_vec *ret)
{
	struct packing_search search
		__attribute__((cleanup(search_deinit))) = { .proposer = proposer,
							    .type = proposer->type };
	struct arena *arena = proposer->arena;

	own_members_list(search.type, &search.members);
	while (search.moves.nr < MAX_MOVES && fill_one(&search))
		;
	if (search.type->size >= proposer->type->size)
		return;
	*vec_add(ret) = (struct candidate){
		.title = arena_printf(arena, "fill holes: %" PRIu64 " bytes instead of %" PRIu64,
				      search.type->size, proposer->type->size),
		.change = arena_strdup(arena, text_chars(&search.change)),
		.edits = arena_copy(arena, search.moves.items,
				    search.moves.nr * sizeof(*search.moves.items)),
		.nr_edits = search.moves.nr,
	};
}
