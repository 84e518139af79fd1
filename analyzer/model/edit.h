/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An edit of a struct's declaration, as plain data: what a person would change in the source.
 *
 * Members are named as C names them from the struct: those of anonymous structs and unions count
 * as its own. Edits are applied one after the other, each to what the one before it left.
 */
#ifndef FIELDLINE_MODEL_EDIT_H
#define FIELDLINE_MODEL_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/type.h"

enum edit_kind {
	EDIT_INSERT, /* a member called name beside `member` */
	EDIT_WRAP,   /* union { member; char name[bytes]; }: room in front of the next member */
	EDIT_ALIGN_MEMBER, /* __aligned(align) */
	EDIT_ALIGN_TYPE,   /* __aligned(align) on the struct itself, or an anonymous one in it */
	EDIT_MOVE,	   /* `member` to beside `anchor` */
	EDIT_ORDER,	   /* every member, in the order of `members` */
	EDIT_GROUP,	   /* `members` together at the place of the first, between group markers */
	EDIT_SPLIT,  /* `members` into a new struct, a pointer to it at the place of the first */
	EDIT_REMOVE, /* without `member` */
	EDIT_RETYPE, /* `member` becomes a `type` */
};

enum edit_side {
	EDIT_BEFORE,
	EDIT_AFTER,
};

/* Strings, types and arrays are borrowed and outlive whatever is made of the edit. */
struct edit {
	enum edit_kind kind;
	const char *member; /* all but the kinds that take `members` */
	/*
	 * 0 = the member itself (ALIGN_TYPE: the whole struct, and no member is named); n = the
	 * nth anonymous struct or union around it, which has no name of its own.
	 */
	uint32_t outward;
	const char *anchor;  /* MOVE */
	enum edit_side side; /* INSERT, MOVE */
	/* Of the new member (INSERT; WRAP's array), the group, the pointer to what is split off. */
	const char *name;
	const char *type_name;	 /* SPLIT: the new struct */
	const struct type *type; /* RETYPE; INSERT: NULL = char[bytes] */
	uint64_t bytes;		 /* INSERT, WRAP */
	/* WRAP: the array is as large as the member rounded up to a multiple of this; 0 = bytes. */
	uint64_t round_to;
	/*
	 * A power of two; 0 = none stated. Of the new or named member or the type; of a group's
	 * first marker.
	 */
	uint32_t align;
	uint32_t end_align;	    /* of a group's last marker */
	const char *const *members; /* ORDER, GROUP, SPLIT */
	size_t nr_members;
};

DEFINE_VEC(edit_vec, struct edit);

#endif
