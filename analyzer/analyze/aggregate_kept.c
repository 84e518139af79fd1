/* SPDX-License-Identifier: GPL-2.0-only */
/* The objects and lines of memory that a profile keeps: those fought over most. */
#include <string.h>

#include "analyze/aggregation.h"

/* A person reads no more, types tell of all. */
#define MAX_KEPT 1000

/* The first MAX_KEPT are the best of all that came before the others; there is room for as many. */
struct kept {
	char *items;
	size_t nr, bytes; /* of one */
	int (*compare)(const void *a, const void *b);
	uint64_t nr_left_out;
};

static struct kept kept_create(size_t bytes, int (*compare)(const void *a, const void *b))
{
	return (struct kept){ .items = memory_alloc(2 * MAX_KEPT, bytes),
			      .bytes = bytes,
			      .compare = compare };
}

static void sort_kept(struct kept *kept)
{
	qsort(kept->items, kept->nr, kept->bytes, kept->compare);
	if (kept->nr <= MAX_KEPT)
		return;
	kept->nr_left_out += kept->nr - MAX_KEPT;
	kept->nr = MAX_KEPT;
}

/* Where a copy of the item is kept; NULL = there are enough that come before it. */
static void *keep(struct kept *kept, const void *item)
{
	if (kept->nr == 2 * MAX_KEPT)
		sort_kept(kept);
	if (kept->nr_left_out &&
	    kept->compare(item, kept->items + (MAX_KEPT - 1) * kept->bytes) > 0) {
		kept->nr_left_out++;
		return NULL;
	}
	return memcpy(kept->items + kept->nr++ * kept->bytes, item, kept->bytes);
}

static int compare_objects(const void *a, const void *b)
{
	const struct profile_object *left = a, *right = b;
	int order = COMPARE(profile_counts_contended(&right->counts),
			    profile_counts_contended(&left->counts));

	order = order ? order : COMPARE(right->counts.samples, left->counts.samples);
	order = order ? order : COMPARE(left->base, right->base);
	return order ? order : COMPARE(left->type, right->type);
}

void aggregate_keep_objects(struct aggregate *aggregate)
{
	struct kept kept = kept_create(sizeof(struct profile_object), compare_objects);
	struct profile *profile = &aggregate->profile;

	for (size_t i = 0; i < aggregate->objects.nr; i++) {
		const struct seen_object *object = &aggregate->objects.items[i];

		keep(&kept, &(struct profile_object){
				    .type = object->type,
				    .base = object->base,
				    .counts = small_counts_widen(&object->counts),
				    .cpus = object->cpus,
			    });
	}
	sort_kept(&kept);
	profile->objects.items = (struct profile_object *)kept.items;
	profile->objects.nr = kept.nr;
	profile->totals.nr_objects_left_out = kept.nr_left_out;
}

static int compare_addresses(const void *a, const void *b)
{
	const struct profile_address *left = a, *right = b;
	int order = COMPARE(profile_counts_contended(&right->counts),
			    profile_counts_contended(&left->counts));

	order = order ? order :
			COMPARE(right->nr_true + right->nr_false, left->nr_true + left->nr_false);
	order = order ? order : COMPARE(right->counts.samples, left->counts.samples);
	return order ? order : COMPARE(left->address, right->address);
}

/* The spot with most samples says what the line is. */
static const struct footprint *main_footprint(const struct aggregate *aggregate,
					      const struct line_history *history)
{
	const struct line_spot *most = history->spots.items;

	for (uint32_t i = 1; i < history->spots.nr; i++) {
		if (history->spots.items[i].nr_samples > most->nr_samples)
			most = &history->spots.items[i];
	}
	return &aggregate->footprints.items[most->footprint];
}

void aggregate_keep_addresses(struct aggregate *aggregate)
{
	struct kept kept = kept_create(sizeof(struct profile_address), compare_addresses);
	struct profile *profile = &aggregate->profile;

	for (size_t i = 0; i < aggregate->memory.nr; i++) {
		const struct memory_line *memory = &aggregate->memory.items[i];
		const struct footprint *footprint;
		struct profile_address *address =
			keep(&kept, &(struct profile_address){
					    .address = memory->address,
					    .counts = small_counts_widen(&memory->counts),
					    .cpus = memory->cpus,
					    .nr_true = memory->nr_true,
					    .nr_false = memory->nr_false,
				    });

		if (!address)
			continue;
		footprint = main_footprint(aggregate, &memory->history);
		address->type = profile->places.items[footprint->place].type;
		if (footprint->has_object)
			address->object = memory->address + (uint64_t)footprint->object;
	}
	sort_kept(&kept);
	profile->addresses.items = (struct profile_address *)kept.items;
	profile->addresses.nr = kept.nr;
	profile->totals.nr_addresses_left_out = kept.nr_left_out;
}
