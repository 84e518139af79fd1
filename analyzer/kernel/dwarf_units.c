/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/dwarf_units.h"

#include <dwarf.h>

/* Compilers count codes from 1 without gaps; a table that does not is libdw's. */
#define MAX_ABBREV_CODE 65535
#define MAX_FIXED_BYTES 60000

static struct bytes unit_bytes(const struct dwarf_unit *unit, const uint8_t *at)
{
	struct bytes bytes = bytes_over(at, (size_t)(unit->end - at),
					unit->sections->big_endian);

	return bytes;
}

static uint64_t read_offset(struct bytes *bytes, uint8_t offset_size)
{
	return offset_size == 8 ? bytes_u64(bytes) : bytes_u32(bytes);
}

bool dwarf_unit_next(const struct dwarf_sections *sections, const uint8_t **at,
		     struct dwarf_unit *ret)
{
	const struct span *info = &sections->info;
	struct bytes bytes;
	uint64_t length;
	struct dwarf_unit unit = { .sections = sections, .start = *at, .offset_size = 4,
				   .unit_type = DW_UT_compile };

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
		unit.abbrev_offset = read_offset(&bytes, unit.offset_size);
	} else {
		unit.abbrev_offset = read_offset(&bytes, unit.offset_size);
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

/* Size of a form that always takes the same room, -1 for others. */
static int fixed_size(uint16_t form, uint8_t address_size, uint8_t offset_size)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return address_size;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return offset_size;
	default:
		return -1;
	}
}

const uint8_t *dwarf_skip_form(const struct dwarf_unit *unit, uint16_t form, const uint8_t *at)
{
	struct bytes bytes = unit_bytes(unit, at);
	int size = fixed_size(form, unit->address_size, unit->offset_size);

	if (size >= 0) {
		bytes_take(&bytes, (uint64_t)size);
		return bytes.failed ? NULL : bytes.at;
	}
	switch (form) {
	case DW_FORM_ref_addr: /* DWARF 2 gave it the size of an address */
		bytes_take(&bytes, unit->version <= 2 ? unit->address_size : unit->offset_size);
		break;
	case DW_FORM_string:
		bytes_string(&bytes);
		break;
	case DW_FORM_block1:
		bytes_take(&bytes, bytes_u8(&bytes));
		break;
	case DW_FORM_block2:
		bytes_take(&bytes, bytes_u16(&bytes));
		break;
	case DW_FORM_block4:
		bytes_take(&bytes, bytes_u32(&bytes));
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		bytes_take(&bytes, bytes_uleb(&bytes));
		break;
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_str_index:
	case DW_FORM_GNU_addr_index:
		bytes_uleb(&bytes);
		break;
	default:
		return NULL;
	}
	return bytes.failed ? NULL : bytes.at;
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
		size = fixed_size(step.form, table->address_size, table->offset_size);
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
	/* Where the base is not stated, it is right behind the header of the first contribution. */
	unit->str_offsets_base = unit->offset_size == 8 ? 16 : 8;
	if (die_has(&die, ROLE_STR_OFFSETS_BASE))
		unit->str_offsets_base = die_number(unit, &die, ROLE_STR_OFFSETS_BASE);
	unit->split = unit->unit_type == DW_UT_skeleton || die_has(&die, ROLE_DWO_NAME);
	unit->c = is_c(die_number(unit, &die, ROLE_LANGUAGE));
	return true;
}

void abbrev_table_deinit(struct abbrev_table *table)
{
	vec_deinit(&table->abbrevs);
	vec_deinit(&table->steps);
	table->valid = false;
}

const struct abbrev *die_abbrev(const struct dwarf_unit *unit, const uint8_t **at, bool *ret_end)
{
	const struct abbrev_vec *abbrevs = &unit->abbrevs->abbrevs;
	uint64_t code;

	*ret_end = false;
	if (*at >= unit->end)
		return NULL;
	code = **at;
	if (code < 0x80) {
		++*at;
	} else {
		struct bytes bytes = unit_bytes(unit, *at);

		code = bytes_uleb(&bytes);
		*at = bytes.at;
	}
	*ret_end = !code;
	if (code >= abbrevs->nr || !abbrevs->items[code].tag)
		return NULL;
	return &abbrevs->items[code];
}

/* Passes what step skips and its value; *ret_value is where that lies. NULL past the unit's end. */
static inline const uint8_t *take_step(const struct dwarf_unit *unit,
				       const struct abbrev_step *step, const uint8_t *at,
				       const uint8_t **ret_value)
{
	if ((size_t)(unit->end - at) < step->skip)
		return NULL;
	at += step->skip;
	*ret_value = at;
	if (step->size < 0)
		return dwarf_skip_form(unit, step->form, at);
	return unit->end - at < step->size ? NULL : at + step->size;
}

const uint8_t *die_skip(const struct dwarf_unit *unit, const struct abbrev *abbrev,
			const uint8_t *at, const uint8_t **ret_name, const uint8_t **ret_sibling)
{
	const struct abbrev_step *step = unit->abbrevs->steps.items + abbrev->first_step;
	const struct abbrev_step *last = step + abbrev->nr_steps;
	const uint8_t *sibling = NULL, *value;

	*ret_name = NULL;
	if (abbrev->all_fixed) {
		if ((size_t)(unit->end - at) < abbrev->fixed_bytes)
			return NULL;
		if (abbrev->name_form)
			*ret_name = at + abbrev->name_at;
		if (abbrev->sibling_form)
			sibling = at + abbrev->sibling_at;
		at += abbrev->fixed_bytes;
	} else {
		for (; step < last; step++) {
			at = take_step(unit, step, at, &value);
			if (!at)
				return NULL;
			if (step->role == ROLE_NAME)
				*ret_name = value;
			else if (step->role == ROLE_SIBLING)
				sibling = value;
		}
		if ((size_t)(unit->end - at) < abbrev->tail_bytes)
			return NULL;
		at += abbrev->tail_bytes;
	}
	*ret_sibling = sibling ? die_reference(unit, abbrev->sibling_form, sibling) : NULL;
	return at;
}

