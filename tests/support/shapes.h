/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shapes typed into a test, members and all:
 *
 *	static const struct shape pair = STRUCT_SHAPE(10, "pair", 8, MEMBER("a", &shape_int, 0, 4),
 *						      MEMBER("b", &shape_int, 4, 4));
 *
 * The numbers are the order that shapes have; below 10 are those of this file.
 */
#ifndef FIELDLINE_TESTS_SHAPES_H
#define FIELDLINE_TESTS_SHAPES_H

#include "kernel/shapes.h"

#define SCALAR_SHAPE(nr, type_name, bytes)                                                   \
	{                                                                                    \
		.kind = SHAPE_SCALAR, .members_read = true, .number = nr, .name = type_name, \
		.size = bytes                                                                \
	}

static const struct shape shape_char __attribute__((unused)) = SCALAR_SHAPE(1, "char", 1);
static const struct shape shape_int __attribute__((unused)) = SCALAR_SHAPE(2, "int", 4);
static const struct shape shape_long __attribute__((unused)) = SCALAR_SHAPE(3, "long", 8);

#define ARRAY_SHAPE(nr, what, bytes, elements)                                           \
	{                                                                                \
		.kind = SHAPE_ARRAY, .members_read = true, .number = nr, .target = what, \
		.size = (bytes) * (elements), .count = elements                          \
	}
#define POINTER_SHAPE(nr, what)                                                            \
	{                                                                                  \
		.kind = SHAPE_POINTER, .members_read = true, .number = nr, .target = what, \
		.size = 8                                                                  \
	}
#define MEMBER(member_name, member_shape, at, bytes)                                    \
	{                                                                               \
		.name = member_name, .shape = member_shape, .offset = at, .size = bytes \
	}
#define AGGREGATE_SHAPE(shape_kind, nr, type_name, bytes, ...)                             \
	{                                                                                  \
		.kind = shape_kind, .members_read = true, .number = nr, .name = type_name, \
		.size = bytes, .members = (struct shape_member[]){ __VA_ARGS__ },          \
		.nr_members = sizeof((struct shape_member[]){ __VA_ARGS__ }) /             \
			      sizeof(struct shape_member)                                  \
	}
#define STRUCT_SHAPE(nr, type_name, bytes, ...) \
	AGGREGATE_SHAPE(SHAPE_STRUCT, nr, type_name, bytes, __VA_ARGS__)
#define UNION_SHAPE(nr, type_name, bytes, ...) \
	AGGREGATE_SHAPE(SHAPE_UNION, nr, type_name, bytes, __VA_ARGS__)

#endif
