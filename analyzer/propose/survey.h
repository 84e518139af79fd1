/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All structs of a set, held against what is certain to hurt. A lock that is cut wherever its
 * struct is embedded is told once, of that struct.
 */
#ifndef FIELDLINE_PROPOSE_SURVEY_H
#define FIELDLINE_PROPOSE_SURVEY_H

#include "base/error.h"
#include "model/survey.h"

/* The set outlives ret. */
struct error *propose_survey(const struct typeset *set, struct view view, struct survey *ret);

#endif
