/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What someone wants of a kernel's layouts: guards over structs, globals to keep apart, and
 * exceptions. Read from a policy file by store/policy.h, judged by analyze/rules.h.
 */
#ifndef FIELDLINE_MODEL_POLICY_H
#define FIELDLINE_MODEL_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

/* One for each row of the table in analyze/rules.c. */
enum clause_kind {
	CLAUSE_SIZE,		 /* the struct has at most `number` bytes */
	CLAUSE_LINES,		 /* ... and lies on at most `number` lines */
	CLAUSE_STRADDLE,	 /* no field on more lines than its size needs */
	CLAUSE_STRADDLE_ANY,	 /* ... of all */
	CLAUSE_STRADDLE_SCALARS, /* ... of all scalars and locks */
	CLAUSE_PHASE,		 /* the field starts `number` bytes into a line */
	CLAUSE_ALIGN,		 /* the field starts on a line */
	CLAUSE_OWN_LINE,	 /* no other field on any line of the field */
	CLAUSE_SHARE,		 /* the fields lie on one and the same line */
	CLAUSE_APART,  /* no two of the fields on one line; with `others`: none with one of those */
	CLAUSE_HOT,    /* all the fields together on at most `number` lines */
	CLAUSE_GROUPS, /* every group's markers pair up */
	CLAUSE_GROUP_FIELDS, /* the fields lie between the markers of group `name` */
	CLAUSE_GROUP_SIZE,   /* from marker to marker at most `number` bytes */
	CLAUSE_GROUP_LINES,  /* ... on at most `number` lines */
	CLAUSE_GROUP_ALONE,  /* no field from outside of the group on its lines */
	CLAUSE_BASELINE,     /* as in snapshot `name`, but for the kinds of changes in `number` */
	NR_CLAUSE_KINDS,
};

struct clause {
	enum clause_kind kind;
	const char *place; /* "structs[2].apart[0]" */
	const char *why;   /* in the author's words; NULL = not said */
	const char *name;
	uint64_t number;
	uint32_t cacheline;	   /* bytes; 0 = the view's */
	const char *const *fields; /* paths */
	size_t nr_fields;
	const char *const *others;
	size_t nr_others;
};

DEFINE_VEC(clause_vec, struct clause);

struct guard {
	const char *place;   /* "structs[2]" */
	const char *pattern; /* "bdev_inode", "union x", "blk_*" */
	bool optional;	     /* not finding it is no gap */
	uint32_t cacheline;  /* bytes; 0 = the machine's */
	uint32_t phase;	     /* where the object starts in its line */
	struct clause_vec clauses;
};

DEFINE_VEC(guard_vec, struct guard);

/* Globals that want their lines for themselves. */
struct symbol_guard {
	const char *pattern;
	const char *why;
};

DEFINE_VEC(symbol_guard_vec, struct symbol_guard);

struct exception {
	const char *place;   /* "exceptions[0]" */
	const char *rule;    /* id */
	const char *pattern; /* of the struct */
	const char *field;   /* path or pattern; NULL = any */
	const char *reason;
	uint32_t expires; /* the last day it covers, as 20261130 */
};

DEFINE_VEC(exception_vec, struct exception);

struct policy {
	struct arena arena;
	const char *path; /* as the user named it */
	struct guard_vec guards;
	struct symbol_guard_vec symbols;
	struct exception_vec exceptions;
};

void policy_deinit(struct policy *policy);
#define auto_policy __attribute__((cleanup(policy_deinit)))

/*
 * What policies call the kinds of changes in model/comparison.h, that of bit 0 first;
 * NULL-terminated.
 */
extern const char *const policy_change_words[];

/* "2026-11-30" as 20261130, so that days compare as numbers do; false if that is no day. */
bool date_parse(const char *text, uint32_t *ret);

#endif
