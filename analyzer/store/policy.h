/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Policy files: JSON, schema fieldline.policy/1, described in fieldline-check(1) and
 * layouts/policies/policy.schema.json.
 */
#ifndef FIELDLINE_STORE_POLICY_H
#define FIELDLINE_STORE_POLICY_H

#include "base/error.h"
#include "base/text.h"
#include "model/finding.h"
#include "model/policy.h"

/*
 * Reads strictly: what is unknown, out of range or contradicts itself is an error that names the
 * place. rules: the ids exceptions may name; NULL-terminated. Expired exceptions are read: who
 * judges knows the day.
 */
struct error *policy_read(const char *path, const struct rule_info *const *rules,
			  struct policy *ret);
/* Adds the policy as JSON, in an order that stays the same. */
void policy_print(struct text *text, const struct policy *policy);

/* An error for two clauses of one guard that no layout can satisfy both. */
struct error *policy_check_contradictions(const struct policy *policy);

#endif
