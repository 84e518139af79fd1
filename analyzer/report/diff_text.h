/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A comparison for the terminal: struct by struct, edits first, what was only pushed along in one
 * line, then what follows for lines; structs that changed because of one under it.
 */
#ifndef FIELDLINE_REPORT_DIFF_TEXT_H
#define FIELDLINE_REPORT_DIFF_TEXT_H

#include "base/text.h"
#include "model/comparison.h"

struct diff_text_options {
	const struct source *old_source;
	const struct source *new_source;
	bool all;     /* every struct in full; else long lists are cut */
	bool summary; /* nothing but the summary */
};

void diff_text_print(struct text *text, const struct comparison_set *set,
		     const struct diff_text_options *options);

#endif
