/* SPDX-License-Identifier: GPL-2.0-only */
/* Which name attributes answer a query, decided by offsets and not by reading strings. */
#ifndef FIELDLINE_KERNEL_DWARF_NAMES_H
#define FIELDLINE_KERNEL_DWARF_NAMES_H

#include "base/map.h"
#include "kernel/dwarf_units.h"
#include "model/typeset.h"

DEFINE_VEC(pattern_vec, uint32_t);

/* The queries as seen from one file's string sections. */
struct dwarf_names {
	const struct type_query *queries;
	size_t nr_queries;
	/*
	 * Keys: offsets in .debug_str, .debug_line_str, the alternate .debug_str; values: a bit
	 * per query.
	 */
	struct map offsets[3];
	bool by_offset; /* the offsets are gathered; else names are compared as text */
	/*
	 * The four-byte values, in the file's byte order, without any of which a unit can't name
	 * what is asked for.
	 */
	struct pattern_vec patterns;
	bool can_reject; /* the patterns are complete and few */
};

void dwarf_names_init(struct dwarf_names *names, const struct dwarf_sections *sections,
		      const struct type_query *queries, size_t nr_queries);
void dwarf_names_deinit(struct dwarf_names *names);

/* Whether the unit's bytes may hold a matching name. */
bool dwarf_names_may_match(const struct dwarf_names *names, const struct dwarf_unit *unit);
/* Whether a DIE of this kind with this name attribute answers a query. */
bool dwarf_names_match(const struct dwarf_names *names, const struct dwarf_unit *unit, uint16_t tag,
		       uint16_t form, const uint8_t *at);

#endif
