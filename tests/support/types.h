/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types typed into a test. All are initializers or compound literals, which live as long as the
 * block they stand in:
 *
 *	const struct type pair = STRUCT("pair", 8, FIELD("a", &type_int, 0),
 *					FIELD("b", &type_int, 4));
 */
#ifndef FIELDLINE_TESTS_TYPES_H
#define FIELDLINE_TESTS_TYPES_H

#include "model/typeset.h"

#define BASE(type_name, bytes)                                      \
	{                                                           \
		.kind = TYPE_BASE, .name = type_name, .size = bytes \
	}

static const struct type type_char __attribute__((unused)) = BASE("char", 1);
static const struct type type_short __attribute__((unused)) = BASE("short int", 2);
static const struct type type_int __attribute__((unused)) = BASE("int", 4);
static const struct type type_long __attribute__((unused)) = BASE("long int", 8);

/* offset in bytes */
#define FIELD(field_name, field_type, offset)                                                 \
	{                                                                                     \
		.name = field_name, .type = field_type, .offset_bits = 8 * (uint64_t)(offset) \
	}
/* at in bits from the start of the struct */
#define BITS(field_name, field_type, at, width)                                               \
	{                                                                                     \
		.name = field_name, .type = field_type, .offset_bits = at, .size_bits = width \
	}

#define AGGREGATE(type_kind, type_name, bytes, ...)                                                \
	{                                                                                          \
		.kind = type_kind, .name = type_name, .size = bytes,                               \
		.fields = (const struct field[]){ __VA_ARGS__ },                                   \
		.nr_fields = sizeof((const struct field[]){ __VA_ARGS__ }) / sizeof(struct field), \
	}
#define STRUCT(type_name, bytes, ...) AGGREGATE(TYPE_STRUCT, type_name, bytes, __VA_ARGS__)
#define UNION(type_name, bytes, ...) AGGREGATE(TYPE_UNION, type_name, bytes, __VA_ARGS__)

/* A type of that kind which is made of another one; NULL = void. */
#define OF(type_kind, what) (&(const struct type){ .kind = type_kind, .target = what })
#define POINTER(what) (&(const struct type){ .kind = TYPE_POINTER, .size = 8, .target = what })
#define TYPEDEF(type_name, what) \
	(&(const struct type){ .kind = TYPE_TYPEDEF, .name = type_name, .target = what })
/* An array; the counts are those of its dimensions. */
#define ARRAY(what, ...)                                                                \
	(&(const struct type){ .kind = TYPE_ARRAY,                                      \
			       .size = TYPE_SIZE_UNKNOWN,                               \
			       .target = what,                                          \
			       .counts = (const uint64_t[]){ __VA_ARGS__ },             \
			       .nr_counts = sizeof((const uint64_t[]){ __VA_ARGS__ }) / \
					    sizeof(uint64_t) })
/* A function that returns result; the rest are its parameters as FIELD(NULL, type, 0). */
#define FUNCTION(result, ...)                                                               \
	(&(const struct type){ .kind = TYPE_FUNCTION,                                       \
			       .target = result,                                            \
			       .fields = (const struct field[]){ __VA_ARGS__ },             \
			       .nr_fields = sizeof((const struct field[]){ __VA_ARGS__ }) / \
					    sizeof(struct field) })
#define PARAMETER(what) FIELD(NULL, what, 0)

/* A set that was read from a little-endian x86-64 vmlinux. */
static inline struct typeset typeset_of_test(void)
{
	return (struct typeset){ .source = {
					 .path = "vmlinux",
					 .kind = "vmlinux",
					 .format = "dwarf",
					 .arch = arch_by_name("x86_64"),
					 .pointer_size = 8,
				 } };
}

#endif
