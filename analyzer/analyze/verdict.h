/* SPDX-License-Identifier: GPL-2.0-only */
/* What is said of a type's line, given what was seen on it. */
#ifndef FIELDLINE_ANALYZE_VERDICT_H
#define FIELDLINE_ANALYZE_VERDICT_H

#include "model/profile.h"

struct verdict_evidence {
	/* Accesses that followed another CPU's write inside the window. */
	uint64_t nr_true, nr_false;
	uint64_t nr_sure; /* of them: both sides' fields are known well */
	/* Samples that bytes and CPUs alone put down to true or false sharing. */
	uint64_t fits_true, fits_false;
	uint64_t nr_contended; /* samples that found the line in another cache */
};

/* Fewer than this many of a kind decide nothing. */
#define VERDICT_LEAST 3

/*
 * Met inside the window often enough: confirmed (suspected where the fields are guesses). Else
 * what fits: suspected. Else undecided where the line was contended: HITM alone is never called
 * false sharing.
 */
void verdict_judge(const struct verdict_evidence *evidence, enum verdict *ret_verdict,
		   enum certainty *ret_certainty);

#endif
