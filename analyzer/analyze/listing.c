/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/listing.h"

#include <string.h>

#include "analyze/members.h"
#include "analyze/statistics.h"

/* Whether the type, a typedef on the way to it or the element of an array answers the query. */
static bool holds(const struct type *type, const struct type_query *query)
{
	for (; type && !type_is_aggregate(type); type = type->target) {
		if (type->kind == TYPE_TYPEDEF && type->name &&
		    type_query_matches(query, TYPE_TYPEDEF, type->name))
			return true;
		if (type->kind != TYPE_TYPEDEF && type->kind != TYPE_ARRAY &&
		    type_unqualified(type) == type)
			return false;
	}
	return type && type->name && type_query_matches(query, type->kind, type->name);
}

static void find_occurrences(struct listing *listing, struct listed *listed,
			     const struct type_query *query)
{
	auto_vec struct member_vec members = {};
	auto_text struct text path = {};

	members_open(listed->definition->type, &members);
	listed->first_occurrence = listing->occurrences.nr;
	for (size_t i = 0; i < members.nr; i++) {
		uint64_t offset_bits = members.items[i].offset_bits;

		if (!holds(members.items[i].field->type, query))
			continue;
		text_clear(&path);
		member_print_path(&path, &members, i);
		*vec_add(&listing->occurrences) = (struct occurrence){
			.path = arena_strdup(&listing->arena, text_chars(&path)),
			.offset =
				offset_bits == FIELD_OFFSET_UNKNOWN ? offset_bits : offset_bits / 8,
		};
	}
	listed->nr_occurrences = listing->occurrences.nr - listed->first_occurrence;
}

static bool passes(const struct listed *listed, const struct listing_request *request)
{
	const struct statistics *statistics = &listed->statistics;
	const struct definition *definition = listed->definition;
	enum type_kind kind = definition->typedef_name ? TYPE_TYPEDEF : definition->type->kind;

	return statistics->size >= request->min_size && statistics->size <= request->max_size &&
	       statistics->nr_holes + statistics->nr_bit_holes >= request->min_holes &&
	       statistics->nr_straddles >= request->min_straddles &&
	       (!request->match ||
		type_query_matches(request->match, kind, definition_name(definition)));
}

static uint64_t sort_key(const struct listed *listed, enum listing_order order)
{
	const struct statistics *statistics = &listed->statistics;

	switch (order) {
	case LISTING_BY_SIZE:
		return statistics->size;
	case LISTING_BY_HOLES:
		return statistics->nr_holes + statistics->nr_bit_holes;
	case LISTING_BY_HOLE_BYTES:
		return 8 * statistics->hole_bytes + statistics->bit_hole_bits;
	case LISTING_BY_LINES:
		return statistics->nr_lines;
	case LISTING_BY_STRADDLES:
		return statistics->nr_straddles;
	case LISTING_BY_NAME:
		break;
	}
	return 0; /* the definitions come by name */
}

struct ordering {
	enum listing_order order;
	bool reverse;
};

static int compare(const void *a, const void *b, void *context)
{
	const struct listed *left = a, *right = b;
	const struct ordering *ordering = context;
	uint64_t of_left = sort_key(left, ordering->order);
	uint64_t of_right = sort_key(right, ordering->order);
	int order = of_left > of_right ? -1 : of_left < of_right;

	/* Definitions lie in one array, by name. */
	if (!order)
		order = left->definition < right->definition ? -1 : 1;
	return ordering->reverse ? -order : order;
}

static struct error *nothing_left(const struct listing_request *request)
{
	if (request->contains)
		return error_create(ERROR_NOT_FOUND,
				    "no struct that passes the filters embeds '%s' by value; a "
				    "pointer to it does not count",
				    request->contains->text);
	return error_create(ERROR_NOT_FOUND, "no struct passes the filters");
}

static size_t count_same_name(const struct definition_vec *definitions, size_t start)
{
	const char *name = definition_name(&definitions->items[start]);
	size_t end = start + 1;

	while (end < definitions->nr && !strcmp(definition_name(&definitions->items[end]), name))
		end++;
	return end - start;
}

struct error *listing_build(const struct typeset *set, const struct listing_request *request,
			    struct listing *ret)
{
	struct ordering ordering = { request->order, request->reverse };
	auto_listing struct listing listing = { .view = request->view };
	size_t number = 0, nr_numbers = 0;

	if (request->contains)
		listing.contained = request->contains->text;
	for (size_t i = 0; i < set->definitions.nr; i++) {
		const struct definition *definition = &set->definitions.items[i];
		struct listed listed = {
			.definition = definition,
			.statistics = statistics_of(definition->type, request->view),
		};

		if (number == nr_numbers) {
			nr_numbers = count_same_name(&set->definitions, i);
			number = 0;
		}
		listed.number = ++number;
		listed.nr_numbers = nr_numbers;
		if (!passes(&listed, request))
			continue;
		if (request->contains) {
			find_occurrences(&listing, &listed, request->contains);
			if (!listed.nr_occurrences)
				continue;
		}
		*vec_add(&listing.structs) = listed;
	}
	if (!listing.structs.nr)
		return nothing_left(request);
	qsort_r(listing.structs.items, listing.structs.nr, sizeof(*listing.structs.items), compare,
		&ordering);
	*ret = listing;
	listing = (struct listing){};
	return NULL;
}
