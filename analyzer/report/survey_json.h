/* SPDX-License-Identifier: GPL-2.0-only */
/* Schema fieldline.survey/1, described in fieldline-propose(1). */
#ifndef FIELDLINE_REPORT_SURVEY_JSON_H
#define FIELDLINE_REPORT_SURVEY_JSON_H

#include "base/text.h"
#include "model/survey.h"

void survey_json_print(struct text *text, const struct typeset *set, const struct survey *survey);

#endif
