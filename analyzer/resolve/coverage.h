/* SPDX-License-Identifier: GPL-2.0-only */
/* How much of a kernel's instructions can be resolved, and why the rest can't. */
#ifndef FIELDLINE_RESOLVE_COVERAGE_H
#define FIELDLINE_RESOLVE_COVERAGE_H

#include "model/access.h"
#include "resolve/answer.h"
#include "resolve/resolver.h"

struct share {
	uint64_t nr;	 /* instructions */
	uint64_t weight; /* samples, or whatever the caller weighs them by */
};

struct coverage {
	struct share total;
	struct share fields;			   /* resolved to a struct's or union's field */
	struct share by_reason[ACCESS_NR_REASONS]; /* [ACCESS_RESOLVED]: typed */
	struct share by_class[NR_CLASSES];
	struct share by_rule[NR_RULES];
	struct share by_confidence[CONFIDENCE_HIGH + 1];
};

void coverage_add(struct resolver *resolver, uint64_t ip, uint64_t weight, struct coverage *ret);

struct address_list {
	uint64_t *items; /* by address; the caller frees it */
	size_t nr;
};

/*
 * The kernel's instructions that access memory: those of .text, without what goes by the stack
 * pointer, pushes, calls, jumps and what only names an address.
 */
void resolver_list(struct resolver *resolver, struct address_list *ret);

#endif
