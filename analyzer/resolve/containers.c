/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/containers.h"

#include <string.h>

#include "base/map.h"

#define MAX_DEPTH 4
/* What lies in so many structs is not in the one that the function happens to have, too. */
#define MANY_EMBEDDINGS 400
/* Elements of arrays that code steps through outside of their bounds are small. */
#define MAX_STEPPED_SIZE 64

struct embedding {
	const struct shape *outer;
	const struct shape *inner;
	int64_t offset;
};

DEFINE_VEC(embedding_vec, struct embedding);

struct containers {
	struct code *code;
	struct embedding_vec embeddings; /* by inner */
	struct map first;		 /* inner's number -> index of its first */
};

static void add_embedded(struct containers *containers, const struct shape *outer,
			 const struct shape *shape, int64_t offset, int depth)
{
	uint32_t nr;
	const struct shape_member *members;

	if (depth > MAX_DEPTH)
		return;
	members = shape_members(shape, &nr);
	for (uint32_t i = 0; i < nr; i++) {
		const struct shape *inner = members[i].shape;
		int64_t at = offset + members[i].offset;

		if (members[i].nr_bits)
			continue;
		if (inner->kind == SHAPE_ARRAY && inner->count == 1)
			inner = inner->target;
		if (!shape_is_struct(inner))
			continue;
		if (inner->name)
			*vec_add(&containers->embeddings) = (struct embedding){ outer, inner, at };
		add_embedded(containers, outer, inner, at, depth + 1);
	}
}

