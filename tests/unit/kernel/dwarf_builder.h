/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes .debug_info and .debug_abbrev byte by byte, so that every odd form can be had. */
#ifndef FIELDLINE_TESTS_DWARF_BUILDER_H
#define FIELDLINE_TESTS_DWARF_BUILDER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernel/dwarf_units.h"

struct dwarf_builder {
	uint8_t info[4096], abbrev[1024], str[1024], str_offsets[256];
	size_t nr_info, nr_abbrev, nr_str, nr_str_offsets;
	size_t unit; /* where the open unit's header is */
	bool big_endian;
	bool dwarf64;
};

static inline void put(uint8_t *to, size_t *nr, uint64_t value, size_t bytes, bool big_endian)
{
	for (size_t i = 0; i < bytes; i++)
		to[*nr + i] = (uint8_t)(value >> 8 * (big_endian ? bytes - 1 - i : i));
	*nr += bytes;
}

static inline void add_info(struct dwarf_builder *b, uint64_t value, size_t bytes)
{
	put(b->info, &b->nr_info, value, bytes, b->big_endian);
}

static inline void add_info_string(struct dwarf_builder *b, const char *text)
{
	memcpy(b->info + b->nr_info, text, strlen(text) + 1);
	b->nr_info += strlen(text) + 1;
}

/* Adds a string; yields its offset in .debug_str. */
static inline uint32_t add_str(struct dwarf_builder *b, const char *text)
{
	uint32_t offset = (uint32_t)b->nr_str;

	memcpy(b->str + b->nr_str, text, strlen(text) + 1);
	b->nr_str += strlen(text) + 1;
	return offset;
}

static inline void add_offset(struct dwarf_builder *b, uint64_t value)
{
	add_info(b, value, b->dwarf64 ? 8 : 4);
}

/* attributes: pairs of attribute and form (below 128 each), ended by 0. */
static inline void add_abbrev(struct dwarf_builder *b, uint8_t code, uint8_t tag, bool children,
			      const uint8_t *attributes)
{
	b->abbrev[b->nr_abbrev++] = code;
	b->abbrev[b->nr_abbrev++] = tag;
	b->abbrev[b->nr_abbrev++] = children;
	for (; *attributes; attributes++)
		b->abbrev[b->nr_abbrev++] = *attributes;
	b->abbrev[b->nr_abbrev++] = 0;
	b->abbrev[b->nr_abbrev++] = 0;
}

static inline void begin_unit(struct dwarf_builder *b, uint16_t version)
{
	b->unit = b->nr_info;
	if (b->dwarf64)
		add_info(b, 0xffffffff, 4);
	add_offset(b, 0);
	add_info(b, version, 2);
	if (version >= 5) {
		add_info(b, 1, 1); /* DW_UT_compile */
		add_info(b, 8, 1);
		add_offset(b, 0);
	} else {
		add_offset(b, 0);
		add_info(b, 8, 1);
	}
}

static inline void end_unit(struct dwarf_builder *b)
{
	size_t at = b->unit + (b->dwarf64 ? 4 : 0);
	size_t header = b->dwarf64 ? 12 : 4;

	put(b->info, &at, b->nr_info - b->unit - header, b->dwarf64 ? 8 : 4, b->big_endian);
}

static inline struct dwarf_sections sections_of(struct dwarf_builder *b)
{
	b->abbrev[b->nr_abbrev] = 0;
	return (struct dwarf_sections){
		.info = { b->info, b->nr_info },
		.abbrev = { b->abbrev, b->nr_abbrev + 1 },
		.str = { b->nr_str ? b->str : NULL, b->nr_str },
		.str_offsets = { b->nr_str_offsets ? b->str_offsets : NULL, b->nr_str_offsets },
		.merged_strings = true,
		.big_endian = b->big_endian,
	};
}

#endif
