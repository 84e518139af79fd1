/* SPDX-License-Identifier: GPL-2.0-only */
/* How much of a kernel's instructions can be resolved, and why the rest can't. */
#ifndef FIELDLINE_RESOLVE_COVERAGE_H
#define FIELDLINE_RESOLVE_COVERAGE_H

#include "model/resolution.h"
#include "resolve/resolver.h"

/* Counts the instruction at ip; ret starts zeroed. */
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
/* Keeps nr of them, chosen at random; the same seed chooses the same ones. */
void address_list_sample(struct address_list *list, size_t nr, uint64_t seed);

#endif
