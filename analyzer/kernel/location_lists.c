/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/location_lists.h"

#include <dwarf.h>

/* What follows the byte of an operation (DWARF 5, 7.7.1, and GNU's own). */
enum operands {
	OPERANDS_UNKNOWN,
	OPERANDS_NONE,
	OPERANDS_1,
	OPERANDS_1_SIGNED,
	OPERANDS_2,
	OPERANDS_2_SIGNED,
	OPERANDS_4,
	OPERANDS_4_SIGNED,
	OPERANDS_8,
	OPERANDS_ULEB,
	OPERANDS_SLEB,
	OPERANDS_ULEB_SLEB,
	OPERANDS_ULEB_ULEB,
	OPERANDS_4_SLEB,
	OPERANDS_1_ULEB,
	OPERANDS_BLOCK,		  /* its length as ULEB before it */
	OPERANDS_ULEB_BYTE_BLOCK, /* its length in one byte */
};

static const uint8_t operands_of[256] = {
	[DW_OP_addr] = OPERANDS_8,
	[DW_OP_deref] = OPERANDS_NONE,
	[DW_OP_const1u] = OPERANDS_1,
	[DW_OP_const1s] = OPERANDS_1_SIGNED,
	[DW_OP_const2u] = OPERANDS_2,
	[DW_OP_const2s] = OPERANDS_2_SIGNED,
	[DW_OP_const4u] = OPERANDS_4,
	[DW_OP_const4s] = OPERANDS_4_SIGNED,
	[DW_OP_const8u... DW_OP_const8s] = OPERANDS_8,
	[DW_OP_constu] = OPERANDS_ULEB,
	[DW_OP_consts] = OPERANDS_SLEB,
	[DW_OP_dup... DW_OP_over] = OPERANDS_NONE,
	[DW_OP_pick] = OPERANDS_1,
	[DW_OP_swap... DW_OP_plus] = OPERANDS_NONE,
	[DW_OP_plus_uconst] = OPERANDS_ULEB,
	[DW_OP_shl... DW_OP_xor] = OPERANDS_NONE,
	[DW_OP_bra] = OPERANDS_2_SIGNED,
	[DW_OP_eq... DW_OP_ne] = OPERANDS_NONE,
	[DW_OP_skip] = OPERANDS_2_SIGNED,
	[DW_OP_lit0... DW_OP_reg31] = OPERANDS_NONE,
	[DW_OP_breg0... DW_OP_breg31] = OPERANDS_SLEB,
	[DW_OP_regx] = OPERANDS_ULEB,
	[DW_OP_fbreg] = OPERANDS_SLEB,
	[DW_OP_bregx] = OPERANDS_ULEB_SLEB,
	[DW_OP_piece] = OPERANDS_ULEB,
	[DW_OP_deref_size... DW_OP_xderef_size] = OPERANDS_1,
	[DW_OP_nop... DW_OP_push_object_address] = OPERANDS_NONE,
	[DW_OP_call2] = OPERANDS_2,
	[DW_OP_call4... DW_OP_call_ref] = OPERANDS_4,
	[DW_OP_form_tls_address... DW_OP_call_frame_cfa] = OPERANDS_NONE,
	[DW_OP_bit_piece] = OPERANDS_ULEB_ULEB,
	[DW_OP_implicit_value] = OPERANDS_BLOCK,
	[DW_OP_stack_value] = OPERANDS_NONE,
	[DW_OP_implicit_pointer] = OPERANDS_4_SLEB,
	[DW_OP_addrx... DW_OP_constx] = OPERANDS_ULEB,
	[DW_OP_entry_value] = OPERANDS_BLOCK,
	[DW_OP_const_type] = OPERANDS_ULEB_BYTE_BLOCK,
	[DW_OP_regval_type] = OPERANDS_ULEB_ULEB,
	[DW_OP_deref_type... DW_OP_xderef_type] = OPERANDS_1_ULEB,
	[DW_OP_convert... DW_OP_reinterpret] = OPERANDS_ULEB,
	[DW_OP_GNU_push_tls_address] = OPERANDS_NONE,
	[DW_OP_GNU_uninit] = OPERANDS_NONE,
	[DW_OP_GNU_implicit_pointer] = OPERANDS_4_SLEB,
	[DW_OP_GNU_entry_value] = OPERANDS_BLOCK,
	[DW_OP_GNU_const_type] = OPERANDS_ULEB_BYTE_BLOCK,
	[DW_OP_GNU_regval_type] = OPERANDS_ULEB_ULEB,
	[DW_OP_GNU_deref_type] = OPERANDS_1_ULEB,
	[DW_OP_GNU_convert] = OPERANDS_ULEB,
	[DW_OP_GNU_reinterpret] = OPERANDS_ULEB,
	[DW_OP_GNU_parameter_ref] = OPERANDS_4,
	[DW_OP_GNU_addr_index... DW_OP_GNU_const_index] = OPERANDS_ULEB,
	[DW_OP_GNU_variable_value] = OPERANDS_4,
};

