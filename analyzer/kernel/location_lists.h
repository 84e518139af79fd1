/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where variables are, by hand: expressions (DWARF 5, 2.5) and lists of them (2.6.2). libdw keeps
 * each expression that it was asked for in a tree behind a lock, and there are a million.
 */
#ifndef FIELDLINE_KERNEL_LOCATION_LISTS_H
#define FIELDLINE_KERNEL_LOCATION_LISTS_H

#include <elfutils/libdw.h>

#include "kernel/dwarf_units.h"

struct location_op {
	uint8_t atom;
	int64_t number;	   /* the first operand */
	struct span block; /* the expression inside DW_OP_entry_value */
};

DEFINE_VEC(location_op_vec, struct location_op);

/* False where an operation is not known, or the bytes end inside of one. */
bool location_ops_read(struct span expression, struct location_op_vec *ret);

/* What the lists of a unit count from. */
struct location_unit {
	const void *die; /* the unit's, to know it by; NULL = not read yet */
	uint16_t version;
	uint8_t address_size;
	uint8_t offset_size;
	uint64_t low_pc;
	uint64_t address_base;
	uint64_t lists_base;
};

void location_unit_read(Dwarf_Die *unit, struct location_unit *ret);

struct location_list {
	const struct dwarf_sections *sections;
	const struct location_unit *unit;
	struct bytes bytes;
	uint64_t base;
};

/* False where the attribute is no list, or leads nowhere. */
bool location_list_open(const struct dwarf_sections *sections, const struct location_unit *unit,
			Dwarf_Attribute *attribute, struct location_list *ret);
/* The next range and its expression; false = the end, or damage. */
bool location_list_next(struct location_list *list, uint64_t *ret_start, uint64_t *ret_end,
			struct span *ret_expression);

#endif
