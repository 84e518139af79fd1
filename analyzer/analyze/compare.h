/* SPDX-License-Identifier: GPL-2.0-only */
/* Compares the layouts of two sets of structs, and judges what follows for cache lines. */
#ifndef FIELDLINE_ANALYZE_COMPARE_H
#define FIELDLINE_ANALYZE_COMPARE_H

#include "model/comparison.h"

struct compare_options {
	const uint32_t *line_sizes; /* views to judge in, bytes */
	size_t nr_line_sizes;
	uint32_t phase; /* where objects start in a line */
};

/*
 * Compares all definitions of two sets, which must outlive the result. Definitions go together by
 * name and kind; where a name has several, equal ones first, then by file and likeness.
 */
void compare_sets(const struct typeset *old_set, const struct typeset *new_set,
		  const struct compare_options *options, struct comparison_set *ret);
/* Rules of the findings; NULL-terminated. */
extern const struct rule_info *const compare_rules[];

#endif
