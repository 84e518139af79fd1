/* SPDX-License-Identifier: GPL-2.0-only */
/* The snapshots a policy names. */
#ifndef FIELDLINE_CMD_BASELINES_H
#define FIELDLINE_CMD_BASELINES_H

#include "analyze/rules.h"
#include "base/error.h"

DEFINE_VEC(baseline_vec, struct baseline);

/* Reads each once, what the policy's guards name in it; relative to the policy's folder. */
struct error *baselines_read(const struct policy *policy, struct baseline_vec *ret);
void baselines_deinit(struct baseline_vec *baselines);
#define auto_baselines __attribute__((cleanup(baselines_deinit)))

#endif
