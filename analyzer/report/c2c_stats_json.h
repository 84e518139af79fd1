/* SPDX-License-Identifier: GPL-2.0-only */
/* What perf c2c would count, as JSON: its rows, with their names in snake_case. */
#ifndef FIELDLINE_REPORT_C2C_STATS_JSON_H
#define FIELDLINE_REPORT_C2C_STATS_JSON_H

#include "base/json.h"
#include "model/c2c_stats.h"

/* The rows of "Trace Event Information", into the object that is open. */
void c2c_stats_json_add_total(struct json *json, const struct c2c_counts *total);
/* The rows of "Global Shared Cache Line Event Information". */
void c2c_stats_json_add_shared(struct json *json, const struct c2c_counts *shared,
			       uint32_t nr_lines);
/* A row of "Shared Data Cache Line Table". */
void c2c_stats_json_add_line(struct json *json, const struct c2c_line *line);

#endif
