/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A struct as its source declares it, and the compiler's arithmetic that turns declarations into
 * offsets.
 *
 * The rules are those of gcc 12 (gcc/stor-layout.c, place_field() where PCC_BITFIELD_TYPE_MATTERS)
 * and clang 14 (lib/AST/RecordLayoutBuilder.cpp, Itanium), which agree on every Linux target but
 * for what is noted here. They count bits in memory order and so hold for both byte orders.
 */
#ifndef FIELDLINE_PROPOSE_DECLARED_H
#define FIELDLINE_PROPOSE_DECLARED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "model/type.h"

struct declaration {
	/*
	 * As the layout shows it. align is the alignment that the debug information states;
	 * offset_bits is what declared_place() finds.
	 */
	struct field field;
	uint32_t natural; /* alignment of its type, in bytes */
	uint32_t stated;  /* aligned(N) on the member; 0 = none */
	bool packed;	  /* its own attribute, or the whole struct's */
	bool is_bits;	  /* a bit-field; of width 0 it ends the unit it stands in */
};

DEFINE_VEC(declaration_vec, struct declaration);

struct declared {
	bool is_union;
	bool packed;	     /* the whole struct: holds for new members too */
	uint32_t pack;	     /* #pragma pack(N), in bytes; 0 = none */
	uint32_t stated;     /* aligned(N) on the type; 0 = none */
	bool unnamed_aligns; /* as struct arch has it */
	struct declaration_vec members;
	/* What declared_place() finds. */
	uint64_t size;
	uint32_t align;
};

/* Bit-fields without a name are padding in the source: debug information does not show them. */
bool declaration_is_unnamed(const struct declaration *member);
uint64_t declaration_width_bits(const struct declaration *member);
/* What decides a type's alignment, behind names, arrays and qualifiers that state none. */
const struct type *declared_behind(const struct type *type);
/*
 * The alignment that a type states itself; 0 = none. Compilers repeat it at a member of the type,
 * clang even where packed overrules it.
 */
uint32_t declared_stated_by(const struct type *type);
/* The struct or union that a member of the type consists of, alone or in an array; NULL = none. */
const struct type *declared_held(const struct type *type);
/* Where a member goes that follows `reached` bits of others. */
uint64_t declared_member_offset(const struct declared *declared, const struct declaration *member,
				uint64_t reached_bits);
/* Moves the members into the arena, where they change no more. */
struct declared declared_keep(struct declared *declared, struct arena *arena);
/* With members of its own, on the heap. */
struct declared declared_copy(const struct declared *declared);
/* Computes the offsets of all members, the size and the alignment. */
void declared_place(struct declared *declared);

#endif
