/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the definitions of structs, unions and typedefs in .debug_info by reading as little of it
 * as possible; several threads share the units.
 *
 * A name is looked up in the string sections first. A unit whose bytes hold neither one of the
 * offsets found there nor the start of the name itself can't define it, and is passed over after
 * one vectorised search. (Units with indexed strings, DW_FORM_strx, are always walked.)
 */
#ifndef FIELDLINE_KERNEL_DWARF_SCAN_H
#define FIELDLINE_KERNEL_DWARF_SCAN_H

#include "kernel/dwarf_units.h"
#include "model/typeset.h"

struct dwarf_hit {
	uint64_t offset;   /* of the first DIE with this hash, in the section */
	uint64_t hash;	   /* dwarf_hash_type(); of the name alone in a scan for names */
	uint32_t nr_units; /* DIEs with this hash */
};

DEFINE_VEC(dwarf_hit_vec, struct dwarf_hit);
DEFINE_VEC(offset_vec, uint64_t);

struct dwarf_hits {
	struct dwarf_hit_vec hits;   /* by offset */
	struct offset_vec for_libdw; /* unit DIEs of the units that libdw must walk */
	uint64_t damaged_at;	     /* offset of a damaged unit header; UINT64_MAX = none */
};

struct dwarf_scan_request {
	const struct type_query *queries;
	size_t nr_queries; /* 0 = every struct and union, and typedefs of anonymous ones */
	bool names_only;   /* one hit a name */
	bool first_only;   /* stop at the first hit in the order of the file */
	unsigned int nr_threads;
};

void dwarf_scan(const struct dwarf_sections *sections, const struct dwarf_scan_request *request,
		struct dwarf_hits *ret);
void dwarf_hits_deinit(struct dwarf_hits *hits);

#endif
