/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Proposals: edits of a struct with what each wins and what it costs, both told whether they speak
 * for it or against it. propose/ makes them, report/ prints them, patch/ writes them into source.
 */
#ifndef FIELDLINE_MODEL_PROPOSAL_H
#define FIELDLINE_MODEL_PROPOSAL_H

#include "base/arena.h"
#include "model/constraint.h"
#include "model/edit.h"
#include "model/layout.h"
#include "model/typeset.h"

/* How the program uses a field, as the user or a profile tells. */
enum {
	USE_HOT = 1 << 0,	  /* on the paths that count */
	USE_WRITTEN = 1 << 1,	  /* often, so that its line moves between CPUs */
	USE_READ_MOSTLY = 1 << 2, /* by many CPUs, hardly ever written */
};

struct used_field {
	const char *path; /* dotted, from the struct asked about */
	unsigned int uses;
};

DEFINE_VEC(used_field_vec, struct used_field);

/* A field as one function touched it while a profile was recorded; a touch is one sample. */
struct touch {
	const char *path;     /* as in struct used_field */
	const char *function; /* NULL = unknown */
	uint64_t nr;
	uint64_t nr_writes;
};

DEFINE_VEC(touch_vec, struct touch);

struct touches {
	const char *profile; /* the file they are from */
	struct touch_vec items;
	uint64_t nr; /* of all items */
	uint32_t nr_cpus;
	uint32_t phase; /* of most objects that were touched */
};

/* What is wrong with a layout. Two of one kind, path and other are the same trouble. */
enum trouble_kind {
	TROUBLE_CUT,	  /* words of a lock that are written together lie on two lines */
	TROUBLE_STRADDLE, /* a used field lies on two lines */
	TROUBLE_CONFLICT, /* what is written shares a line with what is only read */
	TROUBLE_SPREAD,	  /* the hot fields lie on more lines than they need */
};

struct trouble {
	enum trouble_kind kind;
	uint32_t cacheline; /* of the view it was seen in, bytes */
	const char *path;   /* of the field; NULL = the hot fields together */
	const char *other;  /* CONFLICT: the one that is read */
	/* What is certain: 1 = hurts those that wait, 2 = each operation, 3 = worse; else 0. */
	unsigned int weight;
	const char *message;
};

DEFINE_VEC(trouble_vec, struct trouble);

/* The numbers of a layout. */
struct figures {
	uint64_t size;
	uint32_t align;
	uint64_t slab_object; /* bytes that an object takes in a cache of its own; 0 = none */
	uint64_t slab_nr;     /* objects in a slab of it */
	uint64_t kmalloc;     /* bytes of the kmalloc() bucket; 0 = whole pages */
	/* Lines under the used fields, and how few would do; 0 = none is used. */
	uint64_t used_lines;
	uint64_t used_pairs; /* of two adjacent lines, which prefetchers fetch together */
	uint64_t least_lines;
	uint64_t transfers; /* of lines between CPUs, modelled from the touches; 0 = none told */
};

enum caution_kind {
	CAUTION_UAPI,	   /* user space knows the layout */
	CAUTION_WIRE,	   /* so does a disk, a device or a peer */
	CAUTION_FIRST,	   /* reached by casts and container_of() at 0 */
	CAUTION_RCU,	   /* kfree_rcu() finds it within 4096 bytes */
	CAUTION_FLEXIBLE,  /* must stay behind all others */
	CAUTION_KABI,	   /* slots kept for a stable module ABI */
	CAUTION_BITS,	   /* bit-fields of one unit are written together */
	CAUTION_GROUP,	   /* members of a marked group belong together */
	CAUTION_RANDOM,	   /* the kernel shuffles its structs */
	CAUTION_LOCK,	   /* a lock and the data it protects */
	CAUTION_KMALLOC,   /* kmalloc() does not align the object to a line */
	CAUTION_SPLIT,	   /* fields behind a pointer */
	CAUTION_ASSERTED,  /* the source asserts what would change */
	CAUTION_RANGE,	   /* the source computes with an offset that would change */
	CAUTION_COMMENT,   /* the source says that a member has to be where it is */
	CAUTION_UNCERTAIN, /* the result depends on what debug information does not show */
};

