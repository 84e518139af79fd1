/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/definitions.h"

#include <string.h>

/* A name with more pairs of definitions than this has them paired in the order they come. */
#define MAX_FITS 16384

static enum type_kind kind_of(const struct definition *definition)
{
	return definition->type->kind == TYPE_CLASS ? TYPE_STRUCT : definition->type->kind;
}

static int compare_keys(const struct definition *a, const struct definition *b)
{
	int order = strcmp(definition_name(a), definition_name(b));

	return order ? order : (int)kind_of(a) - (int)kind_of(b);
}

static int compare_definitions(const void *a, const void *b)
{
	const struct definition *const *left = a, *const *right = b;
	int order = compare_keys(*left, *right);

	/* The set's own order among equals: both point into one array. */
	return order ? order : (*left > *right) - (*left < *right);
}

DEFINE_VEC(definition_list, const struct definition *);

static void list_sorted(const struct typeset *set, struct definition_list *ret)
{
	for (size_t i = 0; i < set->definitions.nr; i++)
		*vec_add(ret) = &set->definitions.items[i];
	vec_sort(ret, compare_definitions);
}

/* Definitions [start, end) of one name and kind. */
struct namesakes {
	const struct definition **items;
	size_t nr;
};

static struct namesakes namesakes_at(const struct definition_list *list, size_t start)
{
	struct namesakes namesakes = { list->items + start, 0 };

	while (start + namesakes.nr < list->nr &&
	       !compare_keys(list->items[start], list->items[start + namesakes.nr]))
		namesakes.nr++;
	return namesakes;
}

static bool has_field(const struct type *type, const char *name)
{
	for (uint32_t i = 0; i < type->nr_fields; i++) {
		if (type->fields[i].name && !strcmp(type->fields[i].name, name))
			return true;
	}
	return false;
}

static uint64_t fields_in_common(const struct type *a, const struct type *b)
{
	uint64_t nr = 0;

	if (a->nr_fields > MAX_FITS / (b->nr_fields + 1))
		return 0;
	for (uint32_t i = 0; i < a->nr_fields; i++)
		nr += a->fields[i].name && has_field(b, a->fields[i].name);
	return nr;
}

static bool same_file(const struct type *a, const struct type *b)
{
	return a->file && b->file && !strcmp(a->file, b->file);
}

/* Larger is better; equal layouts first, then one file, then likeness. */
static uint64_t fit_of(const struct definition *a, const struct definition *b)
{
	uint64_t nr = a->type->nr_fields + (uint64_t)b->type->nr_fields;
	uint64_t likeness = nr ? 2000 * fields_in_common(a->type, b->type) / nr : 1000;

	return ((uint64_t)(type_hash(a->type) == type_hash(b->type)) << 62) +
	       ((uint64_t)same_file(a->type, b->type) << 61) + (likeness << 32) +
	       (type_size(a->type) == type_size(b->type));
}

struct fit {
	uint64_t value;
	size_t old;
	size_t new;
};

static int compare_fits(const void *a, const void *b)
{
	const struct fit *left = a, *right = b;

	if (left->value != right->value)
		return left->value > right->value ? -1 : 1;
	if (left->old != right->old)
		return left->old < right->old ? -1 : 1;
	return left->new < right->new ? -1 : left->new > right->new;
}

static void pair_best(struct namesakes olds, struct namesakes news, const struct definition **taken)
{
	size_t nr = olds.nr * news.nr;
	auto_free struct fit *fits = memory_alloc(nr, sizeof(*fits));

	for (size_t i = 0; i < nr; i++) {
		size_t old = i / news.nr, new = i % news.nr;

		fits[i] = (struct fit){ fit_of(olds.items[old], news.items[new]), old, new };
	}
	qsort(fits, nr, sizeof(*fits), compare_fits);
	for (size_t i = 0; i < nr; i++) {
		if (taken[fits[i].old] || !news.items[fits[i].new])
			continue;
		taken[fits[i].old] = news.items[fits[i].new];
		news.items[fits[i].new] = NULL;
	}
}

/* Empties news of what is paired. */
static void pair_namesakes(struct namesakes olds, struct namesakes news,
			   struct definition_pair_vec *ret)
{
	auto_free const struct definition **taken = memory_alloc(olds.nr, sizeof(*taken));

	if (olds.nr && news.nr && olds.nr <= MAX_FITS / news.nr && olds.nr * news.nr > 1) {
		pair_best(olds, news, taken);
	} else {
		for (size_t i = 0; i < olds.nr && i < news.nr; i++) {
			taken[i] = news.items[i];
			news.items[i] = NULL;
		}
	}
	for (size_t i = 0; i < olds.nr; i++)
		*vec_add(ret) = (struct definition_pair){ olds.items[i], taken[i] };
	for (size_t i = 0; i < news.nr; i++) {
		if (news.items[i])
			*vec_add(ret) = (struct definition_pair){ NULL, news.items[i] };
	}
}

void definitions_pair(const struct typeset *old_set, const struct typeset *new_set,
		      struct definition_pair_vec *ret)
{
	auto_vec struct definition_list olds = {}, news = {};
	size_t i = 0, j = 0;

	list_sorted(old_set, &olds);
	list_sorted(new_set, &news);
	while (i < olds.nr || j < news.nr) {
		struct namesakes old = namesakes_at(&olds, i), new = namesakes_at(&news, j);
		int order = !old.nr ? 1 : !new.nr ? -1 : compare_keys(old.items[0], new.items[0]);

		if (order < 0)
			new.nr = 0;
		if (order > 0)
			old.nr = 0;
		pair_namesakes(old, new, ret);
		i += old.nr;
		j += new.nr;
	}
}
