/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers by address: of the functions asked for so far, or of the whole kernel, then kept in a
 * file and looked up there without debug information being searched.
 */
#ifndef FIELDLINE_RESOLVE_TABLE_H
#define FIELDLINE_RESOLVE_TABLE_H

#include "base/file.h"
#include "base/map.h"
#include "resolve/answer.h"

#define TABLE_NO_TYPE UINT32_MAX

/* What is known of one instruction. In the file it takes 16 bytes. */
struct row {
	uint64_t address;
	uint32_t type; /* index in the table's types; TABLE_NO_TYPE */
	uint32_t offset;
	uint8_t size;
	uint8_t rule;	/* enum rule */
	uint8_t class;	/* enum operand_class */
	uint8_t reason; /* enum access_unresolved */
	uint8_t confidence;
	bool is_load;
	bool is_store;
	bool is_locked;
	bool is_field;
	bool is_patched; /* an instruction that stands there after boot */
	bool by_stack_pointer;
};

/* A type by what finds it again in the same file: where its DIE is. */
struct row_type {
	uint64_t place;
	const char *name;	 /* to check that it is the same; "" = none */
	const struct type *type; /* NULL = not looked up yet */
};

DEFINE_VEC(row_vec, struct row);
DEFINE_VEC(row_type_vec, struct row_type);

struct table {
	struct row_vec rows;
	bool sorted; /* rows are in order and there will be no more: table_settle() */
	bool many;   /* rows come by the hundred thousand and are settled before one is asked for */
	struct map by_address; /* -> index in rows, unless many */
	struct row_type_vec types;
	struct map types_by_place; /* -> index in types */
	/* Of a table read from a file: rows lie there, by address. */
	struct file file;
	const uint8_t *file_rows;
	size_t nr_file_rows;
	uint64_t base;
};

void table_deinit(struct table *table);
/* Adds or replaces the row of address. */
void table_add(struct table *table, uint64_t address, const struct answer *answer, bool is_patched);
/* After all rows of many: the last one added of each address stays. */
void table_settle(struct table *table);
bool table_find(const struct table *table, uint64_t address, struct row *ret);
/* The model's type of a row; NULL = it has none. */
const struct type *table_type(struct table *table, struct code *code, const struct row *row);

/*
 * table_file.c: the file of a kernel's table, which holds its build-id. Reading fails where the
 * file is not there, damaged, of another version or another kernel: then it is built anew.
 */
struct error *table_write(const struct table *table, const char *path, const char *build_id);
struct error *table_read(const char *path, const char *build_id, struct table *ret);
/* Where the table of a kernel is kept; its folder is made. *ret is allocated. */
struct error *table_path(const char *build_id, char **ret);

#endif
