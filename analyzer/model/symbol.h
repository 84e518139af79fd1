/* SPDX-License-Identifier: GPL-2.0-only */
/* Global and static variables as a file's symbol table has them. */
#ifndef FIELDLINE_MODEL_SYMBOL_H
#define FIELDLINE_MODEL_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "model/arch.h"

/* A section that variables lie in. */
struct symbol_section {
	const char *name;
	/*
	 * Bytes to which its start is aligned for certain: in a linked image what its address
	 * shows, in an object or module what it asks of the linker.
	 */
	uint64_t align;
};

DEFINE_VEC(symbol_section_vec, struct symbol_section);

struct symbol {
	const char *name;
	uint64_t address; /* in a linked image; from the section's start in objects and modules */
	uint64_t size;	  /* bytes */
	uint32_t section; /* index in the table's sections */
};

DEFINE_VEC(symbol_vec, struct symbol);

/* All strings live as long as the table. */
struct symbol_table {
	struct arena arena;
	const char *path;
	const struct arch *arch;
	bool linked;
	struct symbol_section_vec sections;
	struct symbol_vec symbols; /* by section, address, size, name */
};

void symbol_table_deinit(struct symbol_table *table);
#define auto_symbol_table __attribute__((cleanup(symbol_table_deinit)))

/* Puts the symbols into their order. */
void symbol_table_sort(struct symbol_table *table);

#endif
