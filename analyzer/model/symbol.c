/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/symbol.h"

#include <string.h>

void symbol_table_deinit(struct symbol_table *table)
{
	vec_deinit(&table->sections);
	vec_deinit(&table->symbols);
	arena_deinit(&table->arena);
}

static int compare_symbols(const void *a, const void *b)
{
	const struct symbol *left = a, *right = b;

	if (left->section != right->section)
		return left->section < right->section ? -1 : 1;
	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	if (left->size != right->size)
		return left->size < right->size ? -1 : 1;
	return strcmp(left->name, right->name);
}

void symbol_table_sort(struct symbol_table *table)
{
	vec_sort(&table->symbols, compare_symbols);
}
