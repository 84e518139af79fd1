/* SPDX-License-Identifier: GPL-2.0-only */
/* A layout for the terminal: cache line by cache line, or field by field. */
#ifndef FIELDLINE_REPORT_LAYOUT_TEXT_H
#define FIELDLINE_REPORT_LAYOUT_TEXT_H

#include "base/text.h"
#include "model/layout.h"
#include "model/typeset.h"

/* Opens each embedded struct that is larger than a line, so that every line shows its fields. */
#define LAYOUT_EXPAND_LARGE UINT32_MAX

struct layout_text_options {
	struct view view;
	uint32_t expand; /* levels of embedded named structs to open, or LAYOUT_EXPAND_LARGE */
	bool flat;	 /* one line a leaf field, with its full path */
	bool hex;
	bool color;
	/* "definition 2 of 3": this one's number from 1, and how many share the name. */
	size_t number;
	size_t nr_numbers;
};

void layout_text_print(struct text *text, const struct typeset *set,
		       const struct definition *definition,
		       const struct layout_text_options *options);

#endif
