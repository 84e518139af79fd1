/* SPDX-License-Identifier: GPL-2.0-only */
/* What is wrong with a layout: seen in a view, with what is told about how its fields are used. */
#ifndef FIELDLINE_PROPOSE_TROUBLE_H
#define FIELDLINE_PROPOSE_TROUBLE_H

#include "base/error.h"
#include "model/proposal.h"

/* Two used fields, by their index. */
struct used_pair {
	size_t first;
	size_t second;
};

DEFINE_VEC(used_pair_vec, struct used_pair);

/* A layout held against the uses of its fields. */
struct standing {
	struct trouble_vec troubles;
	struct used_pair_vec sharing; /* those that share a line */
	uint64_t used_lines;	      /* under the hot fields; as struct figures has them */
	uint64_t used_pairs;
	uint64_t least_lines;
};

/*
 * Strings of the troubles live in the arena. A used field that the type does not have (any more)
 * counts as nowhere.
 */
struct standing standing_of(const struct type *type, struct view view,
			    const struct used_field_vec *used, struct arena *arena);
void standing_deinit(struct standing *standing);
#define auto_standing __attribute__((cleanup(standing_deinit)))

bool standing_shares(const struct standing *standing, const struct used_pair *pair);

/* An ERROR_NOT_FOUND names the first used field that the type does not have. */
struct error *used_fields_check(const struct type *type, const struct used_field_vec *used);

/* Adds the troubles of `of` that `without` does not have. */
void troubles_subtract(const struct trouble_vec *of, const struct trouble_vec *without,
		       struct trouble_vec *ret);

#endif
