/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/rules_paths.h"
#include "support/types.h"

#define R PATH_READ
#define W PATH_WRITTEN

/* Judges the struct by a table of these fields; the struct's name comes second in the table. */
static void judge(const struct type *type, const struct path_field *fields, size_t nr,
		  struct document *ret)
{
	struct typeset set = typeset_of_test();
	struct path_tables tables = {};
	struct path_table table = { .file = "pipe.rst" };

	*vec_add(&set.definitions) = (struct definition){ .type = type };
	*vec_add(&table.names) = "pipe";
	*vec_add(&table.names) = "pipe_dev";
	for (size_t i = 0; i < nr; i++)
		*vec_add(&table.fields) = fields[i];
	*vec_add(&tables.tables) = table;
	rules_judge_paths(&tables, &set, 64, ret);
	path_tables_deinit(&tables);
	typeset_deinit(&set);
}

/* "RULE field" of each finding, all of them notes. */
static void expect(const struct type *type, const struct path_field *fields, size_t nr,
		   const char *expected)
{
	auto_document struct document document = {};
	auto_text struct text found = {};

	judge(type, fields, nr, &document);
	for (size_t i = 0; i < document.findings.nr; i++) {
		const struct finding *finding = &document.findings.items[i];

		assert_int_equal(finding->severity, SEVERITY_NOTE);
		text_printf(&found, "%s %s\n", finding->rule->id, finding->field);
	}
	assert_string_equal(text_chars(&found), expected);
	assert_int_equal(document.gaps.nr, 0);
	assert_int_equal(document.examined.nr, 1);
}

static void fields_spread_over_lines_are_noted(void **state)
{
	const struct type spread = STRUCT("pipe_dev", 256, FIELD("a", &type_long, 0),
					  FIELD("b", &type_long, 64), FIELD("c", &type_long, 128));
	const struct type packed = STRUCT("pipe_dev", 64, FIELD("a", &type_long, 0),
					  FIELD("b", &type_long, 8), FIELD("c", &type_long, 16));
	const struct path_field fields[] = { { "a", { R, 0 } },
					     { "b", { R, R } },
					     { "c", { W, 0 } } };
	auto_document struct document document = {};

	(void)state;
	expect(&packed, fields, 2, "");
	expect(&spread, fields, 3, "PATH-LINES tx\n");
	judge(&spread, fields, 3, &document);
	assert_string_equal(document.findings.items[0].message,
			    "the tx path uses 3 fields of 24 bytes on 3 lines of 64; 1 would hold "
			    "them");
}

static void a_reader_beside_the_other_paths_writer_is_noted(void **state)
{
	const struct type shared =
		STRUCT("pipe_dev", 64, FIELD("w", &type_long, 0), FIELD("r", &type_long, 8));
	const struct type apart =
		STRUCT("pipe_dev", 128, FIELD("w", &type_long, 0), FIELD("r", &type_long, 64));
	const struct path_field across[] = { { "w", { W, 0 } }, { "r", { 0, R } } };
	const struct path_field same_path[] = { { "w", { W, 0 } }, { "r", { R, 0 } } };
	const struct path_field both_write[] = { { "w", { W, 0 } }, { "r", { W, R } } };
	auto_document struct document document = {};

	(void)state;
	expect(&shared, across, 2, "PATH-SHARED r\n");
	expect(&apart, across, 2, "");
	expect(&shared, same_path, 2, "");
	expect(&shared, both_write, 2, "");
	judge(&shared, across, 2, &document);
	assert_string_equal(document.findings.items[0].message,
			    "on line 0 of 64 bytes rx reads 'r', where tx writes 'w'");
}

static void a_field_outside_of_the_groups_is_noted(void **state)
{
	const uint64_t none[] = { 0 };
	const struct type marker = {
		.kind = TYPE_ARRAY, .target = &type_char, .counts = none, .nr_counts = 1
	};
	const struct type grouped =
		STRUCT("pipe_dev", 64, FIELD("__cacheline_group_begin__tx", &marker, 0),
		       FIELD("in", &type_long, 0), FIELD("__cacheline_group_end__tx", &marker, 8),
		       FIELD("out", &type_long, 8));
	const struct path_field fields[] = { { "in", { R, 0 } }, { "out", { R, 0 } } };

	(void)state;
	expect(&grouped, fields, 1, "");
	expect(&grouped, fields, 2, "PATH-GROUP out\n");
}

static void fields_of_the_table_that_are_not_there_are_noted_once(void **state)
{
	const struct type type = STRUCT("pipe_dev", 8, FIELD("a", &type_long, 0));
	const struct path_field fields[] = { { "a", { R, 0 } },
					     { "gone", { R, 0 } },
					     { "lost", { 0, W } },
					     { "unused_and_gone", { 0, 0 } } };
	auto_document struct document document = {};

	(void)state;
	expect(&type, fields, 4, "PATH-FIELD gone\n");
	judge(&type, fields, 4, &document);
	assert_string_equal(document.findings.items[0].message,
			    "2 fast-path fields of pipe.rst are not there: 'gone', 'lost'");
}

static void a_struct_that_is_not_there_is_a_gap(void **state)
{
	const struct type other = STRUCT("other", 8, FIELD("a", &type_long, 0));
	const struct path_field fields[] = { { "a", { R, 0 } } };
	auto_document struct document document = {};

	(void)state;
	judge(&other, fields, 1, &document);
	assert_int_equal(document.gaps.nr, 1);
	assert_string_equal(document.gaps.items[0], "pipe.rst: there is no struct pipe");
}

/* Lines are counted only where fields are: a damaged size must not make it last for ever. */
static void an_absurd_size_takes_no_time(void **state)
{
	const struct type vast = STRUCT("pipe_dev", 1ull << 58, FIELD("a", &type_long, 0),
					FIELD("b", &type_long, 1ull << 57));
	const struct path_field fields[] = { { "a", { R, 0 } }, { "b", { 0, W } } };

	(void)state;
	expect(&vast, fields, 2, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_spread_over_lines_are_noted),
		cmocka_unit_test(a_reader_beside_the_other_paths_writer_is_noted),
		cmocka_unit_test(a_field_outside_of_the_groups_is_noted),
		cmocka_unit_test(fields_of_the_table_that_are_not_there_are_noted_once),
		cmocka_unit_test(a_struct_that_is_not_there_is_a_gap),
		cmocka_unit_test(an_absurd_size_takes_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
