/* SPDX-License-Identifier: GPL-2.0-only */
/* The same as JSON, schemas fieldline.resolve/1 and fieldline.coverage/1. */
#ifndef FIELDLINE_REPORT_RESOLUTION_JSON_H
#define FIELDLINE_REPORT_RESOLUTION_JSON_H

#include "base/json.h"
#include "model/resolution.h"
#include "model/typeset.h"

void resolution_json_begin(struct json *json, const struct source *source);
void resolution_json_add(struct json *json, const struct resolution *resolution);
void resolution_json_end(struct json *json);
void coverage_json_print(struct json *json, const struct source *source,
			 const struct coverage *coverage);

#endif
