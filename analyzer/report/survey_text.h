/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FIELDLINE_REPORT_SURVEY_TEXT_H
#define FIELDLINE_REPORT_SURVEY_TEXT_H

#include "base/text.h"
#include "model/survey.h"

/* The worst ten of each kind, or all. */
void survey_text_print(struct text *text, const struct survey *survey, bool all);

#endif
