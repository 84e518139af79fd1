/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What instructions are said to access, held against the memory that they really accessed: every
 * access of a run in which the owner of each address was known.
 */
#ifndef FIELDLINE_MODEL_ACCURACY_H
#define FIELDLINE_MODEL_ACCURACY_H

#include "base/arena.h"
#include "base/vec.h"
#include "model/resolution.h"

/* Whose memory it was. */
enum truth_kind {
	TRUTH_OBJECT,	/* a slab object, whose cache tells its type */
	TRUTH_VARIABLE, /* of the kernel or a module */
	TRUTH_PERCPU,	/* a CPU's copy of a variable */
	TRUTH_PAGE,	/* a struct page */
	/* The owner is known from here on, but no type of it: at best one is inferred. */
	TRUTH_ALLOCATED, /* kmalloc() and others */
	TRUTH_PERCPU_ALLOCATED,
	TRUTH_VMALLOC,
	TRUTH_CONTENTS, /* pages of data */
	TRUTH_USER,	/* pages of user space */
	TRUTH_STACK,
	TRUTH_IMAGE, /* literals, tables without a symbol */
	TRUTH_UNKNOWN,
	NR_TRUTH_KINDS,
};

/* Accesses of one instruction to one place. */
struct truth {
	uint64_t ip;
	enum truth_kind kind;
	const struct type *type; /* NULL = none is known */
	bool is_inferred;	 /* the type: what the code and the size asked for agree on */
	const char *owner;	 /* cache, variable, call site; never NULL */
	uint32_t group;		 /* equal for objects of one source */
	uint64_t offset;	 /* in the type, or in what was allocated */
	uint32_t size;
	bool is_load;
	bool is_store; /* both: atomic */
	uint64_t nr;
};

DEFINE_VEC(truth_vec, struct truth);

/* How an answer compares. */
enum agreement {
	AGREEMENT_SAME,	  /* the object and the field */
	AGREEMENT_PART,	  /* the field, of a struct that lies there within the object */
	AGREEMENT_SCALAR, /* a scalar as it lies there, but it is a struct's */
	AGREEMENT_SPILL,  /* a spilled register or the stack canary: no object */
	AGREEMENT_OUTER,  /* the field, of a struct around it that is not there */
	AGREEMENT_FIELD,  /* the object, another field */
	AGREEMENT_WRONG,
	AGREEMENT_OPEN,	   /* there is no type to compare with */
	AGREEMENT_UNTYPED, /* no answer */
	NR_AGREEMENTS,
};

struct accuracy_row {
	const char *word;
	const char *phrase;
	struct share
		shares[NR_AGREEMENTS]; /* an instruction counts where most of its accesses are */
};

DEFINE_VEC(accuracy_row_vec, struct accuracy_row);

/* What was told wrongly, or not at all, of an instruction and the objects of one source. */
struct accuracy_error {
	uint64_t ip;
	uint64_t nr; /* accesses */
	const char *function;
	const char *rule;
	enum access_confidence confidence;
	enum access_unresolved reason; /* why nothing was told */
	enum agreement agreement;
	const struct type *type;
	uint64_t offset;
	struct truth truth; /* one of them */
};

DEFINE_VEC(accuracy_error_vec, struct accuracy_error);

struct accuracy {
	struct share total;    /* all of the run */
	struct share by_stack; /* by the stack pointer, pushes and calls: not counted below */
	struct share other;    /* an instruction's second operand, of which nothing is said */
	struct share repeated; /* copies, fills, saved state: one execution makes many accesses */
	struct share size;     /* of other sizes than was said: another instruction ran there */
	struct accuracy_row patched; /* instructions that the kernel put there at boot */
	struct accuracy_row_vec kinds;
	struct accuracy_row_vec rules;
	struct accuracy_row_vec confidences;
	struct accuracy_row_vec weak; /* by confidence, where the truth is inferred */
	struct coverage_row_vec reasons;
	struct accuracy_error_vec errors; /* heaviest first */
};

void accuracy_deinit(struct accuracy *accuracy);
#define auto_accuracy __attribute__((cleanup(accuracy_deinit)))

/* A stable word, and a phrase for people. */
const char *agreement_word(enum agreement agreement);
const char *truth_kind_word(enum truth_kind kind);
const char *truth_kind_phrase(enum truth_kind kind);

#endif
