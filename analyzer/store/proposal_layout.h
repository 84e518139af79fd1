/* SPDX-License-Identifier: GPL-2.0-only */
/* A struct's type built from the flat list of its members that proposals are saved with. */
#ifndef FIELDLINE_STORE_PROPOSAL_LAYOUT_H
#define FIELDLINE_STORE_PROPOSAL_LAYOUT_H

#include "base/arena.h"
#include "model/type.h"

#define LAYOUT_MAX_DEPTH 32

struct layout_member {
	uint32_t depth;
	const char *name; /* NULL = none */
	const char *type; /* as C spells it; NULL = an anonymous struct or union: its own follow */
	bool is_union;
	uint32_t line;
	uint64_t offset_bits; /* from the start of the whole struct */
	uint64_t width_bits;
	bool is_bits;
};

DEFINE_VEC(layout_member_vec, struct layout_member);

struct proposal_layout {
	struct layout_member_vec members;
};

/* False if the depth is not one that may follow the members so far. */
bool proposal_layout_add(struct proposal_layout *layout, const struct layout_member *member);
/* A struct like `like` of these members, in the arena. */
const struct type *proposal_layout_make(const struct proposal_layout *layout, struct type like,
					struct arena *arena);
void proposal_layout_deinit(struct proposal_layout *layout);

#endif
