/* SPDX-License-Identifier: GPL-2.0-only */
/* What source code says or supposes about the layout of one struct, with the place that does. */
#ifndef FIELDLINE_MODEL_CONSTRAINT_H
#define FIELDLINE_MODEL_CONSTRAINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

enum constraint_kind {
	CONSTRAINT_ASSERTION, /* checked when built: the struct's size, the offset of member */
	CONSTRAINT_CAST,      /* a pointer to something else becomes one to the struct */
	CONSTRAINT_CONTAINER, /* container_of() and its kin find the struct by member */
	CONSTRAINT_RANGE,     /* code subtracts the offset of member from another one */
	CONSTRAINT_COMMENT,   /* a comment beside member says where it has to be */
	CONSTRAINT_SHUFFLED,  /* __randomize_layout: kernels may be built to shuffle it */
};

struct constraint {
	enum constraint_kind kind;
	bool exact;	    /* an assertion of == or != */
	const char *member; /* of the struct itself; NULL = the struct as a whole */
	const char *file;   /* below the tree */
	uint32_t line;
	const char *text; /* the assertion, the comment; NULL = the kind says it all */
	uint32_t nr_more; /* further places of that kind and member */
};

DEFINE_VEC(constraint_vec, struct constraint);

/* All that one tree says of one struct, by kind, member, and place. */
struct constraints {
	struct arena arena;
	const char *tree;
	uint64_t nr_files; /* that were searched */
	struct constraint_vec found;
};

static inline void constraints_deinit(struct constraints *constraints)
{
	vec_deinit(&constraints->found);
	arena_deinit(&constraints->arena);
}
#define auto_constraints __attribute__((cleanup(constraints_deinit)))

#endif
