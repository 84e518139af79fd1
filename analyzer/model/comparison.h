/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What became of layouts: the exact changes that make the new one of the old one, with what only
 * ripples set apart from what causes it; and what follows for cache lines, as findings.
 *
 * A comparison tells of one struct's own members. Structs embedded by name have comparisons of
 * their own; those defined in place, without a name, belong to the struct they lie in.
 */
#ifndef FIELDLINE_MODEL_COMPARISON_H
#define FIELDLINE_MODEL_COMPARISON_H

#include "base/arena.h"
#include "base/text.h"
#include "model/finding.h"
#include "model/typeset.h"

/* A member as one of the two layouts has it. */
struct compared_member {
	const char *path;  /* dotted, from the outermost struct; of an anonymous one its holder's */
	const char *label; /* for people: 'a.b', the anonymous union of 'a', 'b' */
	const char *type;  /* as C writes it */
	const char *anonymous; /* "struct", "union"; NULL = it has a name */
	uint64_t offset_bits;  /* FIELD_OFFSET_UNKNOWN */
	uint64_t width_bits;
	bool is_sized;	   /* else width_bits and align are not known */
	uint32_t bit_size; /* 0 = not a bit-field */
	uint32_t align;	   /* bytes */
	uint32_t line;	   /* of its declaration; 0 = unknown */
};

enum {
	CHANGE_ADDED = 1 << 0,
	CHANGE_REMOVED = 1 << 1,
	CHANGE_RENAMED = 1 << 2,
	CHANGE_MOVED = 1 << 3,
	CHANGE_RESIZED = 1 << 4,
	CHANGE_RETYPED = 1 << 5,
	CHANGE_BITS = 1 << 6,	   /* a bit-field's width, or became or ceased to be one */
	CHANGE_REALIGNED = 1 << 7, /* it asks for another alignment */
	CHANGE_INSIDE = 1 << 8,	   /* the struct embedded there changed */
};

struct change {
	unsigned int kinds;
	const struct compared_member *before; /* NULL = added */
	const struct compared_member *after;  /* NULL = removed */
	/* How far it moved, relative to what it lies in. */
	int64_t moved_bits;
	int32_t ripple; /* index of the ripple that moves it; -1 = none */
	/* Changed only because what it lies in moved, came or went, or what lies in it did. */
	bool carried;
	/* Changed by no edit to this struct: by a ripple, carried, or by what is embedded there. */
	bool follows;
	const char *renamed_for; /* why it counts as the same member; NULL = same name */
	const char *behind;	 /* moved on its own: label of the one now before it; NULL = none */
};

DEFINE_VEC(change_vec, struct change);

/* Members in a row that moved by the same distance, because something before them changed. */
struct ripple {
	int64_t moved_bits;
	const char *first; /* labels */
	const char *last;
	uint32_t nr;
	const char *cause; /* "'x' was added" */
	bool follows;	   /* the cause is a change to an embedded struct */
};

DEFINE_VEC(ripple_vec, struct ripple);

/* A struct embedded by name that changed. */
struct embedded_change {
	const char *path;
	size_t comparison; /* index in the set */
};

DEFINE_VEC(embedded_change_vec, struct embedded_change);

/* What it is about one of the two structs. */
struct compared_type {
	const struct type *type; /* NULL = it is not there */
	uint64_t size;
	uint32_t align;
	uint32_t nr_holes;
	uint64_t hole_bits;
	uint64_t padding_bits;
};

#define COMPARISON_NONE SIZE_MAX

struct comparison {
	const char *name;     /* "struct bdev_inode" */
	const char *old_name; /* the same, unless a typedef stands for another struct now */
	const char *file;     /* where the new one is declared, else the old one; NULL = unknown */
	uint32_t line;
	struct compared_type before;
	struct compared_type after;
	struct change_vec changes; /* by place in the new layout, removed ones by that in the old */
	struct ripple_vec ripples;
	struct finding_vec findings;
	struct embedded_change_vec embedded;
	bool own_change; /* changed by an edit to this very struct */
	bool truncated;	 /* it unfolds to more members than were looked at */
	/* Only a struct embedded here changed: the comparison it is listed under. */
	size_t cause;
};

DEFINE_VEC(comparison_vec, struct comparison);

struct comparison_set {
	struct arena arena;
	struct comparison_vec comparisons; /* of what differs, by name; embedded structs too */
	struct examined_vec examined;	   /* every definition of either side */
	size_t nr_equal;		   /* definitions that don't differ */
};

void comparison_set_deinit(struct comparison_set *set);
#define auto_comparison_set __attribute__((cleanup(comparison_set_deinit)))
/* Makes the files below root relative to it. */
void comparison_set_strip_root(struct comparison_set *set, const char *root);

/* Changed by an edit to itself, or only one side has it: its own cause. */
bool comparison_is_root(const struct comparison *comparison);

/*
 * A phrase to stand behind the member's label: "was added at 48: 8 bytes (rwlock_t)", "moved from
 * 16 to 24".
 */
void change_describe(struct text *text, const struct change *change);
/* "3 bits", "1 byte". */
void bits_print(struct text *text, uint64_t bits);

#endif
