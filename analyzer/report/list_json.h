/* SPDX-License-Identifier: GPL-2.0-only */
/* A listing as JSON, schema fieldline.list/1 (described in fieldline-list(1)). */
#ifndef FIELDLINE_REPORT_LIST_JSON_H
#define FIELDLINE_REPORT_LIST_JSON_H

#include "model/listing.h"

void list_json_print(struct text *text, const struct typeset *set, const struct listing *listing);

#endif
