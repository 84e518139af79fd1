/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes that might cure a trouble. Each trouble lies in a member of the struct itself; that one
 * is padded, aligned or moved, and used fields are gathered in groups. Whether a candidate is
 * worth anything is judged later.
 */
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "propose/proposer.h"

/* A union around less is more to read than bytes put behind it. */
#define LEAST_WRAPPED_BITS (8 * 16)

struct search {
	struct proposer *proposer;
	struct own_member_vec members;
	struct candidate_vec *ret;
};

static const char *print_declaration(struct search *search, const struct field *field)
{
	auto_text struct text text = {};

	type_print(&text, field->type, field->name ? field->name : "");
	if (field->size_bits)
		text_printf(&text, ":%" PRIu32, field->size_bits);
	return arena_strdup(search->proposer->arena, text_chars(&text));
}

static const char *print_member(struct search *search, const struct own_member *member)
{
	if (member->field->name)
		return arena_printf(search->proposer->arena, "'%s'", member->field->name);
	return arena_printf(search->proposer->arena, "the anonymous %s of '%s'",
			    type_keyword(type_unqualified(member->field->type)->kind),
			    member->name);
}

static void add(struct search *search, struct edit edit, const char *title, const char *change)
{
	struct arena *arena = search->proposer->arena;

	*vec_add(search->ret) = (struct candidate){
		.title = title,
		.change = change,
		.edits = arena_copy(arena, &edit, sizeof(edit)),
		.nr_edits = 1,
	};
}

static bool scores(struct search *search, struct edit edit, struct score *ret)
{
	return proposer_score(search->proposer, &edit, 1, ret);
}

/* A name for padding that is not taken. */
static const char *pad_name(struct search *search, const struct own_member *member)
{
	for (size_t i = 0; i < search->members.nr; i++) {
		const char *name = search->members.items[i].field->name;

		if (name && !strcmp(name, "pad"))
			return arena_printf(search->proposer->arena, "%s_pad", member->name);
	}
	return "pad";
}

static void add_rounded_pad(struct search *search, const struct own_member *before,
			    const struct own_member *member)
{
	const uint32_t line = search->proposer->request->view.cacheline;
	struct arena *arena = search->proposer->arena;
	struct edit edit = { EDIT_WRAP, .member = before->name, .outward = before->outward,
			     .name = pad_name(search, before), .round_to = line };
	auto_text struct text type = {};

	type_print(&type, before->field->type, NULL);
	add(search, edit,
	    arena_printf(arena, "pad %s to whole lines, so that %s starts on one",
			 print_member(search, before), print_member(search, member)),
	    arena_printf(arena, "union {\n\t%s;\n\tchar %s[ALIGN(sizeof(%s), %s)];\n};",
			 print_declaration(search, before->field), edit.name, text_chars(&type),
			 line == search->proposer->request->set->source.arch->cacheline ?
				 "L1_CACHE_BYTES" :
				 arena_printf(arena, "%" PRIu32, line)));
}

/* The fewest bytes in front of a member that cure as much as any number below a line does. */
static bool find_shift(struct search *search, struct edit *edit, uint64_t start, uint64_t step)
{
	const uint64_t line = search->proposer->request->view.cacheline;
	struct score best = score_of(&search->proposer->before, search->proposer->type), score;
	uint64_t found = 0;

	for (uint64_t shift = step; shift < line; shift += step) {
		edit->bytes = start + shift;
		if (!scores(search, *edit, &score))
			return false;
		if (score.troubles < best.troubles ||
		    (score.troubles == best.troubles && score.used_lines < best.used_lines)) {
			best = score;
			found = edit->bytes;
		}
	}
	edit->bytes = found;
	return found != 0;
}

/* A struct before it is padded in a union, so that nothing has to be counted by hand. */
static void add_least_pad(struct search *search, const struct own_member *before,
			  const struct own_member *member)
{
	struct arena *arena = search->proposer->arena;
	const uint64_t step = relayout_align(&search->proposer->relayout, member->field->type);
	const uint64_t start = (member->offset_bits - before->offset_bits) / 8;
	struct edit edit = { EDIT_WRAP, .member = before->name, .outward = before->outward,
			     .name = pad_name(search, before) };

	if (!find_shift(search, &edit, start, step))
		return;
	add(search, edit,
	    arena_printf(arena, "pad %s to %" PRIu64 " bytes, the fewest that help",
			 print_member(search, before), edit.bytes),
	    arena_printf(arena, "union {\n\t%s;\n\tchar %s[%" PRIu64 "];\n};",
			 print_declaration(search, before->field), edit.name, edit.bytes));
}

