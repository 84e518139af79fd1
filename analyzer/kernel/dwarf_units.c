/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/dwarf_die.h"

#include <dwarf.h>

/* Compilers count codes from 1 without gaps; a table that does not is libdw's. */
#define MAX_ABBREV_CODE 65535
#define MAX_FIXED_BYTES 60000

bool dwarf_unit_next(const struct dwarf_sections *sections, const uint8_t **at,
		     struct dwarf_unit *ret)
{
	const struct span *info = &sections->info;
	struct bytes bytes;
	uint64_t length;
	struct dwarf_unit unit = {
		.sections = sections, .start = *at, .offset_size = 4, .unit_type = DW_UT_compile
	};

	if (!info->data || *at >= info->data + info->size)
		return false;
	bytes = bytes_over(*at, (size_t)(info->data + info->size - *at), sections->big_endian);
	length = bytes_u32(&bytes);
	if (length == 0xffffffff) {
		length = bytes_u64(&bytes);
		unit.offset_size = 8;
	}
	if (bytes.failed || length > bytes_left(&bytes))
		return false;
	unit.end = bytes.at + length;
	bytes.end = unit.end;
	unit.version = bytes_u16(&bytes);
	if (unit.version >= 5) {
		unit.unit_type = bytes_u8(&bytes);
		unit.address_size = bytes_u8(&bytes);
		unit.abbrev_offset = dwarf_offset(&bytes, unit.offset_size);
	} else {
		unit.abbrev_offset = dwarf_offset(&bytes, unit.offset_size);
		unit.address_size = bytes_u8(&bytes);
		if (sections->types_section)
			unit.unit_type = DW_UT_type;
	}
	if (unit.unit_type == DW_UT_skeleton || unit.unit_type == DW_UT_split_compile)
		bytes_take(&bytes, 8);
	if (unit.unit_type == DW_UT_type || unit.unit_type == DW_UT_split_type)
		bytes_take(&bytes, 8 + (uint64_t)unit.offset_size);
	if (bytes.failed)
		return false;
	unit.first = bytes.at;
	*at = unit.end;
	*ret = unit;
	return true;
}

static enum dwarf_role role_of(uint64_t attribute)
{
	switch (attribute) {
	case DW_AT_name:
		return ROLE_NAME;
	case DW_AT_sibling:
		return ROLE_SIBLING;
	case DW_AT_type:
		return ROLE_TYPE;
	case DW_AT_byte_size:
		return ROLE_BYTE_SIZE;
	case DW_AT_data_member_location:
		return ROLE_LOCATION;
	case DW_AT_data_bit_offset:
		return ROLE_DATA_BIT_OFFSET;
	case DW_AT_bit_offset:
		return ROLE_BIT_OFFSET;
	case DW_AT_bit_size:
		return ROLE_BIT_SIZE;
	case DW_AT_upper_bound:
		return ROLE_UPPER_BOUND;
	case DW_AT_count:
		return ROLE_COUNT;
	case DW_AT_alignment:
		return ROLE_ALIGNMENT;
	case DW_AT_declaration:
		return ROLE_DECLARATION;
	case DW_AT_signature:
		return ROLE_SIGNATURE;
	case DW_AT_GNU_vector:
		return ROLE_VECTOR;
	case DW_AT_discr:
	case DW_AT_discr_value:
		return ROLE_DISCRIMINANT;
	case DW_AT_str_offsets_base:
		return ROLE_STR_OFFSETS_BASE;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:
		return ROLE_DWO_NAME;
	case DW_AT_language:
		return ROLE_LANGUAGE;
	default:
		return ROLE_NONE;
	}
}

