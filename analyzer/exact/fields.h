/* SPDX-License-Identifier: GPL-2.0-only */
/* Adds rows of counts up: by type, line, field and function, the most fought over first. */
#ifndef FIELDLINE_EXACT_FIELDS_H
#define FIELDLINE_EXACT_FIELDS_H

#include "model/exact.h"

struct field_row {
	uint32_t type; /* index in exact->types */
	uint32_t phase;
	uint64_t offset;
	uint32_t size;
	uint32_t cpu;
	enum exact_context context;
	const char *function;
	struct exact_counts counts;
	/* By field_rows_add(). */
	uint64_t line;
	uint64_t field_offset;
	uint64_t field_size;
	const char *path;
};

DEFINE_VEC(field_rows, struct field_row);

void field_rows_add(struct field_rows *rows, struct exact *exact, const struct field_row *row);
/*
 * Fills lines, fields and functions of exact, and its types' counts. Puts types and pairs into
 * their order: numbers of types known before are good no more.
 */
void field_rows_build(struct field_rows *rows, struct exact *exact);
/*
 * "i_rwsem.count", "slots[]", "+0x40": what a person calls it. Elements of an array and the insides
 * of locks and atomics are one.
 */
const char *field_name(struct arena *arena, const struct exact_type *type, uint64_t offset,
		       uint64_t size);

#endif
