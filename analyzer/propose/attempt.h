/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An attempt to explain a layout: supposes a packing for the whole struct, places one member after
 * the other, and where a member lies elsewhere supposes what debug information does not show:
 * packed, unnamed bit-fields, or an alignment that is not told. Each of these is an exception.
 */
#ifndef FIELDLINE_PROPOSE_ATTEMPT_H
#define FIELDLINE_PROPOSE_ATTEMPT_H

#include "propose/relayout.h"

/* What may stand between two members, unseen. */
enum filler {
	FILLER_BITS,	   /* unsigned int :N */
	FILLER_ZERO_WIDTH, /* unsigned int :0 */
	FILLER_ALIGN,	   /* the later member states an alignment */
	NR_FILLERS,
};

struct attempt {
	/* What is supposed. */
	struct relayout *relayout;
	const struct type *type;
	unsigned int first_filler; /* of those that are likely at a place, the one tried first */
	/* Its packing is supposed, the rest is found. */
	struct declared declared;
	uint64_t reached; /* bits placed so far */
	unsigned int nr_exceptions;
	unsigned int nr_filled; /* the exceptions that are fillers */
	/* Why it does not lead to the layout. */
	bool failed;
	const struct field *misplaced; /* NULL = the size is another */
	uint64_t expected;	       /* offset of misplaced, in bits */
};

/* declared.members are the caller's to free, whether it failed or not. */
void attempt_run(struct attempt *attempt);

#endif
