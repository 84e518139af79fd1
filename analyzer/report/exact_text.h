/* SPDX-License-Identifier: GPL-2.0-only */
/* Exact counts for people: what is fought over, line by line, per operation. */
#ifndef FIELDLINE_REPORT_EXACT_TEXT_H
#define FIELDLINE_REPORT_EXACT_TEXT_H

#include "base/text.h"
#include "coherence/machines.h"
#include "model/exact.h"

struct exact_text_options {
	uint32_t nr_types; /* at most so many are opened line by line */
	const char *only;  /* open just this one ("bdev_inode"); NULL = the first ones */
	const struct coherence_machine *machine; /* modelled cycles of this one; NULL = of all */
};

void exact_text_print(struct text *text, const struct exact *exact,
		      const struct exact_text_options *options);

#endif
