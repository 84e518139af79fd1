/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A struct opened as far as it goes: its members, those of the structs embedded in it, and those
 * of array elements (of the first one, standing for all). Outer before inner, in the order of
 * declaration, so that what lies in a member follows it.
 */
#ifndef FIELDLINE_ANALYZE_MEMBERS_H
#define FIELDLINE_ANALYZE_MEMBERS_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "model/layout.h"

struct member {
	const struct field *field;
	uint64_t offset_bits; /* from the start of the outermost struct; FIELD_OFFSET_UNKNOWN */
	uint64_t width_bits;
	int32_t parent;	    /* index of the member it lies in; -1 for none */
	uint32_t nr_inside; /* so many of the following members lie in it, at any depth */
	bool anonymous;	    /* a struct or union whose members count as the outer one's */
	bool in_place;	    /* holds a struct or union that has no name of its own */
	bool own;	    /* declared in this very struct, not in one that is embedded by name */
	bool repeated;	    /* in an array: there are more of it */
};

DEFINE_VEC(member_vec, struct member);
DEFINE_VEC(index_vec, uint32_t);

/*
 * False when the struct unfolds to more members than can be looked at; then those beyond are
 * missing.
 */
bool members_open(const struct type *type, struct member_vec *ret);

/* The struct or union that a member holds, alone or as an array of them; NULL if it holds none. */
const struct type *member_aggregate(const struct member *member);
/*
 * The name by which that struct is known elsewhere: "struct inode", a typedef's name; NULL if it
 * has none, being defined in place.
 */
const char *member_aggregate_name(const struct member *member, struct arena *arena);

/*
 * The members that count as parent's (-1: the outermost struct's): those directly in it and those
 * in its anonymous levels, which go apart.
 */
void members_collect(const struct member_vec *members, int32_t parent, struct index_vec *ret_named,
		     struct index_vec *ret_anonymous);

/*
 * The direct members of the at-th on either side of the first line boundary in it. False where
 * there are none: the boundary cuts through one.
 */
bool members_find_cut(const struct member_vec *members, size_t at, struct view view,
		      const struct member **ret_left, const struct member **ret_right);

/* Its name, "" for none: a base class goes by its type's. */
const char *member_name(const struct member *member);
/*
 * The dotted path from the outermost struct; an array that is looked into ends in []. An anonymous
 * member has no name: what it lies in is named.
 */
void member_print_path(struct text *text, const struct member_vec *members, size_t at);
/* For people: the path in quotes, or "the anonymous union of 'a', 'b', ...". */
void member_print_label(struct text *text, const struct member_vec *members, size_t at);

#endif
