/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The skeleton of .debug_info, read by hand: units and abbreviations (DWARF 5, 7.5.1 and 7.5.3).
 * dwarf_die.h walks the DIEs between them.
 *
 * This is the fast half of the DWARF reader. It only has to find DIEs and to tell equal ones
 * apart from different ones; libdw reads what was found (dwarf_types.c). So it may give up:
 * a unit with a form or abbreviation it does not know is left to libdw as a whole. Every access
 * is checked against the section's end.
 */
#ifndef FIELDLINE_KERNEL_DWARF_UNITS_H
#define FIELDLINE_KERNEL_DWARF_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/vec.h"

struct span {
	const uint8_t *data; /* NULL = no such section */
	size_t size;
};

struct dwarf_sections {
	struct span info; /* .debug_info or, in a pass of its own, .debug_types */
	struct span abbrev;
	struct span str;
	struct span line_str;
	struct span line;
	struct span str_offsets;
	struct span loc; /* location lists, before DWARF 5 */
	struct span loclists;
	struct span addr;
	struct span alternate_str; /* .debug_str of a dwz alternate file */
	bool types_section;	   /* info is .debug_types: its headers are longer */
	bool big_endian;
	bool merged_strings; /* a linker has merged equal strings: offsets identify them */
};

/* What an attribute is to us. */
enum dwarf_role {
	ROLE_NONE,
	ROLE_NAME,
	ROLE_SIBLING,
	ROLE_TYPE,
	ROLE_BYTE_SIZE,
	ROLE_LOCATION,	      /* data_member_location */
	ROLE_DATA_BIT_OFFSET, /* DWARF 4 and later */
	ROLE_BIT_OFFSET,      /* DWARF 2 and 3 */
	ROLE_BIT_SIZE,
	ROLE_UPPER_BOUND,
	ROLE_COUNT,
	ROLE_ALIGNMENT,
	ROLE_DECLARATION,
	ROLE_SIGNATURE,
	ROLE_VECTOR,
	ROLE_DISCRIMINANT, /* Rust: discr, discr_value */
	ROLE_STR_OFFSETS_BASE,
	ROLE_DWO_NAME,
	ROLE_LANGUAGE,
	NR_ROLES,
};

/* One step through the attributes of a DIE: pass `skip` bytes, then read one value. */
struct abbrev_step {
	uint16_t skip;
	uint16_t form;
	uint8_t role;
	int8_t size;	  /* of the value; -1 = it varies */
	int64_t implicit; /* DW_FORM_implicit_const's value */
};

struct abbrev {
	uint16_t tag; /* 0 = this code is not defined */
	bool children;
	bool declaration;
	bool all_fixed;	    /* the attributes always take fixed_bytes */
	uint16_t name_form; /* 0 = no name */
	uint16_t sibling_form;
	uint32_t name_at; /* offsets inside the attributes where all_fixed */
	uint32_t sibling_at;
	uint32_t fixed_bytes; /* of all attributes, where all_fixed */
	uint32_t tail_bytes;  /* behind the last step */
	uint32_t first_step;
	uint32_t nr_steps;
};

DEFINE_VEC(abbrev_vec, struct abbrev);
DEFINE_VEC(abbrev_step_vec, struct abbrev_step);

/* The abbreviations of one unit, by code. Reused from unit to unit. */
struct abbrev_table {
	struct abbrev_vec abbrevs;
	struct abbrev_step_vec steps;
	uint64_t offset; /* of the table it holds, and the sizes it was made for */
	uint8_t address_size;
	uint8_t offset_size;
	bool valid;
};

struct dwarf_unit {
	const struct dwarf_sections *sections;
	const struct abbrev_table *abbrevs;
	const uint8_t *start; /* of the header: what DW_FORM_ref* count from */
	const uint8_t *first; /* first DIE */
	const uint8_t *end;
	uint64_t abbrev_offset;
	uint64_t str_offsets_base;
	uint16_t version;
	uint8_t unit_type; /* DW_UT_*; DW_UT_compile before DWARF 5 */
	uint8_t address_size;
	uint8_t offset_size;
	bool split; /* the DIEs are in a .dwo file */
	bool c;	    /* C or assembler: no types inside structs */
};

/* *at is the start of a header, moved to the next unit. False at the end or on a damaged header. */
bool dwarf_unit_next(const struct dwarf_sections *sections, const uint8_t **at,
		     struct dwarf_unit *ret);
/*
 * Reads the unit's abbreviations into table and the unit DIE for its bases. False when the unit
 * must be left to libdw.
 */
bool dwarf_unit_prepare(struct dwarf_unit *unit, struct abbrev_table *table);
void abbrev_table_deinit(struct abbrev_table *table);

#endif
