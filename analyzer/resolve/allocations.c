/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/allocations.h"

#include "base/map.h"
#include "base/vec.h"
#include "resolve/embedding.h"

#define PAGE_BITS 12
/* Of larger objects only the start's page knows: they are buffers, not structs. */
#define MAX_PAGES 64
#define LEAST_VOTES 2
/* The type chosen must explain three votes of four. */
#define EXPLAINED(part, whole) (4 * (part) >= 3 * (whole))

DEFINE_VEC(allocated_vec, struct allocated);
DEFINE_VEC(page_vec, struct allocated_vec);

struct vote {
	const struct type *type;
	uint64_t nr;
};

DEFINE_VEC(vote_vec, struct vote);

struct kind {
	uint64_t size;
	struct vote_vec votes;
};

DEFINE_VEC(kind_vec, struct kind);

struct allocations {
	struct map pages;      /* page number -> index into lists */
	struct page_vec lists; /* objects that have a part on a page */
	struct map kinds_by_key;
	struct kind_vec kinds;
};

struct allocations *allocations_create(void)
{
	return memory_alloc(1, sizeof(struct allocations));
}

void allocations_restart(struct allocations *allocations)
{
	for (size_t i = 0; i < allocations->lists.nr; i++)
		vec_deinit(&allocations->lists.items[i]);
	vec_deinit(&allocations->lists);
	map_deinit(&allocations->pages);
	allocations->pages = (struct map){};
}

void allocations_destroy(struct allocations *allocations)
{
	if (!allocations)
		return;
	allocations_restart(allocations);
	for (size_t i = 0; i < allocations->kinds.nr; i++)
		vec_deinit(&allocations->kinds.items[i].votes);
	vec_deinit(&allocations->kinds);
	map_deinit(&allocations->kinds_by_key);
	free(allocations);
}

static uint64_t last_page(const struct allocated *object)
{
	uint64_t first = object->start >> PAGE_BITS;
	uint64_t last = (object->start + (object->size ? object->size - 1 : 0)) >> PAGE_BITS;

	return last >= first && last - first < MAX_PAGES ? last : first;
}

static struct allocated_vec *find_page(const struct allocations *allocations, uint64_t page)
{
	const struct map_slot *slot = map_find(&allocations->pages, page);

	return slot ? &allocations->lists.items[slot->value] : NULL;
}

static struct allocated_vec *add_page(struct allocations *allocations, uint64_t page)
{
	bool is_new;
	struct map_slot *slot = map_add(&allocations->pages, page, &is_new);

	if (is_new) {
		slot->value = allocations->lists.nr;
		*vec_add(&allocations->lists) = (struct allocated_vec){};
	}
	return &allocations->lists.items[slot->value];
}

static void remove_from_page(struct allocations *allocations, uint64_t page, uint64_t start)
{
	struct allocated_vec *list = find_page(allocations, page);

	for (size_t i = 0; list && i < list->nr; i++) {
		if (list->items[i].start == start)
			list->items[i--] = list->items[--list->nr];
	}
}

/* The object that starts just there. */
static bool find_start(const struct allocations *allocations, uint64_t start, struct allocated *ret)
{
	const struct allocated_vec *list = find_page(allocations, start >> PAGE_BITS);

	for (size_t i = 0; list && i < list->nr; i++) {
		if (list->items[i].start == start) {
			*ret = list->items[i];
			return true;
		}
	}
	return false;
}

void allocations_remove(struct allocations *allocations, uint64_t start)
{
	struct allocated object;

	if (!find_start(allocations, start, &object))
		return;
	for (uint64_t page = start >> PAGE_BITS; page <= last_page(&object); page++)
		remove_from_page(allocations, page, start);
}

static uint32_t find_kind(struct allocations *allocations, uint64_t size, const char *cache,
			  uint64_t site)
{
	/* A cache of its own serves one type; general ones serve as many as there are callers. */
	uint64_t key = hash_mix(hash_mix(hash_string(0, cache), site), size);
	bool is_new;
	struct map_slot *slot = map_add(&allocations->kinds_by_key, key, &is_new);

	if (is_new) {
		slot->value = allocations->kinds.nr;
		*vec_add(&allocations->kinds) = (struct kind){ .size = size };
	}
	return (uint32_t)slot->value;
}

void allocations_add(struct allocations *allocations, uint64_t start, uint64_t size,
		     const char *cache, uint64_t site)
{
	struct allocated object = { start, size, 0 };

	if (!start || start > UINT64_MAX - size)
		return;
	allocations_remove(allocations, start);
	object.kind = find_kind(allocations, size, cache, site);
	for (uint64_t page = start >> PAGE_BITS; page <= last_page(&object); page++)
		*vec_add(add_page(allocations, page)) = object;
}

bool allocations_find(const struct allocations *allocations, uint64_t address,
		      struct allocated *ret)
{
	const struct allocated_vec *list = find_page(allocations, address >> PAGE_BITS);

	for (size_t i = 0; list && i < list->nr; i++) {
		if (address - list->items[i].start < list->items[i].size) {
			*ret = list->items[i];
			return true;
		}
	}
	return false;
}

void allocations_vote(struct allocations *allocations, uint32_t at, const struct type *type)
{
	struct kind *kind = &allocations->kinds.items[at];

	if (!type_is_aggregate(type_strip(type)) || type_size(type) > kind->size)
		return;
	for (size_t i = 0; i < kind->votes.nr; i++) {
		if (type_is_same(kind->votes.items[i].type, type)) {
			kind->votes.items[i].nr++;
			return;
		}
	}
	*vec_add(&kind->votes) = (struct vote){ type, 1 };
}

const struct type *allocations_type(struct allocations *allocations, uint32_t at)
{
	const struct kind *kind = &allocations->kinds.items[at];
	const struct type *best = NULL;
	uint64_t explained = 0, all = 0;

	for (size_t i = 0; i < kind->votes.nr; i++) {
		const struct vote *vote = &kind->votes.items[i];

		all += vote->nr;
		if (vote->nr >= LEAST_VOTES && (!best || type_size(vote->type) > type_size(best)))
			best = vote->type;
	}
	for (size_t i = 0; best && i < kind->votes.nr; i++) {
		if (type_holds(best, 0, kind->votes.items[i].type))
			explained += kind->votes.items[i].nr;
	}
	return best && EXPLAINED(explained, all) ? best : NULL;
}
