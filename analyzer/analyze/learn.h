/* SPDX-License-Identifier: GPL-2.0-only */
/* A policy that today's layout keeps: where to start from. */
#ifndef FIELDLINE_ANALYZE_LEARN_H
#define FIELDLINE_ANALYZE_LEARN_H

#include "model/layout.h"
#include "model/policy.h"
#include "model/typeset.h"

/*
 * One guard for each name in the set: its size and lines, no straddling scalars and locks, the
 * phases of what is embedded, alignment and lines of their own where the source asks for them,
 * its groups. What straddles today is excepted until `expires` (as 20261130).
 */
void policy_learn(const struct typeset *set, struct view view, uint32_t expires,
		  struct policy *ret);

#endif
