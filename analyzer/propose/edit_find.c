/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/edit_find.h"

#include <string.h>

#include "model/layout.h"

/* The path to placed[at], from its outermost struct. */
static void path_to(const struct type *type, const struct placed_vec *placed, int32_t at,
		    struct field_path *ret)
{
	const struct placed *field = &placed->items[at];

	if (field->parent >= 0) {
		path_to(type, placed, field->parent, ret);
		type = type_unqualified(placed->items[field->parent].field->type);
	}
	ret->at[ret->nr++] = (uint32_t)(field->field - type->fields);
}

static bool find_name(const struct type *type, const char *name, struct field_path *ret)
{
	auto_vec struct placed_vec placed = {};

	layout_flatten(type, 0, &placed);
	for (size_t i = 0; i < placed.nr; i++) {
		const struct placed *field = &placed.items[i];

		if (!field->field->name || strcmp(field->field->name, name) ||
		    field->depth >= PATH_MAX_DEPTH)
			continue;
		path_to(type, &placed, (int32_t)i, ret);
		return true;
	}
	return false;
}

bool edit_finds(const struct type *type, const char *name)
{
	return find_name(type, name, &(struct field_path){});
}

static struct error *find_member(const struct type *type, const char *name, uint32_t outward,
				 struct field_path *ret)
{
	struct field_path path = {};

	if (!name || !find_name(type, name, &path))
		return error_create(ERROR_INPUT, "it has no member '%s'", name ? name : "");
	if (outward >= path.nr)
		return error_create(ERROR_INPUT,
				    "'%s' lies in %u anonymous structs or unions, not in %u", name,
				    path.nr - 1, outward);
	path.nr -= outward;
	*ret = path;
	return NULL;
}

/* Shortens level to what both have in common, the last index of either excluded. */
static void narrow(struct field_path *level, const struct field_path *path)
{
	uint32_t nr = 0;

	while (nr < level->nr && nr + 1 < path->nr && level->at[nr] == path->at[nr])
		nr++;
	level->nr = nr;
}

static bool is_listed(const struct found_edit *found, uint32_t at)
{
	for (size_t i = 0; i < found->nr_at; i++) {
		if (found->at[i] == at)
			return true;
	}
	return false;
}

static struct error *find_members(const struct type *type, const struct edit *edit,
				  struct field_path *level, struct found_edit *found)
{
	auto_free struct field_path *paths = memory_alloc(edit->nr_members, sizeof(*paths));
	struct error *err;

	for (size_t i = 0; i < edit->nr_members; i++) {
		err = find_member(type, edit->members[i], 0, &paths[i]);
		if (err)
			return err;
		if (!i) {
			*level = paths[0];
			level->nr--;
		}
		narrow(level, &paths[i]);
	}
	for (size_t i = 0; i < edit->nr_members; i++) {
		uint32_t at = paths[i].at[level->nr];

		if (is_listed(found, at))
			return error_create(ERROR_INPUT,
					    "'%s' is listed twice, or lies in one anonymous "
					    "struct with another that is listed",
					    edit->members[i]);
		found->at[found->nr_at++] = at;
	}
	return NULL;
}

static const struct type *at_level(const struct type *type, const struct field_path *level)
{
	for (uint32_t i = 0; i < level->nr; i++)
		type = type_unqualified(type->fields[level->at[i]].type);
	return type;
}

static struct error *find_list(const struct type *type, const struct edit *edit,
			       struct field_path *level, struct found_edit *found)
{
	const struct type *holder;
	struct error *err;

	if (!edit->nr_members)
		return error_create(ERROR_INPUT, "no member is named");
	err = find_members(type, edit, level, found);
	if (err)
		return err;
	holder = at_level(type, level);
	if (holder->kind == TYPE_UNION)
		return error_create(ERROR_INPUT, "'%s' is an alternative of a union",
				    edit->members[0]);
	if (edit->kind == EDIT_ORDER && found->nr_at != holder->nr_fields)
		return error_create(ERROR_INPUT, "the order names %zu of %u members", found->nr_at,
				    holder->nr_fields);
	return NULL;
}

static struct error *find_anchor(const struct type *type, const struct edit *edit,
				 const struct field_path *level, struct found_edit *found)
{
	struct field_path path, common = *level;
	struct error *err = find_member(type, edit->anchor, 0, &path);

	if (err)
		return err;
	narrow(&common, &path);
	if (common.nr != level->nr || path.at[level->nr] == found->at[0])
		return error_create(ERROR_INPUT, "'%s' and '%s' are not members of the same struct",
				    edit->member, edit->anchor);
	found->anchor_at = path.at[level->nr];
	return NULL;
}

static bool takes_list(const struct edit *edit)
{
	return edit->kind == EDIT_ORDER || edit->kind == EDIT_GROUP || edit->kind == EDIT_SPLIT;
}

struct error *edit_find(const struct type *type, const struct edit *edit, struct arena *arena,
			struct field_path *ret_level, struct found_edit *ret)
{
	struct found_edit found = { .edit = edit, .type = edit->type };
	struct field_path level = {};
	struct error *err = NULL;

	found.at = arena_alloc(arena, edit->nr_members + 1, sizeof(*found.at));
	if (takes_list(edit)) {
		err = find_list(type, edit, &level, &found);
	} else if (edit->kind != EDIT_ALIGN_TYPE || edit->outward) {
		err = find_member(type, edit->member, edit->outward, &level);
		if (!err && edit->kind != EDIT_ALIGN_TYPE)
			found.at[found.nr_at++] = level.at[--level.nr];
	}
	if (!err && edit->kind == EDIT_MOVE)
		err = find_anchor(type, edit, &level, &found);
	if (err)
		return err;
	*ret_level = level;
	*ret = found;
	return NULL;
}
