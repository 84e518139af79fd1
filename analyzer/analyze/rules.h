/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules: what a policy's clauses mean for a layout. Pure: a policy and types go in, findings
 * and gaps come out. To add one: a kind in model/policy.h, a function, a row in rules.c,
 * a key in store/policy.c.
 */
#ifndef FIELDLINE_ANALYZE_RULES_H
#define FIELDLINE_ANALYZE_RULES_H

#include "model/finding.h"
#include "model/policy.h"
#include "model/typeset.h"

/* Every rule a check can break; NULL-terminated, sorted by id. */
extern const struct rule_info *const rules_all[];

/* Snapshots named by policies, already read; path as in the clause. */
struct baseline {
	const char *path;
	struct typeset set;
};

struct rules_request {
	const struct policy *policy;
	const struct typeset *set;
	uint32_t cacheline; /* bytes; where a guard tells no other */
	const struct baseline *baselines;
	size_t nr_baselines;
};

/*
 * Judges every struct that a guard names. A clause that can't be judged (no such field) is a gap.
 * Guards that name no struct of the set are left to who read it: see rules_guard_matches().
 */
void rules_judge(const struct rules_request *request, struct document *document);
bool rules_guard_matches(const struct guard *guard, const struct definition *definition);
/*
 * Lets the policy's exceptions cover the findings so far. Those that expired before today (as
 * 20261130) cover nothing and are findings themselves; so are those that nothing needs.
 */
void rules_except(const struct policy *policy, uint32_t today, struct document *document);

#endif
