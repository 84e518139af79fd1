/* SPDX-License-Identifier: GPL-2.0-only */
/* What perf c2c counts of a recording, without any kernel. */
#ifndef FIELDLINE_CMD_C2C_STATS_H
#define FIELDLINE_CMD_C2C_STATS_H

#include "base/error.h"
#include "base/text.h"

/* Adds them as JSON: "stats", "shared" and, if asked, "lines": the tables of `perf c2c report`. */
struct error *c2c_stats_print(struct text *text, const char *path, bool with_lines);

#endif
