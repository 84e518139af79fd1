/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which fields of a struct the network's fast paths use, as the kernel's own documentation tells
 * (Documentation/networking/net_cachelines/, since Linux 6.8).
 */
#ifndef FIELDLINE_MODEL_PATH_TABLE_H
#define FIELDLINE_MODEL_PATH_TABLE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

enum fast_path {
	PATH_TX,
	PATH_RX,
	NR_PATHS,
};

enum path_use {
	PATH_UNUSED,
	PATH_READ,
	PATH_WRITTEN,
};

struct path_field {
	const char *name;
	enum path_use use[NR_PATHS];
	uint32_t line; /* in the table's file */
};

DEFINE_VEC(path_field_vec, struct path_field);

struct path_table {
	const char *file;
	/* What the struct may be called, the likeliest first: some titles name another struct. */
	struct string_vec names;
	struct path_field_vec fields;
};

DEFINE_VEC(path_table_vec, struct path_table);

struct path_tables {
	struct arena arena;
	struct path_table_vec tables;
	struct string_vec gaps; /* rows that could not be read, a sentence each */
};

void path_tables_deinit(struct path_tables *tables);
#define auto_path_tables __attribute__((cleanup(path_tables_deinit)))

#endif
