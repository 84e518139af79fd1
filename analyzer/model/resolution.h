/* SPDX-License-Identifier: GPL-2.0-only */
/* What resolving instructions tells about itself: how one was resolved, and how many are. */
#ifndef FIELDLINE_MODEL_RESOLUTION_H
#define FIELDLINE_MODEL_RESOLUTION_H

#include "base/arena.h"
#include "base/vec.h"
#include "model/access.h"

/* From the instruction asked for back to where what it points at is known. */
struct resolution_step {
	const char *place; /* "vfs_read+0x12" */
	const char *insn;  /* as assemblers write it */
	const char *text;  /* what is known there, a sentence without a full stop */
};

DEFINE_VEC(resolution_step_vec, struct resolution_step);

struct resolution {
	struct arena arena;
	uint64_t ip;
	const char *place;
	const char *insn;  /* NULL = no code there */
	const char *class; /* a word: what kind of address the operand has */
	const char *rule;  /* a word, and a phrase: how the type was found */
	const char *rule_phrase;
	const char *variable; /* that names the object; NULL = none */
	bool is_patched;      /* the kernel puts this instruction there at boot */
	struct access access; /* its object is 0: there is no sample */
	struct resolution_step_vec steps;
};

void resolution_deinit(struct resolution *resolution);
#define auto_resolution __attribute__((cleanup(resolution_deinit)))

struct share {
	uint64_t nr;	 /* instructions */
	uint64_t weight; /* samples, or what the caller weighs them by */
};

struct coverage_row {
	const char *word;
	const char *phrase;
	struct share share;
};

DEFINE_VEC(coverage_row_vec, struct coverage_row);

/* How many instructions of a kernel are resolved, and why the others are not. */
struct coverage {
	bool weighed; /* weights differ from 1 */
	struct share total;
	struct share typed;  /* a type is known; spilled registers and canaries do not count */
	struct share fields; /* of these: a field of a struct or union */
	struct coverage_row_vec reasons; /* why not, resolved ones included */
	struct coverage_row_vec rules;	 /* how */
	struct coverage_row_vec classes; /* by kind of address */
	struct coverage_row_vec confidences;
};

void coverage_deinit(struct coverage *coverage);
#define auto_coverage __attribute__((cleanup(coverage_deinit)))

#endif
