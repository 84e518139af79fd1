/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms of attribute values (DWARF 5, 7.5.6). */
#include "kernel/dwarf_die.h"

#include <dwarf.h>

static struct bytes unit_bytes(const struct dwarf_unit *unit, const uint8_t *at)
{
	return bytes_over(at, (size_t)(unit->end - at), unit->sections->big_endian);
}

int dwarf_form_size(uint16_t form, uint8_t address_size, uint8_t offset_size)
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
	int size = dwarf_form_size(form, unit->address_size, unit->offset_size);

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

/* Index into .debug_str_offsets; the offset of the string in .debug_str, or UINT64_MAX. */
static uint64_t string_offset(const struct dwarf_unit *unit, uint64_t index)
{
	const struct span *section = &unit->sections->str_offsets;
	struct bytes bytes = bytes_over(section->data, section->size, unit->sections->big_endian);
	uint64_t offset;

	if (!section->data || index > section->size || unit->str_offsets_base > section->size)
		return UINT64_MAX;
	bytes_seek(&bytes, unit->str_offsets_base + index * unit->offset_size);
	offset = dwarf_offset(&bytes, unit->offset_size);
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
		return string_in(&unit->sections->str, dwarf_offset(&bytes, unit->offset_size));
	case DW_FORM_line_strp:
		return string_in(&unit->sections->line_str,
				 dwarf_offset(&bytes, unit->offset_size));
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return string_in(&unit->sections->alternate_str,
				 dwarf_offset(&bytes, unit->offset_size));
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
		return string_in(
			&unit->sections->str,
			string_offset(unit, unit->sections->big_endian ?
						    three[0] << 16 | three[1] << 8 | three[2] :
						    three[2] << 16 | three[1] << 8 | three[0]));
	case DW_FORM_strx4:
		return string_in(&unit->sections->str, string_offset(unit, bytes_u32(&bytes)));
	default:
		return NULL;
	}
}

uint64_t dwarf_number(const struct dwarf_unit *unit, uint16_t form, const uint8_t *at)
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
		return dwarf_offset(&bytes, unit->offset_size);
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
	return dwarf_number(unit, step->form, die->at[role]);
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
		offset = dwarf_number(unit, form, at);
		break;
	default:
		return NULL;
	}
	return offset < (uint64_t)(unit->end - unit->start) ? unit->start + offset : NULL;
}
