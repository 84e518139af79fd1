/* SPDX-License-Identifier: GPL-2.0-only */
/* How one instruction is resolved, step by step. */
#ifndef FIELDLINE_RESOLVE_EXPLAIN_H
#define FIELDLINE_RESOLVE_EXPLAIN_H

#include "model/resolution.h"
#include "resolve/resolver.h"

/* What it accesses and by which rule, without the steps: for many instructions. */
void resolver_look_up(struct resolver *resolver, uint64_t ip, struct resolution *ret);
/* The function is analysed anew for it, with what is known from others. */
void resolver_explain(struct resolver *resolver, uint64_t ip, struct resolution *ret);
/*
 * "vfs_read+0x12", "vfs_read" or a number: an address in a recording of the kernel. An
 * ERROR_USAGE where it is none of these, ERROR_NOT_FOUND where there is no such symbol.
 */
struct error *resolver_parse_place(struct resolver *resolver, const char *text, uint64_t *ret);

#endif
