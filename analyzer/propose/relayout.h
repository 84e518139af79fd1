/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Computes how a struct is laid out after an edit, as the compiler would.
 *
 * Debug information shows offsets, not the source. So the declarations that lead to a layout are
 * found first (relayout_explain()): which attributes, #pragma pack or unnamed bit-fields there
 * must have been. Edits apply to these declarations and the result is placed anew. A layout that
 * no declarations explain is refused, and where several lead to the same layout but not to the
 * same result, the result carries the doubt.
 */
#ifndef FIELDLINE_PROPOSE_RELAYOUT_H
#define FIELDLINE_PROPOSE_RELAYOUT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "model/typeset.h"
#include "propose/declared.h"
#include "model/edit.h"

/* Remembers what was explained, and owns all types it makes. The types it is given outlive it. */
struct relayout {
	const struct source *source;
	struct arena arena;
	struct map explained; /* by the address of the type: struct explanation */
};

/* source tells the machine. */
void relayout_init(struct relayout *relayout, const struct source *source);
void relayout_deinit(struct relayout *relayout);
#define auto_relayout __attribute__((cleanup(relayout_deinit)))

/* Declarations that lead to a layout. */
struct explanation {
	/* Some if not refused, the likeliest first; all lead to the same offsets and size. */
	struct declared *declared;
	size_t nr_declared;
	/*
	 * Of a type that relayout made: why another source of the same layout would have led to
	 * another result; NULL = none would.
	 */
	const char *doubt;
	const char *refusal; /* why nothing explains the layout; NULL = explained */
};

/* Finds the declarations of a struct or union; never NULL. */
const struct explanation *relayout_explain(struct relayout *relayout, const struct type *type);
/* Alignment of any type in bytes, at least 1; of a struct what its declarations give. */
uint32_t relayout_align(struct relayout *relayout, const struct type *type);

struct edited {
	const struct type *type;  /* relayout_align() knows its alignment */
	const struct type *split; /* the struct that the last EDIT_SPLIT made; NULL = none */
	const char *doubt;	  /* as in struct explanation */
};

/* An ERROR_INPUT says why an edit cannot be made or its result not be known. */
struct error *relayout_edit(struct relayout *relayout, const struct type *type,
			    const struct edit *edits, size_t nr_edits, struct edited *ret);

/*
 * The type that declared[0] makes, all else like another one's; the others are its alternatives.
 * Takes their members over.
 */
const struct type *relayout_make(struct relayout *relayout, const struct type *like,
				 struct declared *declared, size_t nr_declared, const char *doubt);

/*
 * type with the aggregate that its field number `at` consists of, alone or in an array, turned
 * into `to`.
 */
struct error *relayout_retype(struct relayout *relayout, const struct type *type, uint32_t at,
			      const struct type *to, struct edited *ret);

/* A struct that is changed, or holds one that is. */
struct moved {
	const struct definition *before;
	struct edited after; /* type NULL = not known */
	const char *refusal; /* why not */
};

DEFINE_VEC(moved_vec, struct moved);

/*
 * Edits one struct and relays every definition of the set that holds it by value, at any depth,
 * in arrays or not. In the order of the set; those whose layout stays are left out. That the
 * struct itself cannot be edited is an error; that one around it cannot be explained is not.
 */
struct error *relayout_set(struct relayout *relayout, const struct typeset *set,
			   const struct type *type, const struct edit *edits, size_t nr_edits,
			   struct moved_vec *ret);

#endif
