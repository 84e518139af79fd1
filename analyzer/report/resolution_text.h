/* SPDX-License-Identifier: GPL-2.0-only */
/* How an instruction was resolved, and how many are, for people. */
#ifndef FIELDLINE_REPORT_RESOLUTION_TEXT_H
#define FIELDLINE_REPORT_RESOLUTION_TEXT_H

#include "base/text.h"
#include "model/resolution.h"

/* On one line. */
void resolution_text_print_row(struct text *text, const struct resolution *resolution);
void resolution_text_print(struct text *text, const struct resolution *resolution);
void coverage_text_print(struct text *text, const struct coverage *coverage);

#endif
