/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <dwarf.h>

#include "base/arena.h"
#include "kernel/dwarf_files.h"

struct table {
	uint8_t bytes[512];
	size_t nr;
};

static void add(struct table *table, const void *bytes, size_t nr)
{
	memcpy(table->bytes + table->nr, bytes, nr);
	table->nr += nr;
}

static void add_byte(struct table *table, uint8_t byte)
{
	add(table, &byte, 1);
}

static void add_text(struct table *table, const char *text)
{
	add(table, text, strlen(text) + 1);
}

/* Length, version and the rest up to the lists; the header's own length is not used. */
static void begin(struct table *table, uint16_t version)
{
	add(table, (uint8_t[4]){}, 4);
	add(table, &version, 2);
	if (version >= 5)
		add(table, (uint8_t[]){ 8, 0 }, 2);
	add(table, (uint8_t[4]){}, 4);
	add(table, (uint8_t[5]){ 1, 1, 1, 0xfb, 14 }, version >= 4 ? 5 : 4);
	add(table, (uint8_t[]){ 4, 0, 1, 1 }, 4); /* opcode base and its lengths */
}

static void end(struct table *table)
{
	uint32_t length = (uint32_t)(table->nr - 4);

	memcpy(table->bytes, &length, sizeof(length));
}

static void begin_list(struct table *table, bool with_directory, uint8_t nr)
{
	add_byte(table, with_directory ? 2 : 1);
	add(table, (uint8_t[]){ DW_LNCT_path, DW_FORM_string }, 2);
	if (with_directory)
		add(table, (uint8_t[]){ DW_LNCT_directory_index, DW_FORM_udata }, 2);
	add_byte(table, nr);
}

static void expect_name(const struct table *table, uint64_t index, const char *comp_dir,
			const char *expected)
{
	const struct dwarf_sections sections = { .line = { table->bytes, table->nr } };
	auto_arena struct arena arena = {};
	struct dwarf_files files;
	const char *name;

	dwarf_files_init(&files, &sections, &arena);
	name = dwarf_file_name(&files, 0, index, comp_dir);
	if (expected)
		assert_string_equal(name ? name : "(none)", expected);
	else
		assert_null(name);
	dwarf_files_deinit(&files);
}

static void version_5_counts_from_0_and_joins_directories(void **state)
{
	struct table table = {};

	(void)state;
	begin(&table, 5);
	begin_list(&table, false, 3);
	add_text(&table, "/src/linux");
	add_text(&table, "/src/linux/./include/linux");
	add_text(&table, "/src/linux/fs/ext4/../xfs");
	begin_list(&table, true, 4);
	add_text(&table, "main.c");
	add_byte(&table, 0);
	add_text(&table, "fs.h");
	add_byte(&table, 1);
	add_text(&table, "../jfs/./jfs.h");
	add_byte(&table, 2);
	add_text(&table, "/usr/include//stdio.h");
	add_byte(&table, 1);
	end(&table);
	expect_name(&table, 0, "/src/linux", "main.c");
	expect_name(&table, 1, "/src/linux", "include/linux/fs.h");
	expect_name(&table, 1, "/src/lin", "/src/linux/include/linux/fs.h");
	expect_name(&table, 2, "/src/linux", "fs/jfs/jfs.h");
	expect_name(&table, 3, "/src/linux", "/usr/include/stdio.h");
	expect_name(&table, 4, "/src/linux", NULL);
}

static void version_4_counts_from_1_and_directory_0_is_the_units_own(void **state)
{
	struct table table = {};

	(void)state;
	begin(&table, 4);
	add_text(&table, "include/linux");
	add_byte(&table, 0);
	add_text(&table, "main.c");
	add(&table, (uint8_t[3]){ 0, 0, 0 }, 3);
	add_text(&table, "fs.h");
	add(&table, (uint8_t[3]){ 1, 0, 0 }, 3);
	add_byte(&table, 0);
	end(&table);
	expect_name(&table, 0, "/src", NULL);
	expect_name(&table, 1, "/src", "main.c");
	expect_name(&table, 2, "/src", "include/linux/fs.h");
	expect_name(&table, 2, NULL, "include/linux/fs.h");
	expect_name(&table, 3, "/src", NULL);
}

static void leading_parents_stay(void **state)
{
	struct table table = {};

	(void)state;
	begin(&table, 3);
	add_byte(&table, 0);
	add_text(&table, "../../a/../b.c");
	add(&table, (uint8_t[3]){ 0, 0, 0 }, 3);
	add_byte(&table, 0);
	end(&table);
	expect_name(&table, 1, "/src", "../../b.c");
}

static void a_table_cut_anywhere_yields_no_name_or_the_right_one(void **state)
{
	struct table whole = {};

	(void)state;
	begin(&whole, 5);
	begin_list(&whole, false, 1);
	add_text(&whole, "/src");
	begin_list(&whole, true, 1);
	add_text(&whole, "main.c");
	add_byte(&whole, 0);
	end(&whole);
	for (size_t nr = 0; nr < whole.nr; nr++) {
		struct table cut = whole;

		cut.nr = nr;
		expect_name(&cut, 0, "/src", NULL);
	}
	expect_name(&whole, 0, "/src", "main.c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_5_counts_from_0_and_joins_directories),
		cmocka_unit_test(version_4_counts_from_1_and_directory_0_is_the_units_own),
		cmocka_unit_test(leading_parents_stay),
		cmocka_unit_test(a_table_cut_anywhere_yields_no_name_or_the_right_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
