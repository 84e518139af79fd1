/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the guest's memory holds: each byte's allocation, as of now. Slab objects lie over the pages
 * they were cut from, so an address can be in both; the object answers.
 *
 * An allocation is told by its source: which allocator, which cache, which call site. Memory that
 * was freed keeps its last source until it is handed out again, for the allocator itself writes
 * there; what an address held at an earlier moment is kept one reuse back.
 */
#ifndef FIELDLINE_EMULATE_ALLOCATIONS_H
#define FIELDLINE_EMULATE_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

#define ALLOCATIONS_NO_SOURCE UINT32_MAX

enum { ALLOCATIONS_PAGE = 4096, ALLOCATIONS_GRANULE = 8 /* SLUB aligns no object less */ };

struct allocation {
	uint64_t start;
	uint64_t size;
	uint64_t born; /* when; any clock that grows */
	uint32_t source;
	uint32_t previous; /* source of what was there before; ALLOCATIONS_NO_SOURCE */
	bool is_free;
};

DEFINE_VEC(allocation_vec, struct allocation);

struct allocations_page;

/* A zeroed one is empty. Page frames and objects are by virtual address. */
struct allocations {
	struct allocation_vec all;
	struct map pages; /* by address / ALLOCATIONS_PAGE */
	struct allocations_page *last;
	uint64_t last_number;
};

void allocations_deinit(struct allocations *allocations);
/* Whole pages: whatever lay there is gone, objects too. Partial pages count as whole. */
void allocations_add_pages(struct allocations *allocations, uint32_t source, uint64_t start,
			   uint64_t size, uint64_t now);
/* An object, at any granule. */
void allocations_add_object(struct allocations *allocations, uint32_t source, uint64_t start,
			    uint64_t size, uint64_t now);
/* The object that starts here is free; nothing happens if none does. */
void allocations_free_object(struct allocations *allocations, uint64_t start);
/* What holds the address, free or not; NULL = nothing known. Valid until something is added. */
const struct allocation *allocations_find(struct allocations *allocations, uint64_t address);
/* Its source at that earlier time; ALLOCATIONS_NO_SOURCE = before all that is known. */
uint32_t allocation_source_at(const struct allocation *allocation, uint64_t when);

#endif
