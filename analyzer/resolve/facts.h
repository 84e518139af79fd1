/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What functions tell each other: which struct stands behind a void pointer field, as the code of
 * one source folder uses it, and what callers pass to functions whose arguments the compiler has
 * rearranged. Learned in a first round over functions, used in a second.
 */
#ifndef FIELDLINE_RESOLVE_FACTS_H
#define FIELDLINE_RESOLVE_FACTS_H

#include "base/map.h"
#include "resolve/values.h"

/* What a pointer is seen to point at, and by how many uses. */
struct vote {
	const struct shape *target;
	int64_t offset; /* of the pointer in it */
	uint32_t nr_agree;
	uint32_t nr_others;
};

DEFINE_VEC(vote_vec, struct vote);
DEFINE_VEC(argument_vec, struct value);

struct facts {
	bool learning;		 /* the first round */
	bool usable;		 /* the second */
	bool all_callers;	 /* every function is looked at, so that callers have a majority */
	struct map votes_by_key; /* of a field or an untyped argument -> index in votes */
	struct vote_vec votes;
	struct map arguments; /* address of a function * 8 + argument -> index in passed */
	struct argument_vec passed;
};

void facts_deinit(struct facts *facts);
void facts_vote_field(struct facts *facts, uint64_t folder, const struct shape *shape,
		      int64_t offset, const struct shape *target);
/* What the field points at; NULL = not known, or too many differ. */
const struct shape *facts_field(const struct facts *facts, uint64_t folder,
				const struct shape *shape, int64_t offset);
/*
 * The same for arguments whose type does not tell: void pointers, and pointers to a scalar, which
 * may be a struct's field. NULL = passed something of no struct.
 */
void facts_vote_argument(struct facts *facts, uint64_t function, unsigned int argument,
			 const struct shape *shape, int64_t offset);
const struct vote *facts_voted_argument(const struct facts *facts, uint64_t function,
					unsigned int argument);
/* All that is passed to a function of which the compiler has rearranged the arguments. */
void facts_pass_argument(struct facts *facts, struct values *values, uint64_t function,
			 unsigned int argument, value_id value);
/* NULL = nothing known. */
const struct value *facts_argument(const struct facts *facts, uint64_t function,
				   unsigned int argument);

#endif
