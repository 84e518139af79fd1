/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables in the two forms the kernel had; fields and functions are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "store/net_cachelines.h"

/* As up to Linux 6.13: bare columns, trailing blanks, cells left out. */
static const char bare[] =
	".. SPDX-License-Identifier: GPL-2.0\n"
	"\n"
	"=======================================\n"
	"other_name struct fast path usage breakdown\n"
	"=======================================\n"
	"\n"
	"Type                Name          fastpath_tx_access  fastpath_rx_access  Comments\n"
	"..struct            ..pipe_sock                                           \n"
	"struct_base         base                                                  \n"
	"u16                 head_len      read_mostly         read_mostly         send(tx);recv(rx)\n"
	"u32                 sent          read_write          -                   send\n"
	"u32                 seq           read_write                              estimate\n"
	"u32[3]              stat[3]                           read_write          a,b (c)\n"
	"u8:2                cold                                                  \n"
	"struct              rack                                                  \n"
	"struct_very_long_type_name* hint  read_mostly         -                   clean\n"
	"struct_very_long_type_name_2 lost read_mostly\n"
	"u8                  odd           sometimes           -                   x\n";

/* As since Linux 6.14: a simple table, types with blanks, no row for the struct. */
static const char bordered[] =
	"=========================================\n"
	"pipe_dev struct fast path usage breakdown\n"
	"=========================================\n"
	"\n"
	"=================== =========== =================== =================== ==============\n"
	"Type                Name        fastpath_tx_access  fastpath_rx_access  Comments\n"
	"=================== =========== =================== =================== ==============\n"
	"unsigned_long:32    priv_flags  read_mostly                             xmit(tx)\n"
	"char                name[16]\n"
	"struct pipe_ops*    ops         read_mostly         read_mostly         start\n"
	"struct list_head    list                            write_mostly        deliver\n"
	"unsigned_long       note                                                only(comment)\n"
	"void*destructor     struct dev\n"
	"=================== =========== =================== =================== ==============\n"
	"\n"
	"Text that follows.\n";

static void expect_fields(const struct path_table *table, const char *expected)
{
	static const char uses[] = "-rw";
	auto_text struct text found = {};

	for (size_t i = 0; i < table->fields.nr; i++) {
		const struct path_field *field = &table->fields.items[i];

		text_printf(&found, "%s %c%c\n", field->name, uses[field->use[PATH_TX]],
			    uses[field->use[PATH_RX]]);
	}
	assert_string_equal(text_chars(&found), expected);
}

static void bare_columns_are_cut_by_the_heading(void **state)
{
	auto_path_tables struct path_tables tables = {};

	(void)state;
	net_cachelines_parse("pipe.rst", bare, &tables);
	assert_int_equal(tables.tables.nr, 1);
	expect_fields(&tables.tables.items[0], "base --\nhead_len rr\nsent w-\nseq w-\nstat -w\n"
					       "cold --\nrack --\nhint r-\n");
	assert_int_equal(tables.tables.items[0].fields.items[1].line, 10);
}

static void rows_that_can_not_be_read_are_told(void **state)
{
	auto_path_tables struct path_tables tables = {};

	(void)state;
	net_cachelines_parse("pipe.rst", bare, &tables);
	assert_int_equal(tables.gaps.nr, 2);
	assert_string_equal(tables.gaps.items[0], "pipe.rst:17: this row is out of its columns");
	assert_string_equal(tables.gaps.items[1],
			    "pipe.rst:18: this row has an access that is unknown");
}

static void bordered_columns_are_cut_by_the_border(void **state)
{
	auto_path_tables struct path_tables tables = {};

	(void)state;
	net_cachelines_parse("pipe_dev.rst", bordered, &tables);
	assert_int_equal(tables.tables.nr, 1);
	assert_int_equal(tables.gaps.nr, 0);
	expect_fields(&tables.tables.items[0],
		      "priv_flags r-\nname --\nops rr\nlist -w\nnote --\n");
}

/* A heading out of line with its borders; a row of two names, which only matters if it is used. */
static void borders_count_and_not_the_heading(void **state)
{
	static const char text[] = "pipe struct fast path usage breakdown\n\n"
				   "====== ========== ================== ==================\n"
				   "Type Name fastpath_tx_access fastpath_rx_access\n"
				   "====== ========== ================== ==================\n"
				   "int    a          read_mostly        read_write\n"
				   "void*b struct two\n"
				   "void*c struct red                    read_mostly\n"
				   "====== ========== ================== ==================\n";
	auto_path_tables struct path_tables tables = {};

	(void)state;
	net_cachelines_parse("pipe.rst", text, &tables);
	assert_int_equal(tables.tables.nr, 1);
	expect_fields(&tables.tables.items[0], "a rw\n");
	assert_int_equal(tables.gaps.nr, 1);
	assert_string_equal(tables.gaps.items[0], "pipe.rst:8: this row names no field");
}

static void the_struct_is_named_by_the_row_the_file_or_the_title(void **state)
{
	auto_path_tables struct path_tables tables = {};

	(void)state;
	net_cachelines_parse("pipe.rst", bare, &tables);
	net_cachelines_parse("pipe_dev_sysctl.rst", bordered, &tables);
	assert_int_equal(tables.tables.items[0].names.nr, 3);
	assert_string_equal(tables.tables.items[0].names.items[0], "pipe_sock");
	assert_string_equal(tables.tables.items[0].names.items[1], "pipe");
	assert_string_equal(tables.tables.items[0].names.items[2], "other_name");
	assert_string_equal(tables.tables.items[1].names.items[0], "pipe_dev_sysctl");
	assert_string_equal(tables.tables.items[1].names.items[1], "pipe_dev");
}

static void what_is_no_table_of_a_struct_is_left_out(void **state)
{
	auto_path_tables struct path_tables tables = {};

	(void)state;
	net_cachelines_parse("index.rst", ".. toctree::\n   :maxdepth: 1\n\n   pipe_dev\n",
			     &tables);
	net_cachelines_parse("snmp.rst",
			     "counters enum fast path usage breakdown\n\n"
			     "Type  Name  fastpath_tx_access  fastpath_rx_access  comment\n"
			     "int   A     write_mostly                            x\n",
			     &tables);
	net_cachelines_parse("empty.rst", "", &tables);
	assert_int_equal(tables.tables.nr, 0);
	assert_int_equal(tables.gaps.nr, 0);
}

static void a_directory_without_tables_is_an_error(void **state)
{
	char path[] = "/tmp/fieldline-tables-XXXXXX";
	struct path_tables tables;
	auto_error struct error *empty = NULL;
	auto_error struct error *missing = net_cachelines_read("/nonexistent", &tables);

	(void)state;
	assert_non_null(mkdtemp(path));
	empty = net_cachelines_read(path, &tables);
	rmdir(path);
	assert_non_null(missing);
	assert_non_null(empty);
	assert_int_equal(error_kind(empty), ERROR_NOT_FOUND);
	assert_non_null(strstr(error_message(empty), "Documentation/networking/net_cachelines"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bare_columns_are_cut_by_the_heading),
		cmocka_unit_test(rows_that_can_not_be_read_are_told),
		cmocka_unit_test(bordered_columns_are_cut_by_the_border),
		cmocka_unit_test(borders_count_and_not_the_heading),
		cmocka_unit_test(the_struct_is_named_by_the_row_the_file_or_the_title),
		cmocka_unit_test(what_is_no_table_of_a_struct_is_left_out),
		cmocka_unit_test(a_directory_without_tables_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
