/* SPDX-License-Identifier: GPL-2.0-only */
/* How right the resolver is, for people. */
#ifndef FIELDLINE_REPORT_ACCURACY_TEXT_H
#define FIELDLINE_REPORT_ACCURACY_TEXT_H

#include "base/text.h"
#include "model/accuracy.h"

/* nr_errors: so many of what was told wrongly at most, the heaviest first. */
void accuracy_text_print(struct text *text, const struct accuracy *accuracy, size_t nr_errors);

#endif
