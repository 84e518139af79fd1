/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * C types as plain data (C++ and Rust ones as far as debug information describes them).
 *
 * Types live in an arena and never change once their reader has handed them out. They form a
 * graph, but following members by value always ends. What stands behind a pointer is only named:
 * its type is `incomplete` and has no fields.
 *
 * Bits are counted in memory order from the start of the outermost object: on a little-endian
 * machine bit 0 is the least significant bit of byte 0, on a big-endian one the most significant.
 */
#ifndef FIELDLINE_MODEL_TYPE_H
#define FIELDLINE_MODEL_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"
#include "model/arch.h"

#define TYPE_SIZE_UNKNOWN UINT64_MAX
#define TYPE_COUNT_FLEXIBLE UINT64_MAX /* an array without a bound: T x[] */
#define FIELD_OFFSET_UNKNOWN UINT64_MAX

enum type_kind {
	TYPE_VOID,
	TYPE_BASE,
	TYPE_ENUM,
	TYPE_STRUCT,
	TYPE_CLASS,
	TYPE_UNION,
	TYPE_ARRAY,
	TYPE_FUNCTION,
	TYPE_POINTER,
	TYPE_REFERENCE,
	TYPE_RVALUE_REFERENCE,
	TYPE_MEMBER_POINTER, /* C++: int T::*; target is the member's type */
	TYPE_TYPEDEF,
	TYPE_CONST,
	TYPE_VOLATILE,
	TYPE_RESTRICT,
	TYPE_ATOMIC,
};

enum field_kind {
	FIELD_MEMBER,
	FIELD_BASE,	    /* C++: a base class */
	FIELD_VIRTUAL_BASE, /* C++: its place depends on the object: offset unknown */
	FIELD_VARIANTS,	    /* Rust: a union of the variants of an enum */
};

struct type;

struct field {
	enum field_kind kind;
	const char *name; /* NULL = anonymous */
	const struct type *type;
	uint64_t offset_bits; /* from the struct's start; FIELD_OFFSET_UNKNOWN */
	uint32_t size_bits;   /* width of a bit-field; 0 = not one */
	uint32_t align;	      /* stated alignment in bytes (alignas, aligned); 0 = none */
	uint32_t line;	      /* of its declaration, in the struct's file; 0 = unknown */
};

struct enumerator {
	const char *name;
	int64_t value;
};

struct type {
	enum type_kind kind;
	bool incomplete; /* a declaration, or not read */
	bool vector;	 /* TYPE_ARRAY: a SIMD vector */
	bool variadic;	 /* TYPE_FUNCTION: ends in ... */
	bool complex;	 /* TYPE_BASE: two halves */
	uint32_t align;	 /* stated alignment in bytes; 0 = none */
	/* In bytes; TYPE_SIZE_UNKNOWN. Of TYPE_ATOMIC only where it is wider than what it holds. */
	uint64_t size;
	const char *name;
	/* Pointee, element, returned or renamed type; NULL = void. An enum's underlying type. */
	const struct type *target;
	/* Members in the order of declaration; a function's parameters. */
	const struct field *fields;
	uint32_t nr_fields;
	/* Of an enum without a name, which can only be printed by its constants. */
	uint32_t nr_enumerators;
	const struct enumerator *enumerators;
	/* TYPE_ARRAY: elements per dimension, outermost first; TYPE_COUNT_FLEXIBLE. */
	uint32_t nr_counts;
	const uint64_t *counts;
	/* Where it is declared; NULL and 0 = unknown. */
	const char *file;
	uint32_t line;
	/*
	 * Of an aggregate, kept by type_seal(): graphs in which structs hold the same struct twice,
	 * thirty levels deep, take 2^30 visits otherwise. hash 0 = nothing is kept.
	 */
	uint64_t hash;
	uint32_t known_align;
};

DEFINE_VEC(field_vec, struct field);

/* Struct, class or union. */
bool type_is_aggregate(const struct type *type);
/* "struct", "union", "class", "enum"; NULL for others. */
const char *type_keyword(enum type_kind kind);
/* type without typedefs and qualifiers on its outside; NULL for void. */
const struct type *type_strip(const struct type *type);
/* type without qualifiers only (const, volatile, restrict, _Atomic). */
const struct type *type_unqualified(const struct type *type);
/*
 * What an array holds, through all its dimensions and without typedefs, or what type itself is;
 * *offset, in type, becomes that in it.
 */
const struct type *type_element(const struct type *type, uint64_t *offset);
/* Size in bytes: 0 for void, functions and flexible arrays; TYPE_SIZE_UNKNOWN. */
uint64_t type_size(const struct type *type);
/*
 * Alignment in bytes, at least 1. What the debug information states is exact. The rest follows
 * the ABI; for structs it is inferred from the members, and a struct whose members or size could
 * not be as they are otherwise is taken as packed.
 */
uint32_t type_align(const struct type *type, const struct arch *arch);
/* Whether a struct's members or size can only be as they are if it is packed. */
bool type_is_packed(const struct type *type, const struct arch *arch);
/* The alignment a field asks for: stated, or its type's; 1 where the field sits off it. */
uint32_t field_align(const struct field *field, const struct arch *arch);
/* Whether the field's own array has no bound or no elements and so takes no room. */
bool field_is_flexible(const struct field *field);
/* An anonymous struct or union: its members count as members of the outer one. */
bool field_is_transparent(const struct field *field);
/* False where it holds by value what is only declared. */
bool field_is_sized(const struct field *field);
/* Width in bits: the bit-field's, or the size of the type; 0 when unknown. */
uint64_t field_width_bits(const struct field *field);

/* Adds the C declaration of name with type; name may be "" or NULL for the type alone. */
void type_print(struct text *text, const struct type *type, const char *name);
/*
 * The same in two parts: for "const int (*x)[4]" adds "const int" to base and makes "(*x)[4]" of
 * declarator, which comes in as "x".
 */
void type_print_split(struct text *base, struct text *declarator, const struct type *type);
/*
 * Keeps what takes a walk over all that an aggregate holds: its reader calls it when the members
 * are filled in, for what is held first. arch NULL = the alignment is not kept.
 */
void type_seal(struct type *type, const struct arch *arch);
/*
 * A hash of everything that makes the layout: kinds, names, sizes, offsets, deep through members
 * by value, names only behind pointers. Equal layouts from different units have equal hashes.
 */
uint64_t type_hash(const struct type *type);

#endif
