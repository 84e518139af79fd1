/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/cut_pairs.h"

#include <string.h>

#include "analyze/locks.h"
#include "analyze/members.h"
#include "model/layout.h"

/* What is being looked at: places of a type whose objects start at one phase. */
struct search {
	struct profile *profile;
	const struct profile_type *type;
	uint32_t type_at;
	struct view view;
	struct member_vec members;
};

static uint64_t end_of(const struct profile_place *place)
{
	return place->offset + (place->size ? place->size : 1);
}

static const struct profile_line *line_at(const struct search *search, uint64_t offset)
{
	uint64_t number = view_line(search->view, offset);

	for (uint32_t i = 0; i < search->type->nr_lines; i++) {
		const struct profile_line *line =
			&search->profile->lines.items[search->type->first_line + i];

		if (line->phase == search->view.phase && line->line == number)
			return line;
	}
	return NULL;
}

/* Whether other CPUs were met at these bytes, as writer or as the one that missed. */
static bool is_fought_over(const struct search *search, const struct profile_line *line,
			   const struct profile_place *place)
{
	for (uint32_t i = 0; i < line->nr_pairs; i++) {
		const struct profile_pair *pair =
			&search->profile->pairs.items[line->first_pair + i];
		const struct profile_place *sides[] = {
			&search->profile->places.items[pair->writer],
			&search->profile->places.items[pair->other],
		};

		for (size_t k = 0; k < array_size(sides) && pair->overlaps; k++) {
			if (sides[k]->type == search->type_at && sides[k]->offset < end_of(place) &&
			    place->offset < end_of(sides[k]))
				return true;
		}
	}
	return false;
}

/* The innermost lock that holds both, as an index; -1 = none. */
static int64_t find_lock(const struct search *search, const struct profile_place *first,
			 const struct profile_place *second)
{
	int64_t found = -1;

	for (size_t i = 0; i < search->members.nr; i++) {
		const struct member *member = &search->members.items[i];
		uint64_t start = member->offset_bits / 8;

		if (member->offset_bits == FIELD_OFFSET_UNKNOWN || member->repeated ||
		    start > first->offset || start + member->width_bits / 8 < end_of(second))
			continue;
		if (type_is_lock(member->field->type))
			found = (int64_t)i;
	}
	return found;
}

static const char *path_of(const struct search *search, int64_t member)
{
	auto_text struct text path = {};

	if (member < 0)
		return NULL;
	member_print_path(&path, &search->members, (size_t)member);
	return arena_strdup(&search->profile->arena, text_chars(&path));
}

/* The same two words, written together by another function: told once. */
static bool is_known(const struct search *search, const struct profile_place *first,
		     const struct profile_place *second)
{
	const struct profile_cut_vec *cuts = &search->profile->cuts;

	for (size_t i = search->type->first_cut; i < cuts->nr; i++) {
		const struct profile_cut *cut = &cuts->items[i];

		if (cut->phase == search->view.phase && cut->first_offset == first->offset &&
		    cut->second_offset == second->offset)
			return true;
	}
	return false;
}

static void consider(struct search *search, const struct profile_place *first,
		     const struct profile_place *second)
{
	struct profile *profile = search->profile;
	const struct profile_line *line = line_at(search, first->offset);
	const struct profile_line *next = line_at(search, second->offset);
	enum certainty certainty;
	int64_t lock;

	if (!line || !next || next->line != line->line + 1 ||
	    view_line(search->view, end_of(first) - 1) != line->line ||
	    end_of(second) - first->offset > search->view.cacheline ||
	    is_known(search, first, second) || !is_fought_over(search, line, first) ||
	    !is_fought_over(search, next, second))
		return;
	lock = find_lock(search, first, second);
	certainty = line->certainty < next->certainty ? line->certainty : next->certainty;
	if (lock < 0 && certainty > CERTAINTY_SUSPECTED)
		certainty = CERTAINTY_SUSPECTED;
	*vec_add(&profile->cuts) = (struct profile_cut){
		.type = search->type_at,
		.phase = search->view.phase,
		.first_offset = first->offset,
		.first_size = end_of(first) - first->offset,
		.second_offset = second->offset,
		.second_size = end_of(second) - second->offset,
		.function = first->function,
		.lock = path_of(search, lock),
		.certainty = certainty,
		.first_counts = profile_sum(profile, search->type_at, first->offset,
					    end_of(first) - first->offset),
		.second_counts = profile_sum(profile, search->type_at, second->offset,
					     end_of(second) - second->offset),
	};
}

static bool writes(const struct profile_place *place)
{
	return place->counts.stores && !place->inferred && place->function;
}

static void search_phase(struct search *search)
{
	const struct profile_place *places =
		search->profile->places.items + search->type->first_place;

	for (uint32_t i = 0; i < search->type->nr_places; i++) {
		if (!writes(&places[i]))
			continue;
		for (uint32_t k = i + 1; k < search->type->nr_places; k++) {
			if (places[k].offset >= places[i].offset + search->view.cacheline)
				break;
			if (writes(&places[k]) && !strcmp(places[k].function, places[i].function))
				consider(search, &places[i], &places[k]);
		}
	}
}

void cut_pairs_find(struct profile *profile)
{
	for (uint32_t at = 0; at < profile->types.nr; at++) {
		struct profile_type *type = &profile->types.items[at];
		struct search search = { .profile = profile, .type = type, .type_at = at };

		type->first_cut = (uint32_t)profile->cuts.nr;
		if (!type->type)
			continue;
		members_open(type->type, &search.members);
		for (uint32_t i = 0; i < type->nr_phases; i++) {
			search.view = (struct view){
				profile->cacheline,
				profile->phases.items[type->first_phase + i].phase,
			};
			search_phase(&search);
		}
		vec_deinit(&search.members);
		type->nr_cuts = (uint32_t)profile->cuts.nr - type->first_cut;
	}
}