static void add_inserted_pad(struct search *search, const struct own_member *member)
{
	struct arena *arena = search->proposer->arena;
	const uint64_t step = relayout_align(&search->proposer->relayout, member->field->type);
	struct edit edit = { EDIT_INSERT, .member = member->name, .outward = member->outward,
			     .side = EDIT_BEFORE, .name = pad_name(search, member) };

	if (!find_shift(search, &edit, 0, step))
		return;
	add(search, edit,
	    arena_printf(arena, "put %" PRIu64 " bytes before %s, the fewest that help", edit.bytes,
			 print_member(search, member)),
	    arena_printf(arena, "char %s[%" PRIu64 "];\n%s;", edit.name, edit.bytes,
			 print_declaration(search, member->field)));
}

static void add_aligned(struct search *search, const struct own_member *member)
{
	const uint32_t line = search->proposer->request->view.cacheline;
	struct arena *arena = search->proposer->arena;
	struct edit edit = { EDIT_ALIGN_MEMBER, .member = member->name, .align = line };
	bool own_size = line == search->proposer->request->set->source.arch->cacheline;

	if (!member->field->name)
		return;
	add(search, edit,
	    arena_printf(arena, "align %s to a line of %" PRIu32, print_member(search, member),
			 line),
	    arena_printf(arena, "%s %s;", print_declaration(search, member->field),
			 own_size ? "____cacheline_aligned_in_smp" :
				    arena_printf(arena, "__aligned(%" PRIu32 ")", line)));
}

/* Behind which other member it does least harm. */
static void add_moved(struct search *search, const struct own_member *member)
{
	struct proposer *proposer = search->proposer;
	struct score best = score_of(&proposer->before, proposer->type), score;
	struct edit edit = { EDIT_MOVE, .member = member->name, .outward = member->outward,
			     .side = EDIT_AFTER };
	const struct own_member *behind = NULL;

	for (size_t i = 0; i < search->members.nr; i++) {
		const struct own_member *anchor = &search->members.items[i];

		edit.anchor = anchor->name;
		if (!anchor->name || anchor == member || anchor->in_union ||
		    anchor->field->size_bits || !scores(search, edit, &score) ||
		    score_compare(&score, &best) >= 0 || score.troubles > best.troubles ||
		    score.size > proposer->type->size)
			continue;
		best = score;
		behind = anchor;
	}
	if (!behind || best.troubles + best.used_lines >=
			       proposer->before.troubles.nr + proposer->before.used_lines)
		return;
	edit.anchor = behind->name;
	add(search, edit,
	    arena_printf(proposer->arena, "move %s behind %s", print_member(search, member),
			 print_member(search, behind)),
	    arena_printf(proposer->arena, "%s;\n%s;", print_declaration(search, behind->field),
			 print_declaration(search, member->field)));
}

/* The member of the struct itself that a path leads through; NULL = none. */
static const struct own_member *member_of(const struct search *search, const char *path)
{
	size_t length = strcspn(path, ".[");

	for (size_t i = 0; i < search->members.nr; i++) {
		const char *name = search->members.items[i].field->name;

		if (name && strlen(name) == length && !strncmp(name, path, length))
			return &search->members.items[i];
	}
	return NULL;
}

static void cure_member(struct search *search, const struct own_member *member)
{
	const struct own_member *before =
		member->previous < 0 ? NULL : &search->members.items[member->previous];

	if (member->in_union)
		return;
	if (before && before->name && type_is_aggregate(type_strip(before->field->type)) &&
	    before->width_bits > LEAST_WRAPPED_BITS) {
		add_rounded_pad(search, before, member);
		add_least_pad(search, before, member);
	} else if (before && !member->field->size_bits) {
		add_inserted_pad(search, member);
	}
	if (before)
		add_aligned(search, member);
	if (member->width_bits <= 8ull * search->proposer->request->view.cacheline &&
	    !member->field->size_bits)
		add_moved(search, member);
}

