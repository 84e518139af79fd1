/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/allocations.h"

enum { NR_GRANULES = ALLOCATIONS_PAGE / ALLOCATIONS_GRANULE };

/* Numbers of allocations, from 1; 0 = none. */
struct allocations_page {
	uint32_t whole;
	uint32_t *granules; /* NULL = no object lies here */
};

void allocations_deinit(struct allocations *allocations)
{
	for (size_t i = 0; i < allocations->pages.capacity; i++) {
		const struct map_slot *slot = &allocations->pages.slots[i];
		struct allocations_page *page = slot->used ? slot->pointer : NULL;

		if (page)
			free(page->granules);
		free(page);
	}
	map_deinit(&allocations->pages);
	vec_deinit(&allocations->all);
}

/* The last page asked for is kept: accesses come in bunches. */
static struct allocations_page *find_page(struct allocations *allocations, uint64_t number)
{
	const struct map_slot *slot;

	if (allocations->last && allocations->last_number == number)
		return allocations->last;
	slot = map_find(&allocations->pages, number);
	if (!slot)
		return NULL;
	allocations->last = slot->pointer;
	allocations->last_number = number;
	return slot->pointer;
}

static struct allocations_page *get_page(struct allocations *allocations, uint64_t number)
{
	struct map_slot *slot = map_add(&allocations->pages, number, NULL);

	if (!slot->pointer)
		slot->pointer = memory_alloc(1, sizeof(struct allocations_page));
	return slot->pointer;
}

static uint32_t add_allocation(struct allocations *allocations, const struct allocation *allocation)
{
	*vec_add(&allocations->all) = *allocation;
	return (uint32_t)allocations->all.nr;
}

static struct allocation *get(const struct allocations *allocations, uint32_t number)
{
	return number ? &allocations->all.items[number - 1] : NULL;
}

/* Memory that is handed out as it was before, as caches do, keeps its record. */
static bool reuse(struct allocation *old, const struct allocation *now)
{
	if (!old || old->start != now->start || old->size != now->size)
		return false;
	/* Allocators that call each other tell the same memory twice: the outermost is right. */
	if (old->born != now->born)
		old->previous = old->source;
	old->source = now->source;
	old->born = now->born;
	old->is_free = false;
	return true;
}

void allocations_add_pages(struct allocations *allocations, uint32_t source, uint64_t start,
			   uint64_t size, uint64_t now)
{
	struct allocation allocation = { start, size, now, source, ALLOCATIONS_NO_SOURCE, false };
	uint64_t first = start / ALLOCATIONS_PAGE;
	uint64_t last = (start + size - 1) / ALLOCATIONS_PAGE;
	struct allocations_page *page = get_page(allocations, first);
	struct allocation *old = get(allocations, page->whole);
	uint32_t number = page->whole;

	if (!reuse(old, &allocation)) {
		allocation.previous = old ? old->source : ALLOCATIONS_NO_SOURCE;
		number = add_allocation(allocations, &allocation);
	}
	for (uint64_t i = first; i <= last; i++) {
		page = get_page(allocations, i);
		page->whole = number;
		free(page->granules);
		page->granules = NULL;
	}
}

static uint32_t *get_granule(struct allocations *allocations, uint64_t address)
{
	struct allocations_page *page = get_page(allocations, address / ALLOCATIONS_PAGE);

	if (!page->granules)
		page->granules = memory_alloc(NR_GRANULES, sizeof(*page->granules));
	return &page->granules[address % ALLOCATIONS_PAGE / ALLOCATIONS_GRANULE];
}

void allocations_add_object(struct allocations *allocations, uint32_t source, uint64_t start,
			    uint64_t size, uint64_t now)
{
	struct allocation allocation = { start, size, now, source, ALLOCATIONS_NO_SOURCE, false };
	struct allocation *old = get(allocations, *get_granule(allocations, start));
	uint32_t number;

	if (reuse(old, &allocation))
		return;
	allocation.previous = old ? old->source : ALLOCATIONS_NO_SOURCE;
	number = add_allocation(allocations, &allocation);
	for (uint64_t at = start; at < start + size; at += ALLOCATIONS_GRANULE)
		*get_granule(allocations, at) = number;
}

void allocations_free_object(struct allocations *allocations, uint64_t start)
{
	struct allocations_page *page = find_page(allocations, start / ALLOCATIONS_PAGE);
	struct allocation *allocation = NULL;

	if (page && page->granules)
		allocation = get(allocations,
				 page->granules[start % ALLOCATIONS_PAGE / ALLOCATIONS_GRANULE]);
	if (allocation && allocation->start == start)
		allocation->is_free = true;
}

const struct allocation *allocations_find(struct allocations *allocations, uint64_t address)
{
	struct allocations_page *page = find_page(allocations, address / ALLOCATIONS_PAGE);
	uint32_t number;

	if (!page)
		return NULL;
	if (page->granules) {
		number = page->granules[address % ALLOCATIONS_PAGE / ALLOCATIONS_GRANULE];
		/* Per-CPU objects of four bytes share one, which is the last one's. */
		if (number && get(allocations, number)->start <= address)
			return get(allocations, number);
	}
	return get(allocations, page->whole);
}

uint32_t allocation_source_at(const struct allocation *allocation, uint64_t when)
{
	return when >= allocation->born ? allocation->source : allocation->previous;
}
