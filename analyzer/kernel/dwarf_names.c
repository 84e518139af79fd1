/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/dwarf_names.h"

#include <dwarf.h>
#include <string.h>

#include "kernel/byte_search.h"
#include "kernel/dwarf_die.h"

#define MAX_PATTERNS 12
#define SKELETON_BYTES 512

enum { IN_STR, IN_LINE_STR, IN_ALTERNATE_STR };

static uint32_t in_file_order(const struct dwarf_sections *sections, uint64_t value)
{
	bool swap = sections->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	return swap ? __builtin_bswap32((uint32_t)value) : (uint32_t)value;
}

/* Every place where the name ends a string: linkers let a string begin inside a longer one. */
static void find_offsets(struct dwarf_names *names, const struct dwarf_sections *sections,
			 const struct span *section, struct map *offsets, size_t query)
{
	const char *name = names->queries[query].leaf;
	size_t length = strlen(name) + 1;
	const uint8_t *at = section->data, *end = at + section->size;

	while (at && at < end && (at = memmem(at, (size_t)(end - at), name, length))) {
		uint64_t offset = (uint64_t)(at - section->data);

		map_add(offsets, offset, NULL)->value |= 1ull << query;
		*vec_add(&names->patterns) = in_file_order(sections, offset);
		at++;
	}
}

static void add_query(struct dwarf_names *names, const struct dwarf_sections *sections,
		      size_t query)
{
	const char *name = names->queries[query].leaf;
	uint32_t first_bytes;

	find_offsets(names, sections, &sections->str, &names->offsets[IN_STR], query);
	find_offsets(names, sections, &sections->line_str, &names->offsets[IN_LINE_STR], query);
	find_offsets(names, sections, &sections->alternate_str, &names->offsets[IN_ALTERNATE_STR],
		     query);
	/* A name may also stand in the DIE itself (DW_FORM_string). */
	if (strlen(name) + 1 < sizeof(first_bytes)) {
		names->can_reject = false;
		return;
	}
	memcpy(&first_bytes, name, sizeof(first_bytes));
	*vec_add(&names->patterns) = first_bytes;
}

void dwarf_names_init(struct dwarf_names *names, const struct dwarf_sections *sections,
		      const struct type_query *queries, size_t nr_queries)
{
	*names = (struct dwarf_names){ .queries = queries, .nr_queries = nr_queries };
	names->by_offset = nr_queries && nr_queries <= 64;
	for (size_t i = 0; i < nr_queries; i++)
		names->by_offset &= !queries[i].pattern;
	if (!names->by_offset)
		return;
	names->can_reject = !sections->str_offsets.size;
	for (size_t i = 0; i < nr_queries; i++)
		add_query(names, sections, i);
	names->can_reject &= names->patterns.nr <= MAX_PATTERNS;
}

void dwarf_names_deinit(struct dwarf_names *names)
{
	for (size_t i = 0; i < array_size(names->offsets); i++)
		map_deinit(&names->offsets[i]);
	vec_deinit(&names->patterns);
}

bool dwarf_names_may_match(const struct dwarf_names *names, const struct dwarf_unit *unit)
{
	/* The skeleton of a unit whose types lie in a .dwo file is about 50 bytes. */
	if (!names->can_reject || unit->end - unit->first < SKELETON_BYTES)
		return true;
	for (size_t i = 0; i < names->patterns.nr; i++) {
		if (bytes_hold_u32(unit->first, unit->end, names->patterns.items[i]))
			return true;
	}
	return false;
}

static enum type_kind kind_of(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_union_type:
		return TYPE_UNION;
	case DW_TAG_typedef:
		return TYPE_TYPEDEF;
	default:
		return TYPE_STRUCT;
	}
}

static bool text_answers(const struct dwarf_names *names, uint16_t tag, const char *name)
{
	for (size_t i = 0; name && i < names->nr_queries; i++) {
		if (type_query_matches(&names->queries[i], kind_of(tag), name))
			return true;
	}
	return false;
}

static bool offset_answers(const struct dwarf_names *names, const struct map *offsets, uint16_t tag,
			   uint64_t offset)
{
	const struct map_slot *slot = map_find(offsets, offset);

	for (size_t i = 0; slot && i < names->nr_queries; i++) {
		const struct type_query *query = &names->queries[i];

		if (slot->value >> i & 1 && type_query_matches(query, kind_of(tag), query->leaf))
			return true;
	}
	return false;
}

bool dwarf_names_match(const struct dwarf_names *names, const struct dwarf_unit *unit, uint16_t tag,
		       uint16_t form, const uint8_t *at)
{
	struct bytes bytes = bytes_over(at, (size_t)(unit->end - at), unit->sections->big_endian);
	const struct map *offsets;

	if (!names->nr_queries)
		return true;
	if (form == DW_FORM_strp)
		offsets = &names->offsets[IN_STR];
	else if (form == DW_FORM_line_strp)
		offsets = &names->offsets[IN_LINE_STR];
	else if (form == DW_FORM_GNU_strp_alt || form == DW_FORM_strp_sup)
		offsets = &names->offsets[IN_ALTERNATE_STR];
	else
		offsets = NULL;
	if (!offsets || !names->by_offset)
		return text_answers(names, tag, dwarf_string(unit, form, at));
	return offset_answers(names, offsets, tag, dwarf_offset(&bytes, unit->offset_size));
}
