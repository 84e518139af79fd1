/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/inferred.h"

#include "base/vec.h"
#include "resolve/allocations.h"
#include "resolve/embedding.h"

/* Objects of a source are laid one over the other, at a place of its own: 4 GiB, aligned. */
#define PLACE_BITS 32
/* Of what was seen in an object so much must lie in the struct of its size. */
#define FITS(part, whole) (4 * (part) >= 3 * (whole))

enum { LEAST_CLUES = 2 };

DEFINE_VEC(ip_vec, uint64_t);

/* A struct that instructions see in a source's objects. */
struct clue {
	const struct type *type;
	uint64_t offset;
};

DEFINE_VEC(clue_vec, struct clue);

struct inference {
	const struct counts *counts;
	const struct type *const *cache_types;
	struct resolver *resolver;
	struct allocations *allocations;
	struct clue_vec *clues; /* by source */
};

static uint64_t place_of(uint32_t source)
{
	return (uint64_t)(source + 1) << PLACE_BITS;
}

/* Whether the source says no type, but call site and size are one object's. */
static bool is_open(const struct inference *inference, uint32_t number)
{
	const struct counts_source *source = &inference->counts->sources.items[number];

	return source->form == COUNTS_FORM_PERCPU || source->form == COUNTS_FORM_EARLY ||
	       (source->form == COUNTS_FORM_SLAB && !inference->cache_types[source->cache - 1]);
}

static void add_source(const struct inference *inference, uint32_t number)
{
	const struct counts_source *source = &inference->counts->sources.items[number];
	const struct counts_cache *cache =
		source->cache ? &inference->counts->caches.items[source->cache - 1] : NULL;
	uint64_t size = source->size ?: cache ? cache->object_size : 0;

	allocations_add(inference->allocations, place_of(number), size, cache ? cache->name : "",
			source->site);
}

static void add_clue(struct clue_vec *clues, const struct type *type, uint64_t offset)
{
	for (size_t i = 0; i < clues->nr; i++) {
		if (clues->items[i].offset == offset && type_is_same(clues->items[i].type, type))
			return;
	}
	*vec_add(clues) = (struct clue){ type, offset };
}

/* What the instruction sees there: a vote, if it starts where the object does, and a clue. */
static void learn(const struct inference *inference, const struct counts_row *row)
{
	const struct sample sample = {
		.has = SAMPLE_HAS_IP | SAMPLE_HAS_ADDR,
		.ip = inference->counts->places.items[row->place].ip,
		.addr = place_of(row->source) + row->offset,
	};
	struct allocated object;
	struct access access;

	resolver_resolve(inference->resolver, &sample, &access);
	if (!type_is_aggregate(type_strip(access.type)) || access.confidence < CONFIDENCE_MEDIUM ||
	    !allocations_find(inference->allocations, access.object, &object) ||
	    object.start != place_of(row->source))
		return;
	if (access.object == object.start)
		allocations_vote(inference->allocations, object.kind, access.type);
	add_clue(&inference->clues[row->source], access.type, access.object - object.start);
}

static bool fits(const struct type *type, const struct clue_vec *clues)
{
	size_t nr = 0;

	for (size_t i = 0; i < clues->nr; i++) {
		const struct clue *clue = &clues->items[i];

		/* An index into an array moves the start that an instruction sees. */
		nr += type_is_same(type, clue->type) || type_holds(type, clue->offset, clue->type);
	}
	return nr && FITS(nr, clues->nr);
}

/* The only struct of just the size that was asked for in which the clues lie; NULL = no such. */
static const struct type *find_by_size(const struct inference *inference, uint32_t number)
{
	uint64_t size = inference->counts->sources.items[number].size;
	struct code *code = resolver_code(inference->resolver);
	const struct type *found = NULL;
	const struct shape *shape;

	code_index(code);
	for (size_t i = 0; size && (shape = code_definition(code, i)); i++) {
		const struct type *type =
			(uint64_t)shape->size == size ? code_type(code, shape) : NULL;

		if (!type || !fits(type, &inference->clues[number]))
			continue;
		if (found && !type_is_same(found, type))
			return NULL;
		found = type;
	}
	return found;
}

static const struct type *choose(const struct inference *inference, uint32_t number)
{
	const struct type *voted = NULL, *sized = NULL;
	struct allocated object;

	if (allocations_find(inference->allocations, place_of(number), &object))
		voted = allocations_type(inference->allocations, object.kind);
	if (voted || inference->clues[number].nr >= LEAST_CLUES)
		sized = find_by_size(inference, number);
	return sized ?: voted;
}

static void prepare(const struct inference *inference)
{
	const struct counts *counts = inference->counts;
	auto_vec struct ip_vec ips = {};

	for (uint32_t i = 0; i < counts->sources.nr; i++) {
		if (is_open(inference, i))
			add_source(inference, i);
	}
	for (size_t i = 0; i < counts->rows.nr; i++) {
		if (is_open(inference, counts->rows.items[i].source))
			*vec_add(&ips) = counts->places.items[counts->rows.items[i].place].ip;
	}
	resolver_prepare(inference->resolver, ips.items, ips.nr);
}

const struct type **inferred_types(const struct counts *counts,
				   const struct type *const *cache_types, struct resolver *resolver)
{
	const struct type **types = memory_alloc(counts->sources.nr + 1, sizeof(*types));
	auto_free struct clue_vec *clues = memory_alloc(counts->sources.nr + 1, sizeof(*clues));
	const struct inference inference = {
		.counts = counts,
		.cache_types = cache_types,
		.resolver = resolver,
		.allocations = allocations_create(),
		.clues = clues,
	};

	prepare(&inference);
	for (size_t i = 0; i < counts->rows.nr; i++) {
		if (is_open(&inference, counts->rows.items[i].source))
			learn(&inference, &counts->rows.items[i]);
	}
	for (uint32_t i = 0; i < counts->sources.nr; i++) {
		types[i] = choose(&inference, i);
		vec_deinit(&clues[i]);
	}
	allocations_destroy(inference.allocations);
	return types;
}
