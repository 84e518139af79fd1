/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/path_table.h"

void path_tables_deinit(struct path_tables *tables)
{
	for (size_t i = 0; i < tables->tables.nr; i++) {
		vec_deinit(&tables->tables.items[i].names);
		vec_deinit(&tables->tables.items[i].fields);
	}
	vec_deinit(&tables->tables);
	vec_deinit(&tables->gaps);
	arena_deinit(&tables->arena);
}