static int compare_embeddings(const void *a, const void *b)
{
	const struct embedding *x = a, *y = b;

	if (x->inner != y->inner)
		return x->inner->number < y->inner->number ? -1 : 1;
	if (x->outer != y->outer)
		return x->outer->number < y->outer->number ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

struct containers *containers_create(struct code *code)
{
	struct containers *containers = memory_alloc(1, sizeof(*containers));
	const struct shape *shape;

	containers->code = code;
	for (size_t i = 0; (shape = code_definition(code, i)); i++) {
		if (shape->kind == SHAPE_STRUCT)
			add_embedded(containers, shape, shape, 0, 0);
	}
	vec_sort(&containers->embeddings, compare_embeddings);
	for (size_t i = 0; i < containers->embeddings.nr; i++) {
		struct map_slot *slot;
		bool is_new;

		slot = map_add(&containers->first, containers->embeddings.items[i].inner->number,
			       &is_new);
		if (is_new)
			slot->value = i;
	}
	return containers;
}

void containers_destroy(struct containers *containers)
{
	if (!containers)
		return;
	vec_deinit(&containers->embeddings);
	map_deinit(&containers->first);
	free(containers);
}

/* The embeddings of shape: [result, *ret_end). */
static const struct embedding *find_embeddings(const struct containers *containers,
					       const struct shape *shape,
					       const struct embedding **ret_end)
{
	const struct embedding *end = containers->embeddings.items + containers->embeddings.nr;
	struct map_slot *slot = map_find(&containers->first, shape->number);
	const struct embedding *first = slot ? &containers->embeddings.items[slot->value] : end;

	*ret_end = first;
	while (*ret_end < end && (*ret_end)->inner == shape)
		++*ret_end;
	return first;
}

DEFINE_VEC(container_match_vec, struct container_match);

/* The places in containers that the unit has and that fit. */
static void find_fitting(struct containers *containers, const struct container_query *query,
			 const struct embedding *first, const struct embedding *end, int64_t offset,
			 struct container_match_vec *ret)
{
	for (const struct embedding *embedding = first; embedding < end; embedding++) {
		struct container_match match = {
			.shape = embedding->outer,
			.offset = embedding->offset + offset,
		};
		const struct container_match *last = ret->nr ? &ret->items[ret->nr - 1] : NULL;

		if (match.offset < 0 || match.offset >= match.shape->size ||
		    (last && last->shape == match.shape && last->offset == match.offset) ||
		    code_unit_has(containers->code, query->function, match.shape->name) ==
			    UNIT_LACKS)
			continue;
		match.place = place_find(match.shape, match.offset, &query->place);
		if (match.place.fit >= FIT_INSIDE)
			*vec_add(ret) = match;
	}
}

/* The match that all others are around; NULL = there is none. */
static const struct container_match *innermost(const struct container_match_vec *matches)
{
	const struct container_match *smallest = &matches->items[0];

	for (size_t i = 1; i < matches->nr; i++) {
		if (matches->items[i].shape->size < smallest->shape->size)
			smallest = &matches->items[i];
	}
	for (size_t i = 0; i < matches->nr; i++) {
		const struct container_match *match = &matches->items[i];

		if (match != smallest &&
		    !place_holds(match->shape, match->offset - smallest->offset, smallest->shape))
			return NULL;
	}
	return smallest;
}

/* Keeps the matches that are meant more likely than others, if there are any. */
static void prefer(struct containers *containers, const struct container_query *query,
		   bool (*is_meant)(struct containers *containers,
				    const struct container_query *query, const struct shape *shape),
		   struct container_match_vec *matches)
{
	size_t nr = 0;

	for (size_t i = 0; i < matches->nr; i++) {
		if (is_meant(containers, query, matches->items[i].shape)) {
			struct container_match kept = matches->items[nr];

			matches->items[nr++] = matches->items[i];
			matches->items[i] = kept;
		}
	}
	if (nr)
		matches->nr = nr;
}

static bool is_in_function(struct containers *containers, const struct container_query *query,
			   const struct shape *shape)
{
	(void)containers;
	for (size_t i = 0; i < query->variables->nr; i++) {
		const struct shape *type = query->variables->items[i].shape;

		if (type == shape || (shape_is_pointer(type) && type->target == shape))
			return true;
	}
	return false;
}

static bool is_in_source(struct containers *containers, const struct container_query *query,
			 const struct shape *shape)
{
	return code_unit_has(containers->code, query->function, shape->name) == UNIT_OWNS;
}

/* page is in folio, but arrays of it are indexed everywhere. */
static bool is_embedded(struct containers *containers, uint32_t function,
			const struct embedding *first, const struct embedding *end)
{
	for (const struct embedding *embedding = first; embedding < end; embedding++) {
		if (strcmp(embedding->inner->name, "page") &&
		    code_unit_has(containers->code, function, embedding->outer->name))
			return true;
	}
	return false;
}

/* Another element: a field of it, or all of it at once. */
static bool find_element(const struct container_query *query, const struct shape *shape,
			 int64_t offset, struct container_match *ret)
{
	*ret = (struct container_match){
		.shape = shape,
		.offset = (offset % shape->size + shape->size) % shape->size,
		.is_step = true,
	};
	ret->place = place_find(shape, ret->offset, &query->place);
	return ret->place.fit >= FIT_INSIDE ||
	       (ret->place.fit && !ret->offset && query->place.size == shape->size);
}

bool containers_find(struct containers *containers, const struct container_query *query,
		     const struct shape *shape, int64_t offset, struct container_match *ret)
{
	auto_vec struct container_match_vec matches = {};
	const struct embedding *first, *end;
	const struct container_match *found = NULL;
	bool is_telling;

	if (!shape_is_struct(shape) || shape->size <= 0)
		return false;
	first = end = NULL;
	if (shape->name)
		first = find_embeddings(containers, shape, &end);
	is_telling = !query->is_guess && end - first < MANY_EMBEDDINGS;
	if (query->only_telling && !is_telling)
		return false;
	find_fitting(containers, query, first, end, offset, &matches);
	if (matches.nr > 1)
		prefer(containers, query, is_in_source, &matches);
	if (matches.nr > 1 && is_telling)
		prefer(containers, query, is_in_function, &matches);
	if (matches.nr == 1 ||
	    (matches.nr && (is_telling || is_in_source(containers, query, matches.items[0].shape))))
		found = innermost(&matches);
	if (found)
		*ret = *found;
	if (matches.nr)
		return found;
	/* What the unit knows embedded is more likely that than an element. */
	if (shape->size > MAX_STEPPED_SIZE || is_embedded(containers, query->function, first, end))
		return false;
	return find_element(query, shape, offset, ret);
}

bool containers_each(const struct containers *containers, const char *name, int64_t size,
		     unsigned int most,
		     void (*use)(void *context, const struct shape *outer, int64_t offset),
		     void *context)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < containers->embeddings.nr; i++) {
		const struct embedding *embedding = &containers->embeddings.items[i];

		if (embedding->inner->size != size || strcmp(embedding->inner->name, name))
			continue;
		if (nr++ == most)
			return false;
		use(context, embedding->outer, embedding->offset);
	}
	return true;
}
