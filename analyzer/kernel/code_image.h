/* SPDX-License-Identifier: GPL-2.0-only */
/* What is behind struct code. Only for this folder, since it shows libdw's types. */
#ifndef FIELDLINE_KERNEL_CODE_IMAGE_H
#define FIELDLINE_KERNEL_CODE_IMAGE_H

#include "kernel/code.h"
#include "kernel/dwarf_reader.h"
#include "kernel/image.h"
#include "kernel/location_lists.h"
#include "kernel/shapes_reader.h"

struct placed_variable {
	uint64_t address;
	const struct shape *shape; /* NULL until it is asked for */
	Dwarf_Die die;
};

struct placed_range {
	struct code_range range;
	uint32_t function;
};

DEFINE_VEC(offset_vec, Dwarf_Off);
DEFINE_VEC(code_section_vec, struct code_section);
DEFINE_VEC(code_symbol_vec, struct code_symbol);
DEFINE_VEC(code_function_vec, struct code_function);
DEFINE_VEC(placed_variable_vec, struct placed_variable);
DEFINE_VEC(placed_range_vec, struct placed_range);

struct code {
	struct typeset set; /* the source, and the arena of the model's types */
	struct image image;
	struct code_section_vec sections; /* by address */
	struct code_symbol_vec symbols;

	bool indexed, functions_indexed;
	struct shapes shapes;
	struct offset_vec subprograms; /* where their DIEs are, until functions are indexed */
	struct code_function_vec functions;
	struct die_vec function_dies;
	struct placed_range_vec ranges;	      /* by start */
	struct map entries;		      /* address -> function */
	struct placed_variable_vec variables; /* by address */
	struct map declared; /* hash of a variable's name -> index in declarations */
	struct die_vec declarations;
	struct map declared_functions; /* hash of name -> index in function_declarations */
	struct die_vec function_declarations;

	/* Of the units asked for so far, by their DIE: static variables inside functions. */
	struct map own_variables; /* -> struct placed_variable_vec * */
	const void *listed_unit;  /* the DIE of the unit whose structs are listed */
	struct map unit_structs;  /* hash of name -> enum unit_has */

	struct dwarf_sections dwarf_sections;
	struct location_unit location_unit; /* of the last function asked for */
	struct dwarf_files files;
	struct dwarf_reader reader;
};

/* Puts addresses into the code and data of a module, whose sections have some in elf. */
void code_relocate(struct code *code, Elf *elf);

/* Blocks and inlined functions nest less deeply than this. */
#define CODE_MAX_DEPTH 200

/* Whether a variable lies at a fixed address. */
bool code_static_address(Dwarf_Die *die, uint64_t *ret);
/* The name of a DIE or of what it is an instance of; NULL = none. */
const char *code_integrated_name(Dwarf_Die *die);
void code_sort_variables(struct placed_variable_vec *variables);

#endif
