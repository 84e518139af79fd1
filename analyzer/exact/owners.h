/* SPDX-License-Identifier: GPL-2.0-only */
/* Whose memory that was: from a source and an offset to a type's number and the place in it. */
#ifndef FIELDLINE_EXACT_OWNERS_H
#define FIELDLINE_EXACT_OWNERS_H

#include "base/map.h"
#include "exact/names.h"
#include "kernel/code.h"
#include "model/exact.h"

struct owners {
	const struct counts *counts;
	const struct names *names;
	const struct type *const *cache_types;
	const struct type *const *inferred; /* by source; NULL = nobody asked */
	struct code *code;		    /* vmlinux's; NULL = variables have no types */
	struct exact *exact;		    /* types are added to it */
	struct map numbers;		    /* of types, by a hash of all that tells them apart */
	struct map variables;		    /* of types, by the variable's address */
};

struct owner {
	uint32_t type;	 /* index in exact->types */
	uint64_t offset; /* in it */
	uint32_t phase;	 /* of its start, modulo the line size */
};

void owners_deinit(struct owners *owners);
struct owner owners_find(struct owners *owners, uint32_t source, uint64_t offset, uint32_t phase);

#endif
