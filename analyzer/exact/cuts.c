/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/cuts.h"

#include <string.h>

/* Of a field: how often a function wrote it. */
static uint64_t writes_by(const struct exact *exact, const struct exact_field *field,
			  const char *function)
{
	uint64_t nr = 0;

	for (uint32_t i = 0; i < field->nr_functions; i++) {
		const struct exact_function *by =
			&exact->functions.items[field->first_function + i];

		if (!strcmp(by->name, function))
			nr += by->counts.stores + by->counts.atomics;
	}
	return nr;
}

/* The path of what both fields are members of: "vfs_inode.i_rwsem." of count and owner. */
static bool same_parent(const struct exact_field *a, const struct exact_field *b)
{
	const char *dot = strrchr(a->path, '.');
	size_t nr = dot ? (size_t)(dot - a->path) + 1 : 0;

	return nr && !strncmp(a->path, b->path, nr) && !strchr(b->path + nr, '.');
}

/* Seldom written together costs nothing worth a line. */
static bool is_frequent(const struct exact *exact, uint64_t nr)
{
	return nr && nr * 10 >= exact->run.nr_operations;
}

static void consider(struct exact *exact, uint32_t first, uint32_t second)
{
	const struct exact_field *a = &exact->fields.items[first];
	const struct exact_field *b = &exact->fields.items[second];
	struct exact_cut cut = { .first = first, .second = second };

	if (!same_parent(a, b) || !exact_counts_transfers(&a->counts) ||
	    !exact_counts_transfers(&b->counts))
		return;
	for (uint32_t i = 0; i < a->nr_functions; i++) {
		const char *function = exact->functions.items[a->first_function + i].name;
		uint64_t nr_a = writes_by(exact, a, function);
		uint64_t nr_b = writes_by(exact, b, function);
		uint64_t nr = nr_a < nr_b ? nr_a : nr_b;

		if (nr > cut.nr) {
			cut.nr = nr;
			cut.function = function;
		}
	}
	if (is_frequent(exact, cut.nr))
		*vec_add(&exact->cuts) = cut;
}

/* All pairs of fields on two neighbouring lines of the same objects. */
static void consider_lines(struct exact *exact, const struct exact_line *a,
			   const struct exact_line *b)
{
	for (uint32_t i = 0; i < a->nr_fields; i++) {
		for (uint32_t k = 0; k < b->nr_fields; k++)
			consider(exact, a->first_field + i, b->first_field + k);
	}
}

static int compare_cuts(const void *a, const void *b)
{
	const struct exact_cut *left = a, *right = b;

	if (left->nr != right->nr)
		return left->nr > right->nr ? -1 : 1;
	if (left->first != right->first)
		return left->first < right->first ? -1 : 1;
	return left->second < right->second ? -1 : 1;
}

void cuts_find(struct exact *exact)
{
	for (size_t i = 0; i < exact->types.nr; i++) {
		const struct exact_type *type = &exact->types.items[i];
		const struct exact_line *lines = exact->lines.items + type->first_line;

		for (uint32_t a = 0; type->type && a < type->nr_lines; a++) {
			for (uint32_t b = 0; b < type->nr_lines; b++) {
				if (lines[a].phase == lines[b].phase &&
				    lines[a].line + 1 == lines[b].line)
					consider_lines(exact, &lines[a], &lines[b]);
			}
		}
	}
	vec_sort(&exact->cuts, compare_cuts);
}
