/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/inferred.h"

#include "base/vec.h"
#include "resolve/allocations.h"

/* Objects of a source are laid one over the other, at a place of its own: 4 GiB, aligned. */
#define PLACE_BITS 32

DEFINE_VEC(ip_vec, uint64_t);

static uint64_t place_of(uint32_t source)
{
	return (uint64_t)(source + 1) << PLACE_BITS;
}

/* Whether the source says no type, but call site and size are one object's. */
static bool is_open(const struct counts *counts, const struct type *const *cache_types,
		    uint32_t number)
{
	const struct counts_source *source = &counts->sources.items[number];

	return source->form == COUNTS_FORM_PERCPU ||
	       (source->form == COUNTS_FORM_SLAB && !cache_types[source->cache - 1]);
}

static void add_source(const struct counts *counts, uint32_t number, struct allocations *ret)
{
	const struct counts_source *source = &counts->sources.items[number];
	const struct counts_cache *cache =
		source->cache ? &counts->caches.items[source->cache - 1] : NULL;
	uint64_t size = source->size ?: cache ? cache->object_size : 0;

	allocations_add(ret, place_of(number), size, cache ? cache->name : "per-CPU", source->site);
}

/* A type that starts where the object does. */
static void vote(const struct counts_row *row, uint64_t ip, struct resolver *resolver,
		 struct allocations *allocations)
{
	const struct sample sample = {
		.has = SAMPLE_HAS_IP | SAMPLE_HAS_ADDR,
		.ip = ip,
		.addr = place_of(row->source) + row->offset,
	};
	struct allocated object;
	struct access access;

	resolver_resolve(resolver, &sample, &access);
	if (access.type && access.confidence >= CONFIDENCE_MEDIUM &&
	    access.object == place_of(row->source) &&
	    allocations_find(allocations, access.object, &object))
		allocations_vote(allocations, object.kind, access.type);
}

const struct type **inferred_types(const struct counts *counts,
				   const struct type *const *cache_types, struct resolver *resolver)
{
	const struct type **types = memory_alloc(counts->sources.nr + 1, sizeof(*types));
	struct allocations *allocations = allocations_create();
	auto_vec struct ip_vec ips = {};
	struct allocated object;

	for (uint32_t i = 0; i < counts->sources.nr; i++) {
		if (is_open(counts, cache_types, i))
			add_source(counts, i, allocations);
	}
	for (size_t i = 0; i < counts->rows.nr; i++) {
		if (is_open(counts, cache_types, counts->rows.items[i].source))
			*vec_add(&ips) = counts->places.items[counts->rows.items[i].place].ip;
	}
	resolver_prepare(resolver, ips.items, ips.nr);
	for (size_t i = 0; i < counts->rows.nr; i++) {
		const struct counts_row *row = &counts->rows.items[i];

		if (is_open(counts, cache_types, row->source))
			vote(row, counts->places.items[row->place].ip, resolver, allocations);
	}
	for (uint32_t i = 0; i < counts->sources.nr; i++) {
		if (allocations_find(allocations, place_of(i), &object))
			types[i] = allocations_type(allocations, object.kind);
	}
	allocations_destroy(allocations);
	return types;
}
