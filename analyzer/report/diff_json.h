/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison as JSON, schema fieldline.diff/1 (described in fieldline-diff(1)). */
#ifndef FIELDLINE_REPORT_DIFF_JSON_H
#define FIELDLINE_REPORT_DIFF_JSON_H

#include "base/text.h"
#include "model/comparison.h"

struct diff_json_options {
	const struct typeset *old_set;
	const struct typeset *new_set;
	const uint32_t *line_sizes;
	size_t nr_line_sizes;
	uint32_t phase;
};

void diff_json_print(struct text *text, const struct comparison_set *set,
		     const struct diff_json_options *options);

#endif