/* Reads one declaration's attributes and turns them into steps; fixed ones merge into skips. */
static bool read_steps(struct bytes *bytes, struct abbrev_table *table, struct abbrev *abbrev)
{
	uint32_t skip = 0, reached = 0;

	abbrev->all_fixed = true;
	for (;;) {
		uint64_t attribute = bytes_uleb(bytes), form = bytes_uleb(bytes);
		enum dwarf_role role = role_of(attribute);
		struct abbrev_step step = { .form = (uint16_t)form, .role = (uint8_t)role };
		int size;

		if (form == DW_FORM_implicit_const)
			step.implicit = bytes_sleb(bytes);
		if (bytes->failed || form > UINT16_MAX)
			return false;
		if (!attribute && !form)
			break;
		if (form == DW_FORM_indirect)
			return false;
		if (role == ROLE_DECLARATION)
			abbrev->declaration = true;
		if (role == ROLE_NAME) {
			abbrev->name_form = step.form;
			abbrev->name_at = reached;
		} else if (role == ROLE_SIBLING) {
			abbrev->sibling_form = step.form;
			abbrev->sibling_at = reached;
		}
		size = dwarf_form_size(step.form, table->address_size, table->offset_size);
		if (size < 0)
			abbrev->all_fixed = false;
		else
			reached += (uint32_t)size;
		if (reached > MAX_FIXED_BYTES)
			return false;
		if (role == ROLE_NONE && size >= 0) {
			skip += (uint32_t)size;
			continue;
		}
		step.size = (int8_t)size;
		step.skip = (uint16_t)skip;
		skip = 0;
		*vec_add(&table->steps) = step;
		abbrev->nr_steps++;
	}
	abbrev->fixed_bytes = reached;
	abbrev->tail_bytes = skip;
	return true;
}

static struct abbrev *table_slot(struct abbrev_table *table, uint64_t code)
{
	while (table->abbrevs.nr <= code)
		*vec_add(&table->abbrevs) = (struct abbrev){};
	return &table->abbrevs.items[code];
}

static bool read_table(const struct dwarf_unit *unit, struct abbrev_table *table)
{
	const struct span *section = &unit->sections->abbrev;
	struct bytes bytes;

	if (!section->data || unit->abbrev_offset >= section->size)
		return false;
	bytes = bytes_over(section->data, section->size, unit->sections->big_endian);
	bytes_seek(&bytes, unit->abbrev_offset);
	table->abbrevs.nr = 0;
	table->steps.nr = 0;
	for (;;) {
		uint64_t code = bytes_uleb(&bytes);
		struct abbrev abbrev = { .first_step = (uint32_t)table->steps.nr };
		uint64_t tag;

		if (bytes.failed || code > MAX_ABBREV_CODE)
			return false;
		if (!code)
			return true;
		tag = bytes_uleb(&bytes);
		abbrev.children = bytes_u8(&bytes);
		abbrev.tag = (uint16_t)tag;
		if (!tag || tag > UINT16_MAX || !read_steps(&bytes, table, &abbrev))
			return false;
		*table_slot(table, code) = abbrev;
	}
}

static bool is_c(uint64_t language)
{
	return language == DW_LANG_C89 || language == DW_LANG_C || language == DW_LANG_C99 ||
	       language == DW_LANG_C11 || language == DW_LANG_Mips_Assembler;
}

bool dwarf_unit_prepare(struct dwarf_unit *unit, struct abbrev_table *table)
{
	struct die die;

	unit->abbrevs = table;
	if (unit->version < 2 || unit->version > 5)
		return false;
	if (!table->valid || table->offset != unit->abbrev_offset ||
	    table->address_size != unit->address_size || table->offset_size != unit->offset_size) {
		table->offset = unit->abbrev_offset;
		table->address_size = unit->address_size;
		table->offset_size = unit->offset_size;
		table->valid = read_table(unit, table);
	}
	if (!table->valid || !die_read(unit, unit->first, &die) || !die.abbrev)
		return false;
	/* Unstated, the base is behind the header, which GNU's .dwo files of DWARF 4 lack. */
	unit->str_offsets_base = unit->version < 5 ? 0 : unit->offset_size == 8 ? 16 : 8;
	if (die_has(&die, ROLE_STR_OFFSETS_BASE))
		unit->str_offsets_base = die_number(unit, &die, ROLE_STR_OFFSETS_BASE);
	/* The other half in the .dwo file may name that file too, but it has children. */
	unit->split = !die.abbrev->children &&
		      (unit->unit_type == DW_UT_skeleton || die_has(&die, ROLE_DWO_NAME));
	unit->c = is_c(die_number(unit, &die, ROLE_LANGUAGE));
	return true;
}

void abbrev_table_deinit(struct abbrev_table *table)
{
	vec_deinit(&table->abbrevs);
	vec_deinit(&table->steps);
	table->valid = false;
}
