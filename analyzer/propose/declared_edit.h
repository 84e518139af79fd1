/* SPDX-License-Identifier: GPL-2.0-only */
/* Applies one edit to the declarations of the struct whose own members it names. */
#ifndef FIELDLINE_PROPOSE_DECLARED_EDIT_H
#define FIELDLINE_PROPOSE_DECLARED_EDIT_H

#include "propose/relayout.h"

/*
 * An edit with its members found: indexes count the fields that debug information shows, so they
 * hold for every supposed source of one layout.
 */
struct found_edit {
	const struct edit *edit;
	uint32_t *at; /* of `member`, or of each of `members` */
	size_t nr_at;
	uint32_t anchor_at;
	const struct type *type; /* RETYPE */
};

/*
 * Changes declared, whose members are on the heap, and places it anew. *ret_split is the struct
 * that an EDIT_SPLIT makes, else untouched.
 */
struct error *declared_edit(struct relayout *relayout, const struct found_edit *found,
			    struct declared *declared, const struct type **ret_split);

#endif
