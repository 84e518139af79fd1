/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/survey.h"

#include <string.h>

#include "propose/propose.h"
#include "propose/trouble.h"

/* The struct that the member called by the first word of a path holds; NULL = none. */
static const struct type *held_by(const struct type *type, const char *path)
{
	auto_vec struct placed_vec placed = {};
	const size_t length = strcspn(path, ".[");
	const struct type *held = NULL;

	layout_flatten(type, 0, &placed);
	for (size_t i = 0; i < placed.nr && !held; i++) {
		const struct field *field = placed.items[i].field;

		if (field->name && strlen(field->name) == length &&
		    !strncmp(field->name, path, length))
			held = type_strip(field->type);
	}
	while (held && held->kind == TYPE_ARRAY)
		held = type_strip(held->target);
	return type_is_aggregate(held) ? held : NULL;
}

static struct surveyed *find_surveyed(struct survey *survey, const struct type *type)
{
	for (size_t i = 0; i < survey->found.nr; i++) {
		const struct type *other = survey->found.items[i].definition->type;

		if (other == type ||
		    (type->name && other->name && !strcmp(other->name, type->name)))
			return &survey->found.items[i];
	}
	return NULL;
}

static bool has_trouble(const struct surveyed *surveyed, const char *path)
{
	for (size_t i = 0; i < surveyed->troubles.nr; i++) {
		if (!strcmp(surveyed->troubles.items[i].path, path))
			return true;
	}
	return false;
}

/* The innermost struct that is in the same trouble by itself, on the way to a field. */
static struct surveyed *find_origin(struct survey *survey, const struct surveyed *surveyed,
				    const char *path)
{
	const struct type *type = surveyed->definition->type;
	struct surveyed *origin = NULL, *found;

	for (const char *dot; (dot = strchr(path, '.')); path = dot + 1) {
		type = held_by(type, path);
		if (!type)
			break;
		found = find_surveyed(survey, type);
		if (found && has_trouble(found, dot + 1))
			origin = found;
	}
	return origin;
}

static void find_troubles(const struct typeset *set, struct survey *survey)
{
	static const struct used_field_vec none = {};

	for (size_t i = 0; i < set->definitions.nr; i++) {
		const struct definition *definition = &set->definitions.items[i];
		struct standing standing =
			standing_of(definition->type, survey->view, &none, &survey->arena);

		vec_deinit(&standing.sharing);
		if (standing.troubles.nr)
			*vec_add(&survey->found) =
				(struct surveyed){ .definition = definition,
						   .troubles = standing.troubles };
		else
			vec_deinit(&standing.troubles);
	}
}

/* Moves what has its origin in another struct there; what is left of some is nothing. */
static void settle_origins(struct survey *survey)
{
	auto_vec struct string_vec seen = {};
	size_t nr = 0;

	for (size_t i = 0; i < survey->found.nr; i++) {
		struct surveyed *surveyed = &survey->found.items[i], *origin = NULL;
		bool all = true;

		for (size_t j = 0; j < surveyed->troubles.nr && all; j++) {
			origin = find_origin(survey, surveyed, surveyed->troubles.items[j].path);
			all = origin != NULL;
		}
		if (all)
			*vec_add(&origin->holders) =
				definition_label(surveyed->definition, &survey->arena);
		*vec_add(&seen) = all ? "" : NULL;
	}
	for (size_t i = 0; i < survey->found.nr; i++) {
		struct surveyed *surveyed = &survey->found.items[i];

		if (!seen.items[i]) {
			survey->found.items[nr++] = *surveyed;
			continue;
		}
		vec_deinit(&surveyed->troubles);
		vec_deinit(&surveyed->holders);
	}
	survey->found.nr = nr;
}

static struct error *find_cure(const struct typeset *set, struct survey *survey,
			       struct surveyed *surveyed)
{
	const struct propose_request request = { .set = set,
						 .definition = surveyed->definition,
						 .view = survey->view };
	auto_proposals struct proposals proposals = {};
	struct error *err = propose(&request, &proposals);

	/* That a layout can't be explained leaves what was seen of it. */
	if (err && error_kind(err) == ERROR_INPUT) {
		error_destroy(err);
		return NULL;
	}
	if (err)
		return err;
	surveyed->before = proposals.figures;
	if (proposals.made.nr) {
		surveyed->title = arena_strdup(&survey->arena, proposals.made.items[0].title);
		surveyed->after = proposals.made.items[0].figures;
	}
	return NULL;
}

static uint32_t units_of(const struct typeset *set, const struct type *type)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < set->definitions.nr; i++) {
		const struct definition *definition = &set->definitions.items[i];

		if (definition->type == type ||
		    (type->name && !strcmp(definition_name(definition), type->name)))
			nr += definition->nr_units;
	}
	return nr;
}

/* Of the structs on the way to a lock the innermost is the one that declares it. */
static uint32_t count_users(const struct typeset *set, const struct surveyed *surveyed)
{
	uint32_t most = 0;

	for (size_t i = 0; i < surveyed->troubles.nr; i++) {
		const struct type *type = surveyed->definition->type, *held = type;
		const char *path = surveyed->troubles.items[i].path;
		uint32_t nr;

		for (const char *dot; held && (dot = strchr(path, '.')); path = dot + 1) {
			held = held_by(held, path);
			type = held && held->name ? held : type;
		}
		nr = units_of(set, type);
		most = nr > most ? nr : most;
	}
	return most;
}

static unsigned int worst_of(const struct surveyed *surveyed)
{
	unsigned int worst = 0;

	for (size_t i = 0; i < surveyed->troubles.nr; i++)
		worst = surveyed->troubles.items[i].weight > worst ?
				surveyed->troubles.items[i].weight :
				worst;
	return worst;
}

static int compare_surveyed(const void *a, const void *b)
{
	const struct surveyed *left = a, *right = b;
	unsigned int left_worst = worst_of(left), right_worst = worst_of(right);

	if (left_worst != right_worst)
		return left_worst > right_worst ? -1 : 1;
	if (left->nr_units != right->nr_units)
		return left->nr_units > right->nr_units ? -1 : 1;
	return strcmp(definition_name(left->definition), definition_name(right->definition));
}

struct error *propose_survey(const struct typeset *set, struct view view, struct survey *ret)
{
	auto_survey struct survey survey = { .path = set->source.path,
					     .view = view,
					     .nr_structs = set->definitions.nr };
	struct error *err = NULL;

	find_troubles(set, &survey);
	settle_origins(&survey);
	for (size_t i = 0; i < survey.found.nr && !err; i++) {
		survey.found.items[i].nr_units = count_users(set, &survey.found.items[i]);
		err = find_cure(set, &survey, &survey.found.items[i]);
	}
	if (err)
		return err;
	vec_sort(&survey.found, compare_surveyed);
	*ret = survey;
	survey = (struct survey){};
	return NULL;
}
