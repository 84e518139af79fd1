/* SPDX-License-Identifier: GPL-2.0-only */
/* How right the resolver is, as JSON: schema fieldline.accuracy/1. */
#ifndef FIELDLINE_REPORT_ACCURACY_JSON_H
#define FIELDLINE_REPORT_ACCURACY_JSON_H

#include "base/json.h"
#include "model/accuracy.h"
#include "model/typeset.h"

void accuracy_json_print(struct json *json, const struct source *source,
			 const struct accuracy *accuracy);

#endif
