/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/table.h"

#include "resolve/table_rows.h"

void table_deinit(struct table *table)
{
	vec_deinit(&table->rows);
	map_deinit(&table->by_address);
	vec_deinit(&table->types);
	map_deinit(&table->types_by_place);
	file_deinit(&table->file);
}

static uint32_t add_type(struct table *table, const struct shape *shape)
{
	uint64_t place = code_shape_place(shape);
	struct map_slot *slot;
	bool is_new;

	/* An element alone stands for the variable that is one. */
	if (!place)
		return shape->target ? add_type(table, shape->target) : TABLE_NO_TYPE;
	slot = map_add(&table->types_by_place, place, &is_new);
	if (is_new) {
		slot->value = table->types.nr;
		*vec_add(&table->types) =
			(struct row_type){ place, shape->name ? shape->name : "", NULL };
	}
	return (uint32_t)slot->value;
}

static struct row *place_row(struct table *table, uint64_t address)
{
	struct map_slot *slot;
	bool is_new;

	if (table->many)
		return vec_add(&table->rows);
	slot = map_add(&table->by_address, address, &is_new);
	if (!is_new)
		return &table->rows.items[slot->value];
	slot->value = table->rows.nr;
	return vec_add(&table->rows);
}

void table_add(struct table *table, uint64_t address, const struct answer *answer, bool is_patched)
{
	const struct shape *shape = answer->shape;
	int64_t offset = answer->offset;
	struct row *row = place_row(table, address);

	/* Of an array of structs the element is the object. */
	while (answer_is_field(answer) && shape->kind == SHAPE_ARRAY && shape->target->size > 0) {
		shape = shape->target;
		offset %= shape->size;
	}
	*row = (struct row){
		.address = address,
		.type = shape ? add_type(table, shape) : TABLE_NO_TYPE,
		.offset = shape ? (uint32_t)offset : 0,
		.size = answer->size,
		.rule = (uint8_t)answer->rule,
		.class = (uint8_t)answer->class,
		.reason = (uint8_t)answer->reason,
		.confidence = (uint8_t)answer_confidence(answer),
		.is_load = answer->is_load,
		.is_store = answer->is_store,
		.is_locked = answer->is_locked,
		.is_field = answer_is_field(answer),
		.is_patched = is_patched,
		.by_stack_pointer = answer->reg == REG_RSP,
	};
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

void table_settle(struct table *table)
{
	size_t nr = 0;

	/* glibc's qsort() merges, so equal addresses keep their order. */
	vec_sort(&table->rows, compare_rows);
	for (size_t i = 0; i < table->rows.nr; i++) {
		if (nr && table->rows.items[nr - 1].address == table->rows.items[i].address)
			nr--;
		table->rows.items[nr++] = table->rows.items[i];
	}
	table->rows.nr = nr;
	table->sorted = true;
	map_deinit(&table->by_address);
}

static size_t table_nr_rows(const struct table *table)
{
	return table->file_rows ? table->nr_file_rows : table->rows.nr;
}

/* The i-th row, in no order but of a table from a file. */
static void table_row(const struct table *table, size_t i, struct row *ret)
{
	if (table->file_rows)
		*ret = row_unpack(table->file_rows + i * ROW_BYTES, table->base);
	else
		*ret = table->rows.items[i];
}

bool table_find(const struct table *table, uint64_t address, struct row *ret)
{
	struct map_slot *slot;
	size_t low = 0, high = table_nr_rows(table);

	if (!table->file_rows && !table->sorted) {
		slot = map_find(&table->by_address, address);
		if (slot)
			*ret = table->rows.items[slot->value];
		return slot;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		table_row(table, middle, ret);
		if (ret->address == address)
			return true;
		if (ret->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

const struct type *table_type(struct table *table, struct code *code, const struct row *row)
{
	struct row_type *type;

	if (row->type >= table->types.nr)
		return NULL;
	type = &table->types.items[row->type];
	if (!type->type)
		type->type = code_type_at(code, type->place);
	return type->type;
}