struct caution {
	enum caution_kind kind;
	bool forbids; /* else a risk to weigh */
	const char *message;
};

DEFINE_VEC(caution_vec, struct caution);

/* A struct that holds the edited one. */
struct moved_outer {
	const char *name;
	uint64_t size_before;
	uint64_t size_after;
	struct trouble_vec gone; /* locks cut, in it as a whole */
	struct trouble_vec new;
	const struct type *after; /* NULL = not known */
	uint32_t align_after;
	const char *refusal; /* why what becomes of it is not known; NULL = it is */
};

DEFINE_VEC(moved_outer_vec, struct moved_outer);

/* By kind, as files spell them; NULL-terminated. */
extern const char *const trouble_words[];
extern const char *const caution_words[];
extern const char *const edit_words[];

struct proposal {
	const char *title;  /* "pad 'bdev' to whole lines" */
	const char *change; /* as C, one line each */
	const struct edit *edits;
	size_t nr_edits;
	const struct type *after;
	struct figures figures;
	struct trouble_vec gone;
	struct trouble_vec new;
	struct string_vec parted; /* pairs of used fields that no longer share a line, "a and b" */
	struct string_vec joined; /* that have come to share one */
	/* Sentences about any field, used or not: lines, then pairs of lines. */
	struct string_vec straddles_won;
	struct string_vec straddles_lost;
	struct string_vec pair_straddles_won;
	struct string_vec pair_straddles_lost;
	struct moved_outer_vec outers;
	struct caution_vec cautions;
};

void proposal_deinit(struct proposal *proposal);

DEFINE_VEC(proposal_vec, struct proposal);

/* All there is to say about one struct. */
struct proposals {
	struct arena arena;
	struct arena types; /* owns what edits make of types */
	const struct definition *definition;
	struct view view;
	const char *assumption; /* about the allocator */
	struct figures figures; /* of the struct as it is */
	struct trouble_vec troubles;
	const struct touches *touches;	       /* as asked with; NULL = no profile */
	const struct constraints *constraints; /* as asked with; NULL = none were searched for */
	struct proposal_vec made;
	struct proposal_vec forbidden; /* each has a caution that forbids it */
	size_t nr_used;		       /* fields whose use was told */
	size_t nr_useless; /* candidates that cure nothing, or cost more than they cure */
};

void proposals_deinit(struct proposals *proposals);
#define auto_proposals __attribute__((cleanup(proposals_deinit)))

/* A field of at most a line's size that lies on two. */
struct line_cut {
	const char *path;
	const char *left; /* its own fields on either side; NULL = the boundary cuts a scalar */
	const char *right;
	bool certain; /* a lock's words that are written together */
};

DEFINE_VEC(line_cut_vec, struct line_cut);

/* A row of the pad sweep: what follows when `member` is padded to so many bytes. */
struct sweep_row {
	uint64_t bytes;
	struct figures figures;
	uint32_t phase; /* of the member that follows, in its line */
	/* The line where the two meet and the bytes of each on it; 0 = each has its own. */
	uint64_t shared_line;
	uint64_t shared_before;
	uint64_t shared_after;
	struct trouble_vec troubles;
	struct line_cut_vec cuts; /* from the member that follows on */
};

DEFINE_VEC(sweep_row_vec, struct sweep_row);

struct sweep {
	struct arena arena;
	const struct definition *definition;
	struct view view;
	const char *member;
	const char *next; /* the member that follows */
	struct sweep_row_vec rows;
};

void sweep_deinit(struct sweep *sweep);
#define auto_sweep __attribute__((cleanup(sweep_deinit)))

#endif
