/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exact counts for programs: numbers of the whole region, 0 left out. Lines without transfers are
 * left out too, and the functions of fields without any.
 */
#ifndef FIELDLINE_REPORT_EXACT_JSON_H
#define FIELDLINE_REPORT_EXACT_JSON_H

#include "base/text.h"
#include "model/exact.h"

/* Schema fieldline.emulated/1. */
void exact_json_print(struct text *text, const struct exact *exact);

#endif
