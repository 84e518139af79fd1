/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which object an access belongs to: what the instruction says, the variables and allocations at
 * the address, and the structs seen around it, held against each other.
 *
 * A recording is best read twice: once to learn (which types the allocations of a call site are,
 * where the per-CPU areas are, what was seen beside what), then, behind objects_settle(), to
 * resolve. Read once, learning goes on while resolving and early samples know less.
 */
#ifndef FIELDLINE_RESOLVE_OBJECTS_H
#define FIELDLINE_RESOLVE_OBJECTS_H

#include "base/error.h"
#include "kernel/code.h"
#include "model/access.h"
#include "model/sample.h"
#include "resolve/neighbours.h"
#include "resolve/resolver.h"

struct objects;

/* code is borrowed. */
struct error *objects_create(struct code *code, struct objects **ret);
void objects_destroy(struct objects *objects);
void objects_set_slide(struct objects *objects, uint64_t slide);
/* A module's data; what its code says lives as long as the resolver it is of. */
void objects_add_section(struct objects *objects, const struct placed_section *section);

/* In the order of the recording; size 0 = unknown, and then nothing is learned of it. */
void objects_allocated(struct objects *objects, uint64_t start, uint64_t size, const char *cache,
		       uint64_t site);
void objects_freed(struct objects *objects, uint64_t start);

/* access is what the instruction says. */
void objects_learn(struct objects *objects, const struct sample *sample,
		   const struct access *access);
/* The first reading is over. */
void objects_settle(struct objects *objects);
/* Completes the access, or corrects it. */
void objects_resolve(struct objects *objects, const struct sample *sample, struct access *access);
/* What must have run behind the instruction, of the kernel itself; see neighbours.h. */
unsigned int objects_neighbours(struct objects *objects, uint64_t ip,
				struct neighbour ret[NEIGHBOURS_MAX]);
/* The variable at address, in the arena; NULL = none. */
const char *objects_name(struct objects *objects, uint64_t address, struct arena *arena);

#endif
