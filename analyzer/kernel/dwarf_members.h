/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields of a struct DIE. */
#ifndef FIELDLINE_KERNEL_DWARF_MEMBERS_H
#define FIELDLINE_KERNEL_DWARF_MEMBERS_H

#include "kernel/dwarf_reader.h"

/* Fills type->fields from the children of die. depth bounds the recursion. */
void dwarf_members_read(struct dwarf_reader *reader, Dwarf_Die *die, struct type *type, int depth);

/* What dwarf_reader.c lends: the type behind DW_AT_type, a name in the arena, constants. */
const struct type *dwarf_reader_target(struct dwarf_reader *reader, Dwarf_Die *die, bool by_value,
				       int depth);
const char *dwarf_reader_name(struct dwarf_reader *reader, Dwarf_Die *die);
bool dwarf_reader_number(Dwarf_Die *die, unsigned int attribute, uint64_t *ret);
/* The stated alignment in bytes; 0 = none, or one that is no power of two. */
uint32_t dwarf_reader_alignment(Dwarf_Die *die);

#endif