static void read_block(struct bytes *bytes, uint64_t size, struct location_op *op)
{
	op->number = (int64_t)size;
	op->block.data = bytes_take(bytes, size);
	op->block.size = op->block.data ? size : 0;
}

static bool read_op(struct bytes *bytes, struct location_op *op)
{
	*op = (struct location_op){ .atom = bytes_u8(bytes) };
	switch (operands_of[op->atom]) {
	case OPERANDS_UNKNOWN:
		return false;
	case OPERANDS_1:
		op->number = bytes_u8(bytes);
		break;
	case OPERANDS_1_SIGNED:
		op->number = (int8_t)bytes_u8(bytes);
		break;
	case OPERANDS_2:
		op->number = bytes_u16(bytes);
		break;
	case OPERANDS_2_SIGNED:
		op->number = (int16_t)bytes_u16(bytes);
		break;
	case OPERANDS_4:
		op->number = bytes_u32(bytes);
		break;
	case OPERANDS_4_SIGNED:
		op->number = (int32_t)bytes_u32(bytes);
		break;
	case OPERANDS_8:
		op->number = (int64_t)bytes_u64(bytes);
		break;
	case OPERANDS_ULEB:
		op->number = (int64_t)bytes_uleb(bytes);
		break;
	case OPERANDS_SLEB:
		op->number = bytes_sleb(bytes);
		break;
	case OPERANDS_ULEB_SLEB:
		op->number = (int64_t)bytes_uleb(bytes);
		bytes_sleb(bytes);
		break;
	case OPERANDS_ULEB_ULEB:
		op->number = (int64_t)bytes_uleb(bytes);
		bytes_uleb(bytes);
		break;
	case OPERANDS_4_SLEB:
		op->number = bytes_u32(bytes);
		bytes_sleb(bytes);
		break;
	case OPERANDS_1_ULEB:
		op->number = bytes_u8(bytes);
		bytes_uleb(bytes);
		break;
	case OPERANDS_BLOCK:
		read_block(bytes, bytes_uleb(bytes), op);
		break;
	case OPERANDS_ULEB_BYTE_BLOCK:
		bytes_uleb(bytes);
		read_block(bytes, bytes_u8(bytes), op);
		break;
	}
	return !bytes->failed;
}

bool location_ops_read(struct span expression, struct location_op_vec *ret)
{
	struct bytes bytes = bytes_over(expression.data, expression.size, false);

	ret->nr = 0;
	while (bytes_left(&bytes)) {
		if (!read_op(&bytes, vec_add(ret)))
			return false;
	}
	return true;
}

static bool read_number(Dwarf_Die *die, unsigned int name, uint64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value))
		return false;
	*ret = value;
	return true;
}

void location_unit_read(Dwarf_Die *unit, struct location_unit *ret)
{
	uint8_t address_size = 8, offset_size = 4;
	Dwarf_Half version = 5;
	Dwarf_Addr low_pc = 0;

	dwarf_cu_info(unit->cu, &version, NULL, NULL, NULL, NULL, &address_size, &offset_size);
	dwarf_lowpc(unit, &low_pc);
	*ret = (struct location_unit){
		.die = unit->addr,
		.version = version,
		.address_size = address_size,
		.offset_size = offset_size,
		.low_pc = low_pc,
	};
	read_number(unit, DW_AT_addr_base, &ret->address_base);
	read_number(unit, DW_AT_loclists_base, &ret->lists_base);
}

static uint64_t take_address(struct location_list *list)
{
	return list->unit->address_size == 8 ? bytes_u64(&list->bytes) : bytes_u32(&list->bytes);
}

