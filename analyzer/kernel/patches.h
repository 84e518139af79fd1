/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the kernel rewrites its own code, and where control goes besides: the tables that the
 * linker collected (Linux 6.1, arch/x86/include/asm/{alternative,jump_label,extable,bug}.h).
 */
#ifndef FIELDLINE_KERNEL_PATCHES_H
#define FIELDLINE_KERNEL_PATCHES_H

#include "base/map.h"
#include "kernel/code.h"

enum patch_kind {
	PATCH_ALTERNATIVE, /* .altinstructions: replaced by other instructions on some machines */
	PATCH_PARAVIRT,	   /* .parainstructions: an indirect call becomes a direct one */
	PATCH_LOCK,	   /* .smp_locks: the prefix goes on a machine with one processor */
	PATCH_JUMP_LABEL,  /* __jump_table: jumps or not */
	PATCH_STATIC_CALL, /* .static_call_sites: calls something else */
	PATCH_RETURN,	   /* .return_sites */
	PATCH_RETPOLINE,   /* .retpoline_sites */
	PATCH_MCOUNT,	   /* __mcount_loc: a call of the tracer or nothing */
	PATCH_NR_KINDS,
};

struct patch_site {
	uint64_t start;
	uint64_t replacement; /* PATCH_ALTERNATIVE: where the other instructions are */
	enum patch_kind kind;
	uint8_t size; /* bytes that may change; 0 = one instruction */
	uint8_t replacement_size;
};

DEFINE_VEC(patch_site_vec, struct patch_site);

struct patches {
	struct patch_site_vec sites; /* by start, kind, replacement */
	/* Bits for blocks of code from first on: whether a site or an edge is in there. */
	uint64_t *marks;
	uint64_t nr_marks;
	uint64_t first;
	size_t nr[PATCH_NR_KINDS];
	struct map jump_labels; /* address of the jump -> where it goes */
	struct map fixups;	/* address that may fault -> where it goes then */
	struct map warnings;	/* address of a ud2 behind which execution goes on -> 1 */
};

/* Tables that are not there or make no sense stay empty. */
void patches_read(const struct code *code, struct patches *ret);
void patches_deinit(struct patches *patches);

#define PATCHES_BLOCK 64

/* False: no table speaks of the instruction at address, as of most. */
static inline bool patches_near(const struct patches *patches, uint64_t address)
{
	uint64_t block = (address - patches->first) / PATCHES_BLOCK;

	return block >= patches->nr_marks || patches->marks[block / 64] >> block % 64 & 1;
}

/*
 * The sites whose code is exchanged (alternative, paravirt) and holds address, side by side;
 * *ret_nr = 0: none.
 */
const struct patch_site *patches_at(const struct patches *patches, uint64_t address,
				    size_t *ret_nr);

#endif
