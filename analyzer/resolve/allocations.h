/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The objects that are allocated at the moment, as a recording's kmem tracepoints or an emulator
 * tell, and what type they are of. No allocation says its type: the accesses that were resolved
 * otherwise vote for all allocations of one cache and call site.
 */
#ifndef FIELDLINE_RESOLVE_ALLOCATIONS_H
#define FIELDLINE_RESOLVE_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/type.h"

struct allocations;

struct allocated {
	uint64_t start;
	uint64_t size; /* bytes that may be used: what was asked for, or what it takes */
	uint32_t kind; /* its cache and call site, and its size where they serve several */
};

struct allocations *allocations_create(void);
void allocations_destroy(struct allocations *allocations);

/* cache may be NULL and is copied. An object that is still there at that place is gone. */
void allocations_add(struct allocations *allocations, uint64_t start, uint64_t size,
		     const char *cache, uint64_t site);
void allocations_remove(struct allocations *allocations, uint64_t start);
/* Forgets all objects, not what was learned of them: for a second reading. */
void allocations_restart(struct allocations *allocations);
/* The object that holds address; false = none is known. */
bool allocations_find(const struct allocations *allocations, uint64_t address,
		      struct allocated *ret);

/* An access found a type whose object starts where the allocation does. */
void allocations_vote(struct allocations *allocations, uint32_t kind, const struct type *type);
/*
 * The type of a kind: the largest that was voted for at least twice and holds at its start
 * everything that makes up most of the votes. NULL = not known.
 */
const struct type *allocations_type(struct allocations *allocations, uint32_t kind);

#endif
