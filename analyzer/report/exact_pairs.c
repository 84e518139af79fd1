/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/exact_pairs.h"

#include <string.h>

#include "base/map.h"

enum { LISTED_FIELDS = 20, LISTED_FUNCTIONS = 2 };

/* All meetings of two fields. */
struct field_pair {
	uint64_t nr_true, nr_false;
	size_t first; /* of the meetings, most misses first: its number in exact->pairs */
};

DEFINE_VEC(field_pair_vec, struct field_pair);

static bool same_fields(const struct exact_pair *a, const struct exact_pair *b)
{
	return a->writer_type == b->writer_type && a->reader_type == b->reader_type &&
	       !strcmp(a->writer_path, b->writer_path) && !strcmp(a->reader_path, b->reader_path);
}

static uint64_t hash_fields(const struct exact_pair *pair)
{
	uint64_t hash = hash_mix(pair->writer_type, pair->reader_type);

	return hash_string(hash_string(hash, pair->writer_path), pair->reader_path);
}

static void add_up(const struct exact *exact, struct field_pair_vec *ret)
{
	auto_map struct map numbers = {};

	for (size_t i = 0; i < exact->pairs.nr; i++) {
		const struct exact_pair *pair = &exact->pairs.items[i];
		bool is_new;
		struct map_slot *slot = map_add(&numbers, hash_fields(pair), &is_new);

		if (is_new) {
			slot->value = ret->nr;
			*vec_add(ret) = (struct field_pair){ .first = i };
		}
		ret->items[slot->value].nr_true += pair->nr_true;
		ret->items[slot->value].nr_false += pair->nr_false;
	}
}

static int compare(const void *a, const void *b)
{
	const struct field_pair *left = a, *right = b;
	uint64_t nr_left = left->nr_true + left->nr_false;
	uint64_t nr_right = right->nr_true + right->nr_false;

	if (nr_left != nr_right)
		return nr_left > nr_right ? -1 : 1;
	return left->first < right->first ? -1 : 1;
}

/* Those that did most of it. */
static void print_functions(struct text *text, const struct exact *exact, size_t first)
{
	const struct exact_pair *pairs = exact->pairs.items;
	uint32_t nr = 0, nr_more = 0;

	for (size_t i = first; i < exact->pairs.nr; i++) {
		if (!same_fields(&pairs[i], &pairs[first]))
			continue;
		if (nr == LISTED_FUNCTIONS) {
			nr_more++;
			continue;
		}
		text_printf(text, "%s%s() -> %s()", nr++ ? ", " : ": ", pairs[i].writer_function,
			    pairs[i].reader_function);
	}
	if (nr_more)
		text_printf(text, " and %u more", nr_more);
	text_add(text, "\n");
}

static void print_pair(struct text *text, const struct exact *exact, const struct field_pair *pair)
{
	const struct exact_pair *first = &exact->pairs.items[pair->first];
	const struct exact_type *types = exact->types.items;
	double nr = exact->run.nr_operations ?: 1;

	text_printf(text, "  %9.3f %8.3f  %s: %s -> ", pair->nr_true / nr, pair->nr_false / nr,
		    types[first->writer_type].label, first->writer_path);
	if (first->reader_type != first->writer_type)
		text_printf(text, "%s: ", types[first->reader_type].label);
	text_add(text, first->reader_path);
	print_functions(text, exact, pair->first);
}

void exact_pairs_print(struct text *text, const struct exact *exact)
{
	auto_vec struct field_pair_vec all = {};

	add_up(exact, &all);
	if (!all.nr)
		return;
	vec_sort(&all, compare);
	text_add(text, "\nWho takes a line from whom, per operation (true: the reader wants the "
		       "bytes that were written):\n\n"
		       "       true    false  what is written -> what misses: by whom -> whose\n");
	for (size_t i = 0; i < all.nr && i < LISTED_FIELDS; i++)
		print_pair(text, exact, &all.items[i]);
}