/* All own members with some use: their names, and their declarations a line each. */
static void collect_used(struct search *search, unsigned int uses, unsigned int others,
			 struct string_vec *ret_names, struct text *ret_lines)
{
	const struct propose_request *request = search->proposer->request;
	auto_map struct map seen = {};
	bool is_new;

	for (size_t i = 0; i < request->used.nr; i++) {
		const struct used_field *used = &request->used.items[i];
		const struct own_member *member = member_of(search, used->path);

		if (!(used->uses & uses) || (used->uses & others) || !member || member->in_union ||
		    member->field->size_bits)
			continue;
		map_add(&seen, (uintptr_t)member, &is_new);
		if (!is_new)
			continue;
		*vec_add(ret_names) = member->field->name;
		text_printf(ret_lines, "%s;\n", print_declaration(search, member->field));
	}
}

/* What is written goes into a struct of its own, so that its lines hold nothing else. */
static void add_split(struct search *search)
{
	const struct type *type = search->proposer->type;
	struct arena *arena = search->proposer->arena;
	auto_vec struct string_vec names = {};
	auto_text struct text lines = {};
	struct edit edit = { EDIT_SPLIT, .name = "written" };

	collect_used(search, USE_WRITTEN, 0, &names, &lines);
	if (!names.nr || names.nr == search->members.nr || !type->name)
		return;
	edit.type_name = arena_printf(arena, "%s_written", type->name);
	edit.members = arena_copy(arena, names.items, names.nr * sizeof(*names.items));
	edit.nr_members = names.nr;
	add(search, edit,
	    arena_printf(arena, "split off what is written: %zu field%s", names.nr,
			 names.nr == 1 ? "" : "s"),
	    arena_printf(arena, "struct %s *written;\n\nstruct %s {\n%s};", edit.type_name,
			 edit.type_name, text_chars(&lines)));
}

/* All own members with some use, between markers on a line of their own. */
static void add_group(struct search *search, unsigned int uses, unsigned int others,
		      const char *name)
{
	const uint32_t line = search->proposer->request->view.cacheline;
	struct arena *arena = search->proposer->arena;
	auto_vec struct string_vec names = {};
	struct edit edit = { EDIT_GROUP, .name = name, .align = line, .end_align = line };
	auto_text struct text change = {};

	text_printf(&change, "__cacheline_group_begin_aligned(%s, %" PRIu32 ");\n", name, line);
	collect_used(search, uses, others, &names, &change);
	if (!names.nr || names.nr == search->members.nr)
		return;
	text_printf(&change, "__cacheline_group_end_aligned(%s, %" PRIu32 ");", name, line);
	edit.members = arena_copy(arena, names.items, names.nr * sizeof(*names.items));
	edit.nr_members = names.nr;
	add(search, edit,
	    arena_printf(arena, "group what is %s on lines of its own: %zu field%s", name, names.nr,
			 names.nr == 1 ? "" : "s"),
	    arena_strdup(arena, text_chars(&change)));
}

static void search_deinit(struct search *search)
{
	vec_deinit(&search->members);
}

static void cure_once(struct search *search, struct map *seen, const char *path)
{
	const struct own_member *member = path ? member_of(search, path) : NULL;
	bool is_new;

	if (!member)
		return;
	map_add(seen, (uintptr_t)member, &is_new);
	if (is_new)
		cure_member(search, member);
}

void candidates_find(struct proposer *proposer, struct candidate_vec *ret)
{
	struct search search __attribute__((cleanup(search_deinit))) = { proposer, {}, ret };
	const struct trouble_vec *troubles = &proposer->before.troubles;
	const struct used_field_vec *used = &proposer->request->used;
	auto_map struct map seen = {};

	own_members_list(proposer->type, &search.members);
	for (size_t i = 0; i < troubles->nr; i++) {
		cure_once(&search, &seen, troubles->items[i].path);
		cure_once(&search, &seen, troubles->items[i].other);
	}
	if (!troubles->nr)
		return;
	for (size_t i = 0; i < used->nr; i++) {
		if (used->items[i].uses & USE_HOT)
			cure_once(&search, &seen, used->items[i].path);
	}
	add_group(&search, USE_WRITTEN, 0, "written");
	add_group(&search, USE_READ_MOSTLY, USE_WRITTEN, "read_mostly");
	add_group(&search, USE_HOT, 0, "hot");
	add_split(&search);
}
