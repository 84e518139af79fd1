/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/containers.h"

#include <string.h>

#include "base/map.h"

#define MAX_DEPTH 4
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

/* Number of places in containers that the unit has and that fit; the last one is in *ret. */
static unsigned int fitting(struct containers *containers, uint32_t function, enum unit_has least,
			    const struct embedding *first, const struct embedding *end,
			    int64_t offset, const struct place_query *query,
			    struct container_match *ret)
{
	unsigned int nr = 0;

	for (const struct embedding *embedding = first; embedding < end; embedding++) {
		struct container_match match = {
			.shape = embedding->outer,
			.offset = embedding->offset + offset,
		};

		if (match.offset < 0 || match.offset >= match.shape->size ||
		    code_unit_has(containers->code, function, match.shape->name) < least)
			continue;
		match.place = place_find(match.shape, match.offset, query);
		if (match.place.fit < FIT_INSIDE)
			continue;
		if (nr && ret->shape == match.shape && ret->offset == match.offset)
			continue;
		*ret = match;
		nr++;
	}
	return nr;
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

bool containers_find(struct containers *containers, uint32_t function, const struct shape *shape,
		     int64_t offset, const struct place_query *query, struct container_match *ret)
{
	const struct embedding *first, *end;
	unsigned int nr;

	if (!shape_is_struct(shape) || shape->size <= 0)
		return false;
	first = end = NULL;
	if (shape->name)
		first = find_embeddings(containers, shape, &end);
	nr = fitting(containers, function, UNIT_INCLUDES, first, end, offset, query, ret);
	/* Of several the one that the source file itself defines is meant. */
	if (nr == 1 || (nr > 1 && fitting(containers, function, UNIT_OWNS, first, end, offset,
					  query, ret) == 1))
		return true;
	/* What the unit knows embedded is more likely that than an element. */
	if (nr || shape->size > MAX_STEPPED_SIZE || is_embedded(containers, function, first, end))
		return false;
	*ret = (struct container_match){
		.shape = shape,
		.offset = (offset % shape->size + shape->size) % shape->size,
		.is_step = true,
	};
	ret->place = place_find(shape, ret->offset, query);
	return ret->place.fit >= FIT_INSIDE;
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
