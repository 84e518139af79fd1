/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/exact_pairs.h"

static void add(struct exact *exact, const char *writer, const char *by, const char *reader,
		const char *whose, uint64_t nr_false)
{
	*vec_add(&exact->pairs) = (struct exact_pair){
		.writer_path = writer,
		.writer_function = by,
		.reader_path = reader,
		.reader_function = whose,
		.nr_false = nr_false,
	};
}

static int setup(void **state)
{
	struct exact *exact = memory_alloc(1, sizeof(*exact));

	exact->run.nr_operations = 100;
	*vec_add(&exact->types) = (struct exact_type){ .label = "struct a" };
	*vec_add(&exact->types) = (struct exact_type){ .label = "struct b" };
	*state = exact;
	return 0;
}

static int teardown(void **state)
{
	exact_deinit(*state);
	free(*state);
	return 0;
}

/* The pair whose functions are many is the most fought over, though none of its rows is. */
static void fields_meet_in_one_row_whichever_the_functions(void **state)
{
	struct exact *exact = *state;
	auto_text struct text text = {};
	const char *first, *second;

	add(exact, "lock", "lock_it", "size", "read_size", 30);
	add(exact, "openers", "get", "sectors", "write", 20);
	add(exact, "openers", "put", "sectors", "write", 15);
	add(exact, "openers", "put", "sectors", "submit", 5);
	exact_pairs_print(&text, exact);
	first = strstr(text_chars(&text), "0.400");
	second = strstr(text_chars(&text), "0.300");
	assert_non_null(first);
	assert_non_null(second);
	assert_true(first < second);
	assert_non_null(strstr(first, "struct a: openers -> sectors: get() -> write(), "
				      "put() -> write() and 1 more\n"));
	assert_non_null(strstr(second, "struct a: lock -> size: lock_it() -> read_size()\n"));
}

static void the_same_names_in_another_type_are_other_fields(void **state)
{
	struct exact *exact = *state;
	auto_text struct text text = {};

	add(exact, "openers", "get", "sectors", "write", 10);
	add(exact, "openers", "get", "sectors", "write", 10);
	exact->pairs.items[1].reader_type = 1;
	exact_pairs_print(&text, exact);
	assert_non_null(strstr(text_chars(&text), "struct a: openers -> sectors: "));
	assert_non_null(strstr(text_chars(&text), "struct a: openers -> struct b: sectors: "));
	assert_null(strstr(text_chars(&text), "0.200"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(fields_meet_in_one_row_whichever_the_functions,
						setup, teardown),
		cmocka_unit_test_setup_teardown(the_same_names_in_another_type_are_other_fields,
						setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
