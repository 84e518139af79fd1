/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "propose/survey.h"
#include "support/types.h"

static const struct type rwsem =
	STRUCT("rw_semaphore", 40, FIELD("count", &type_long, 0), FIELD("owner", &type_long, 8),
	       FIELD("wait_list", ARRAY(&type_long, 3), 16));
static const struct type list_head =
	STRUCT("list_head", 16, FIELD("next", &type_long, 0), FIELD("prev", &type_long, 8));
static const struct type wait_queue_head =
	STRUCT("wait_queue_head", 24, FIELD("lock", &type_int, 0), FIELD("head", &list_head, 8));
/* Cut by itself, and so wherever it starts on a line. */
static const struct type port =
	STRUCT("port", 128, FIELD("a", ARRAY(&type_long, 7), 0),
	       FIELD("wait", &wait_queue_head, 56), FIELD("b", ARRAY(&type_long, 6), 80));
static const struct type console =
	STRUCT("console", 192, FIELD("x", ARRAY(&type_long, 8), 0), FIELD("port", &port, 64));
static const struct type shifted =
	STRUCT("shifted", 136, FIELD("x", &type_long, 0), FIELD("port", &port, 8));
static const struct type rare =
	STRUCT("rare", 112, FIELD("a", ARRAY(&type_long, 7), 0), FIELD("sem", &rwsem, 56),
	       FIELD("b", ARRAY(&type_long, 2), 96));

#define MAX_TYPES 8

struct bench {
	struct definition definitions[MAX_TYPES];
	struct typeset set;
	struct survey survey;
};

static void bench_deinit(struct bench *bench)
{
	survey_deinit(&bench->survey);
}
#define auto_bench __attribute__((cleanup(bench_deinit)))

static void run(struct bench *bench, const struct type *const *types, size_t nr)
{
	struct error *err;

	*bench = (struct bench){ .set = typeset_of_test() };
	for (size_t i = 0; i < nr; i++)
		bench->definitions[i] = (struct definition){ .type = types[i], .nr_units = 1 };
	bench->set.definitions = (struct definition_vec){ bench->definitions, nr, nr };
	err = propose_survey(&bench->set, (struct view){ 64, 0 }, &bench->survey);
	if (err)
		fail_msg("%s", error_message(err));
}

#define RUN(bench, ...)                                         \
	run(bench, (const struct type *const[]){ __VA_ARGS__ }, \
	    array_size(((const struct type *const[]){ __VA_ARGS__ })))

static void a_lock_is_told_of_the_struct_that_is_to_blame(void **state)
{
	auto_bench struct bench bench;
	const struct surveyed *found;

	(void)state;
	RUN(&bench, &console, &port, &shifted, &wait_queue_head);
	assert_int_equal(bench.survey.nr_structs, 4);
	assert_int_equal(bench.survey.found.nr, 1);
	found = &bench.survey.found.items[0];
	assert_ptr_equal(found->definition->type, &port);
	assert_int_equal(found->holders.nr, 1);
	assert_string_equal(found->holders.items[0], "struct console");
	assert_non_null(found->title);
}

static void what_each_operation_pays_for_comes_before_what_waiters_do(void **state)
{
	auto_bench struct bench bench;

	(void)state;
	RUN(&bench, &port, &rare, &rwsem);
	assert_int_equal(bench.survey.found.nr, 2);
	assert_ptr_equal(bench.survey.found.items[0].definition->type, &rare);
	assert_ptr_equal(bench.survey.found.items[1].definition->type, &port);
}

static const struct type inode =
	STRUCT("inode", 104, FIELD("mode", ARRAY(&type_long, 6), 0), FIELD("sem", &rwsem, 48),
	       FIELD("b", ARRAY(&type_long, 2), 88));
static const struct type outer =
	STRUCT("z_inode", 112, FIELD("x", &type_long, 0), FIELD("inode", &inode, 8));

/* As struct inode in struct bdev_inode: many units know the inode, one the struct around it. */
static void what_much_code_uses_comes_first(void **state)
{
	struct bench bench = { .set = typeset_of_test() };
	struct error *err;

	(void)state;
	bench.definitions[0] = (struct definition){ .type = &rare, .nr_units = 5 };
	bench.definitions[1] = (struct definition){ .type = &outer, .nr_units = 1 };
	bench.definitions[2] = (struct definition){ .type = &inode, .nr_units = 900 };
	bench.set.definitions = (struct definition_vec){ bench.definitions, 3, 3 };
	err = propose_survey(&bench.set, (struct view){ 64, 0 }, &bench.survey);
	assert_null(err);
	assert_int_equal(bench.survey.found.nr, 2);
	assert_ptr_equal(bench.survey.found.items[0].definition->type, &outer);
	bench_deinit(&bench);
}

static void nothing_is_found_where_nothing_is_wrong(void **state)
{
	auto_bench struct bench bench;

	(void)state;
	RUN(&bench, &list_head, &rwsem, &shifted);
	assert_int_equal(bench.survey.found.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lock_is_told_of_the_struct_that_is_to_blame),
		cmocka_unit_test(what_each_operation_pays_for_comes_before_what_waiters_do),
		cmocka_unit_test(what_much_code_uses_comes_first),
		cmocka_unit_test(nothing_is_found_where_nothing_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
