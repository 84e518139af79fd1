/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a memory access touched: a struct, the place in it, the object, and how that is known.
 * Not knowing is data: an access without a type says why.
 */
#ifndef FIELDLINE_MODEL_ACCESS_H
#define FIELDLINE_MODEL_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "model/type.h"

/* How the type was found; several may agree. */
enum access_basis {
	BASIS_SYMBOL = 1 << 0,	    /* the address lies in a global or a per-CPU variable */
	BASIS_ALLOCATION = 1 << 1,  /* it lies in an object of a known allocation */
	BASIS_INSTRUCTION = 1 << 2, /* the operand's type, from debug information and data flow */
	BASIS_CONTAINER = 1 << 3,   /* lifted from an embedded struct to what holds it */
};

enum access_confidence {
	CONFIDENCE_NONE,
	CONFIDENCE_LOW,	   /* a guess: say so */
	CONFIDENCE_MEDIUM, /* inferred by rules that are right nearly always */
	CONFIDENCE_HIGH,   /* stated by debug information, or two ways agree */
};

/* Why an access has no type. */
enum access_unresolved {
	ACCESS_RESOLVED,
	ACCESS_NO_ADDRESS,	/* the sample has none */
	ACCESS_USER,		/* user space */
	ACCESS_NO_CODE,		/* the instruction's text is not in any file given */
	ACCESS_NO_DEBUG_INFO,	/* nothing describes that function */
	ACCESS_NO_OPERAND,	/* the instruction has no memory operand, or could not be decoded */
	ACCESS_PATCHED,		/* the kernel rewrites that place at boot */
	ACCESS_STACK,		/* what is saved on the stack, or the canary: no variable */
	ACCESS_UNTYPED_POINTER, /* void *, an integer, raw bytes */
	ACCESS_LOST_TRACK,	/* where the pointer came from is not known */
	ACCESS_CONTRADICTION,	/* two ways disagree */
	ACCESS_NR_REASONS,
};

struct access {
	/*
	 * The outermost type known and the accessed place in it, in bytes. NULL = not resolved.
	 * Also a scalar's or an array's type, where it lies in no struct.
	 */
	const struct type *type;
	uint64_t offset;
	uint64_t object; /* where the object of that type starts; 0 = unknown */
	uint32_t size;	 /* bytes accessed; 0 = unknown */
	bool is_load;
	bool is_store;	/* both: a read-modify-write */
	bool is_locked; /* a locked or otherwise atomic read-modify-write */
	uint8_t basis;	/* enum access_basis, or-ed */
	enum access_confidence confidence;
	enum access_unresolved unresolved; /* ACCESS_RESOLVED exactly where type is set */
};

/* "none", "low", "medium", "high". */
const char *access_confidence_name(enum access_confidence confidence);
/* Adds "instruction+symbol", with separator for the plus; nothing for no basis. */
void access_basis_print(struct text *text, unsigned int basis, const char *separator);
/* Reads what access_basis_print() wrote with "+"; 0 = it is none. */
unsigned int access_basis_parse(const char *words);
/* A stable word for JSON, and a phrase for people. */
const char *access_unresolved_word(enum access_unresolved reason);
const char *access_unresolved_phrase(enum access_unresolved reason);

#endif
