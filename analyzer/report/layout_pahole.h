/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A layout as `pahole -F dwarf -C NAME` of dwarves 1.24 prints it, byte for byte: the text that
 * kernel commit messages quote. Where pahole states something untrue, the truth is printed; the
 * manual page lists those cases.
 */
#ifndef FIELDLINE_REPORT_LAYOUT_PAHOLE_H
#define FIELDLINE_REPORT_LAYOUT_PAHOLE_H

#include "base/text.h"
#include "model/typeset.h"

struct layout_pahole_options {
	uint32_t cacheline; /* bytes */
	bool hex;
	/* Adds to the line of a member what else is known of those bytes; NULL = nothing. */
	void (*annotate)(void *context, struct text *text, uint64_t offset, uint64_t size);
	void *context;
};

void layout_pahole_print(struct text *text, const struct typeset *set,
			 const struct definition *definition,
			 const struct layout_pahole_options *options);

#endif