/* clang keeps addresses in a table of their own. */
static uint64_t take_indexed(struct location_list *list)
{
	const struct span *table = &list->sections->addr;
	struct bytes bytes = bytes_over(table->data, table->size, false);
	uint64_t index = bytes_uleb(&list->bytes);

	if (index > table->size)
		return 0;
	bytes_seek(&bytes, list->unit->address_base + index * list->unit->address_size);
	return list->unit->address_size == 8 ? bytes_u64(&bytes) : bytes_u32(&bytes);
}

bool location_list_open(const struct dwarf_sections *sections, const struct location_unit *unit,
			Dwarf_Attribute *attribute, struct location_list *ret)
{
	const struct span *section = unit->version < 5 ? &sections->loc : &sections->loclists;
	struct bytes bytes = bytes_over(section->data, section->size, false);
	unsigned int form = dwarf_whatform(attribute);
	uint64_t offset;
	Dwarf_Word value;

	/* libdw takes the index of a list for its offset. */
	if (form == DW_FORM_loclistx) {
		struct bytes index = bytes_over(attribute->valp, 10, false);
		uint64_t at = bytes_uleb(&index);

		if (at > section->size)
			return false;
		bytes_seek(&bytes, unit->lists_base + at * unit->offset_size);
		offset = unit->lists_base +
			 (unit->offset_size == 8 ? bytes_u64(&bytes) : bytes_u32(&bytes));
	} else if (!dwarf_formudata(attribute, &value)) {
		offset = value;
	} else {
		return false;
	}
	if (bytes.failed)
		return false;
	bytes_seek(&bytes, offset);
	*ret = (struct location_list){ sections, unit, bytes, unit->low_pc };
	return !bytes.failed;
}

/* .debug_loc, DWARF 2 to 4: pairs of addresses from the base, 0 and 0 at the end. */
static bool next_old(struct location_list *list, uint64_t *ret_start, uint64_t *ret_end,
		     struct span *ret_expression)
{
	uint64_t no_address = list->unit->address_size == 8 ? UINT64_MAX : UINT32_MAX;

	for (;;) {
		uint64_t start = take_address(list), end = take_address(list);

		if (list->bytes.failed || (!start && !end))
			return false;
		if (start == no_address) {
			list->base = end;
			continue;
		}
		*ret_start = list->base + start;
		*ret_end = list->base + end;
		ret_expression->size = bytes_u16(&list->bytes);
		ret_expression->data = bytes_take(&list->bytes, ret_expression->size);
		return !list->bytes.failed;
	}
}

/* What kind of entry it is in .debug_loclists; false: none with a range. */
static bool take_range(struct location_list *list, uint8_t kind, uint64_t *ret_start,
		       uint64_t *ret_end)
{
	switch (kind) {
	case DW_LLE_startx_endx:
		*ret_start = take_indexed(list);
		*ret_end = take_indexed(list);
		return true;
	case DW_LLE_startx_length:
		*ret_start = take_indexed(list);
		*ret_end = *ret_start + bytes_uleb(&list->bytes);
		return true;
	case DW_LLE_offset_pair:
		*ret_start = list->base + bytes_uleb(&list->bytes);
		*ret_end = list->base + bytes_uleb(&list->bytes);
		return true;
	case DW_LLE_default_location:
		*ret_start = 0;
		*ret_end = UINT64_MAX;
		return true;
	case DW_LLE_start_end:
		*ret_start = take_address(list);
		*ret_end = take_address(list);
		return true;
	case DW_LLE_start_length:
		*ret_start = take_address(list);
		*ret_end = *ret_start + bytes_uleb(&list->bytes);
		return true;
	default:
		return false;
	}
}

bool location_list_next(struct location_list *list, uint64_t *ret_start, uint64_t *ret_end,
			struct span *ret_expression)
{
	if (list->unit->version < 5)
		return next_old(list, ret_start, ret_end, ret_expression);
	for (;;) {
		uint8_t kind = bytes_u8(&list->bytes);

		if (kind == DW_LLE_base_address) {
			list->base = take_address(list);
		} else if (kind == DW_LLE_base_addressx) {
			list->base = take_indexed(list);
		} else if (take_range(list, kind, ret_start, ret_end)) {
			ret_expression->size = bytes_uleb(&list->bytes);
			ret_expression->data = bytes_take(&list->bytes, ret_expression->size);
			return !list->bytes.failed;
		} else {
			return false;
		}
		if (list->bytes.failed)
			return false;
	}
}