const uint8_t *die_read(const struct dwarf_unit *unit, const uint8_t *at, struct die *ret)
{
	const struct abbrev_step *step, *last;
	const struct abbrev *abbrev;
	const uint8_t *value;
	bool end;

	abbrev = die_abbrev(unit, &at, &end);
	ret->abbrev = abbrev;
	ret->present = 0;
	if (!abbrev)
		return end ? at : NULL;
	step = unit->abbrevs->steps.items + abbrev->first_step;
	last = step + abbrev->nr_steps;
	for (; step < last; step++) {
		at = take_step(unit, step, at, &value);
		if (!at)
			return NULL;
		if (step->role == ROLE_NONE)
			continue;
		ret->present |= 1u << step->role;
		ret->at[step->role] = value;
		ret->step[step->role] = step;
	}
	return (size_t)(unit->end - at) < abbrev->tail_bytes ? NULL : at + abbrev->tail_bytes;
}

/* Index into .debug_str_offsets; the offset of the string in .debug_str, or UINT64_MAX. */
static uint64_t string_offset(const struct dwarf_unit *unit, uint64_t index)
{
	const struct span *section = &unit->sections->str_offsets;
	struct bytes bytes = bytes_over(section->data, section->size,
					unit->sections->big_endian);
	uint64_t offset;

	if (!section->data || index > section->size || unit->str_offsets_base > section->size)
		return UINT64_MAX;
	bytes_seek(&bytes, unit->str_offsets_base + index * unit->offset_size);
	offset = read_offset(&bytes, unit->offset_size);
	return bytes.failed ? UINT64_MAX : offset;
}

static const char *string_in(const struct span *section, uint64_t offset)
{
	struct bytes bytes = bytes_over(section->data, section->size, false);

	if (!section->data || offset >= section->size)
		return NULL;
	bytes_seek(&bytes, offset);
	return bytes_string(&bytes);
}

const char *dwarf_string(const struct dwarf_unit *unit, uint16_t form, const uint8_t *at)
{
	struct bytes bytes = unit_bytes(unit, at);
	const uint8_t *three;

	switch (form) {
	case DW_FORM_string:
		return bytes_string(&bytes);
	case DW_FORM_strp:
		return string_in(&unit->sections->str, read_offset(&bytes, unit->offset_size));
	case DW_FORM_line_strp:
		return string_in(&unit->sections->line_str, read_offset(&bytes, unit->offset_size));
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return string_in(&unit->sections->alternate_str,
				 read_offset(&bytes, unit->offset_size));
	case DW_FORM_strx:
	case DW_FORM_GNU_str_index:
		return string_in(&unit->sections->str, string_offset(unit, bytes_uleb(&bytes)));
	case DW_FORM_strx1:
		return string_in(&unit->sections->str, string_offset(unit, bytes_u8(&bytes)));
	case DW_FORM_strx2:
		return string_in(&unit->sections->str, string_offset(unit, bytes_u16(&bytes)));
	case DW_FORM_strx3:
		three = bytes_take(&bytes, 3);
		if (!three)
			return NULL;
		return string_in(&unit->sections->str,
				 string_offset(unit, unit->sections->big_endian ?
							     three[0] << 16 | three[1] << 8 | three[2] :
							     three[2] << 16 | three[1] << 8 | three[0]));
	case DW_FORM_strx4:
		return string_in(&unit->sections->str, string_offset(unit, bytes_u32(&bytes)));
	default:
		return NULL;
	}
}

static uint64_t number_at(const struct dwarf_unit *unit, uint16_t form, const uint8_t *at)
{
	struct bytes bytes = unit_bytes(unit, at);

	switch (form) {
	case DW_FORM_flag_present:
		return 1;
	case DW_FORM_data1:
	case DW_FORM_flag:
	case DW_FORM_ref1:
		return bytes_u8(&bytes);
	case DW_FORM_data2:
	case DW_FORM_ref2:
		return bytes_u16(&bytes);
	case DW_FORM_data4:
	case DW_FORM_ref4:
		return bytes_u32(&bytes);
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
		return bytes_u64(&bytes);
	case DW_FORM_sec_offset:
	case DW_FORM_ref_addr:
	case DW_FORM_GNU_ref_alt:
		return read_offset(&bytes, unit->offset_size);
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
		return bytes_uleb(&bytes);
	case DW_FORM_sdata:
		return (uint64_t)bytes_sleb(&bytes);
	default:
		return 0;
	}
}

uint64_t die_number(const struct dwarf_unit *unit, const struct die *die, enum dwarf_role role)
{
	const struct abbrev_step *step;

	if (!die_has(die, role))
		return 0;
	step = die->step[role];
	if (step->form == DW_FORM_implicit_const)
		return (uint64_t)step->implicit;
	return number_at(unit, step->form, die->at[role]);
}

const uint8_t *die_reference(const struct dwarf_unit *unit, uint16_t form, const uint8_t *at)
{
	uint64_t offset;

	switch (form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		offset = number_at(unit, form, at);
		break;
	default:
		return NULL;
	}
	return offset < (uint64_t)(unit->end - unit->start) ? unit->start + offset : NULL;
}
