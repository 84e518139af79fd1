/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file: a header, the build-id and its length, the base, how many types and rows there are,
 * the types (place 8, name's offset 4), the rows by address, the names. Little-endian throughout.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "base/text.h"
#include "resolve/table_rows.h"

#define MAGIC 0x454c4241544c46ull /* "FLTABLE" */
/* Grows with the format and with what the analysis finds. */
#define VERSION 3
#define TYPE_BYTES 12
#define HEADER_BYTES 20 /* magic, version, checksum of all that follows */

enum row_flag {
	FLAG_LOAD = 1 << 0,
	FLAG_STORE = 1 << 1,
	FLAG_LOCKED = 1 << 2,
	FLAG_FIELD = 1 << 3,
	FLAG_PATCHED = 1 << 4,
	FLAG_BY_STACK_POINTER = 1 << 5,
};

static void put(uint8_t *to, uint64_t value, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

static void add(struct text *text, uint64_t value, unsigned int nr)
{
	uint8_t bytes[8];

	put(bytes, value, nr);
	text_add_bytes(text, (const char *)bytes, nr);
}

void row_pack(const struct row *row, uint64_t base, uint8_t *ret)
{
	put(ret, row->address - base, 4);
	put(ret + 4, row->type, 4);
	put(ret + 8, row->offset, 4);
	ret[12] = row->size;
	ret[13] = (uint8_t)(row->rule | row->class << 4);
	ret[14] = (uint8_t)(row->reason | row->confidence << 4);
	ret[15] = (uint8_t)((row->is_load ? FLAG_LOAD : 0) | (row->is_store ? FLAG_STORE : 0) |
			    (row->is_locked ? FLAG_LOCKED : 0) | (row->is_field ? FLAG_FIELD : 0) |
			    (row->is_patched ? FLAG_PATCHED : 0) |
			    (row->by_stack_pointer ? FLAG_BY_STACK_POINTER : 0));
}

struct row row_unpack(const uint8_t *from, uint64_t base)
{
	struct bytes bytes = bytes_over(from, ROW_BYTES, false);
	struct row row = {};
	uint8_t flags;

	row.address = base + bytes_u32(&bytes);
	row.type = bytes_u32(&bytes);
	row.offset = bytes_u32(&bytes);
	row.size = bytes_u8(&bytes);
	row.rule = bytes_u8(&bytes);
	row.class = row.rule >> 4;
	row.rule &= 0xf;
	row.reason = bytes_u8(&bytes);
	row.confidence = row.reason >> 4;
	row.reason &= 0xf;
	flags = bytes_u8(&bytes);
	row.is_load = flags & FLAG_LOAD;
	row.is_store = flags & FLAG_STORE;
	row.is_locked = flags & FLAG_LOCKED;
	row.is_field = flags & FLAG_FIELD;
	row.is_patched = flags & FLAG_PATCHED;
	row.by_stack_pointer = flags & FLAG_BY_STACK_POINTER;
	/* A damaged file names no rule that there is not. */
	if (row.rule >= NR_RULES)
		row.rule = RULE_NONE;
	if (row.class >= NR_CLASSES)
		row.class = CLASS_NONE;
	if (row.reason >= ACCESS_NR_REASONS)
		row.reason = ACCESS_LOST_TRACK;
	if (row.confidence > CONFIDENCE_HIGH)
		row.confidence = CONFIDENCE_LOW;
	return row;
}

static uint64_t checksum(const char *bytes, size_t nr)
{
	return hash_bytes(0, bytes, nr);
}

static void print_table(const struct table *table, const char *build_id, struct text *text)
{
	auto_text struct text names = {};
	uint64_t base = table->rows.nr ? table->rows.items[0].address : 0;

	add(text, strlen(build_id), 4);
	text_add(text, build_id);
	add(text, base, 8);
	add(text, table->types.nr, 4);
	add(text, table->rows.nr, 4);
	for (size_t i = 0; i < table->types.nr; i++) {
		add(text, table->types.items[i].place, 8);
		add(text, names.length, 4);
		text_add_bytes(&names, table->types.items[i].name,
			       strlen(table->types.items[i].name) + 1);
	}
	for (size_t i = 0; i < table->rows.nr; i++) {
		uint8_t row[ROW_BYTES];

		row_pack(&table->rows.items[i], base, row);
		text_add_bytes(text, (const char *)row, sizeof(row));
	}
	if (names.length)
		text_add_bytes(text, names.chars, names.length);
}

struct error *table_write(const struct table *table, const char *path, const char *build_id)
{
	auto_text struct text text = {};
	uint8_t sum[8];

	add(&text, MAGIC, 8);
	add(&text, VERSION, 4);
	add(&text, 0, 8);
	print_table(table, build_id, &text);
	put(sum, checksum(text.chars + HEADER_BYTES, text.length - HEADER_BYTES), 8);
	memcpy(text.chars + HEADER_BYTES - 8, sum, 8);
	return file_write(path, text.chars, text.length);
}

static struct error *read_types(struct table *table, struct bytes *bytes, uint32_t nr,
				struct bytes names)
{
	for (uint32_t i = 0; i < nr; i++) {
		struct row_type type = { .place = bytes_u64(bytes) };
		struct bytes name = names;

		bytes_seek(&name, bytes_u32(bytes));
		type.name = bytes_string(&name);
		if (!type.name)
			return error_create(ERROR_INPUT, "a type's name is not there");
		*vec_add(&table->types) = type;
	}
	return NULL;
}

static struct error *read_table(struct table *table, const char *build_id)
{
	struct bytes bytes = bytes_over(table->file.data, table->file.size, false);
	uint32_t nr_types, nr_rows, length;
	uint64_t expected;
	const uint8_t *id;
	size_t left;

	if (bytes_u64(&bytes) != MAGIC || bytes_u32(&bytes) != VERSION)
		return error_create(ERROR_INPUT, "of another version");
	expected = bytes_u64(&bytes);
	if (bytes.failed || expected != checksum((const char *)bytes.at, bytes_left(&bytes)))
		return error_create(ERROR_INPUT, "damaged");
	length = bytes_u32(&bytes);
	id = bytes_take(&bytes, length);
	if (!id || length != strlen(build_id) || memcmp(id, build_id, length))
		return error_create(ERROR_INPUT, "of another kernel");
	table->base = bytes_u64(&bytes);
	nr_types = bytes_u32(&bytes);
	nr_rows = bytes_u32(&bytes);
	left = bytes_left(&bytes);
	if (bytes.failed || left < (uint64_t)nr_types * TYPE_BYTES + (uint64_t)nr_rows * ROW_BYTES)
		return error_create(ERROR_INPUT, "truncated");
	table->file_rows = bytes.at + (size_t)nr_types * TYPE_BYTES;
	table->nr_file_rows = nr_rows;
	id = table->file_rows + (size_t)nr_rows * ROW_BYTES;
	return read_types(table, &bytes, nr_types, bytes_over(id, (size_t)(bytes.end - id), false));
}

struct error *table_read(const char *path, const char *build_id, struct table *ret)
{
	struct table table = {};
	struct error *err = file_read(path, &table.file);

	if (!err)
		err = read_table(&table, build_id);
	if (err)
		table_deinit(&table);
	else
		*ret = table;
	return error_wrap(err, "'%s'", path);
}

static struct error *make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		int failed;

		*slash = '\0';
		failed = mkdir(path, 0700) && errno != EEXIST ? errno : 0;
		if (failed) {
			struct error *err = error_from_errno(failed, "cannot make '%s'", path);

			*slash = '/';
			return err;
		}
		*slash = '/';
	}
	return NULL;
}

struct error *table_path(const char *build_id, char **ret)
{
	const char *own = getenv("FIELDLINE_CACHE"), *shared = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	auto_text struct text path = {};
	struct error *err;

	if (own && *own)
		text_printf(&path, "%s", own);
	else if (shared && *shared)
		text_printf(&path, "%s/fieldline", shared);
	else if (home && *home)
		text_printf(&path, "%s/.cache/fieldline", home);
	else
		return error_create(ERROR_INPUT, "no cache folder: set FIELDLINE_CACHE or HOME");
	text_printf(&path, "/tables/%s", build_id);
	err = make_folders(path.chars);
	if (!err)
		*ret = take_pointer(path.chars);
	return err;
}
