/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/compared.h"

static void several_definitions_of_a_name_go_with_the_one_most_alike(void **state)
{
	struct type first = STRUCT("same", 8, FIELD("x", &type_long, 0));
	struct type second =
		STRUCT("same", 16, FIELD("p", &type_long, 0), FIELD("q", &type_long, 8));
	struct type grown = STRUCT("same", 24, FIELD("p", &type_long, 0), FIELD("q", &type_long, 8),
				   FIELD("r", &type_long, 16));
	struct compared *compared = start();

	(void)state;
	add(&compared->before, &first);
	add(&compared->before, &second);
	add(&compared->after, &grown);
	add(&compared->after, &first);
	run_in(compared, 64, 0);
	assert_int_equal(compared->set.nr_equal, 1);
	assert_int_equal(compared->set.comparisons.nr, 1);
	assert_int_equal(find_change(&compared->set.comparisons.items[0], "r")->kinds,
			 CHANGE_ADDED);
	finish(compared);
}

static void definitions_that_all_changed_go_by_their_fields(void **state)
{
	struct type first = STRUCT("same", 8, FIELD("x", &type_long, 0));
	struct type second =
		STRUCT("same", 16, FIELD("p", &type_long, 0), FIELD("q", &type_long, 8));
	struct type second_grown = STRUCT("same", 24, FIELD("p", &type_long, 0),
					  FIELD("q", &type_long, 8), FIELD("r", &type_long, 16));
	struct type first_grown =
		STRUCT("same", 16, FIELD("x", &type_long, 0), FIELD("y", &type_long, 8));
	struct compared *compared = start();

	(void)state;
	add(&compared->before, &first);
	add(&compared->before, &second);
	add(&compared->after, &second_grown);
	add(&compared->after, &first_grown);
	run_in(compared, 64, 0);
	assert_int_equal(compared->set.comparisons.nr, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct comparison *comparison = &compared->set.comparisons.items[i];

		assert_int_equal(comparison->changes.nr, 1);
		assert_int_equal(comparison->changes.items[0].kinds, CHANGE_ADDED);
	}
	finish(compared);
}

static void a_struct_that_only_one_side_has_is_told(void **state)
{
	const struct type a = STRUCT("a", 8, FIELD("x", &type_long, 0));
	const struct type b = STRUCT("b", 8, FIELD("x", &type_long, 0));
	struct compared *compared = compare(&a, &b);

	(void)state;
	assert_int_equal(count(find(compared, "struct a"), "DIFF-REMOVED", "8 bytes"), 1);
	assert_int_equal(count(find(compared, "struct b"), "DIFF-ADDED", "8 bytes"), 1);
	finish(compared);
}

static void a_typedef_may_come_to_stand_for_another_struct(void **state)
{
	const struct type old_one = STRUCT("one", 8, FIELD("x", &type_long, 0));
	const struct type new_one = STRUCT("other", 8, FIELD("y", &type_long, 0));
	const struct type before = STRUCT("s", 8, FIELD("f", TYPEDEF("thing_t", &old_one), 0));
	const struct type after = STRUCT("s", 8, FIELD("f", TYPEDEF("thing_t", &new_one), 0));
	struct compared *compared = compare(&before, &after);

	(void)state;
	assert_int_equal(find_change(find(compared, "struct s"), "f")->kinds, CHANGE_INSIDE);
	assert_string_equal(find(compared, "struct other")->old_name, "struct one");
	finish(compared);
}

static void btf_keeps_neither_alignment_nor_dimensions(void **state)
{
	const struct type *flat = ARRAY(&type_int, 6), *square = ARRAY(&type_int, 2, 3);
	struct type before = STRUCT("s", 24, FIELD("a", square, 0));
	struct type after = STRUCT("s", 24, FIELD("a", flat, 0));
	struct compared *compared = start();

	(void)state;
	before.align = 8;
	add(&compared->before, &before);
	add(&compared->after, &after);
	compared->after.source.format = "btf";
	run_in(compared, 64, 0);
	assert_int_equal(compared->set.comparisons.nr, 0);
	finish(compared);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_definitions_of_a_name_go_with_the_one_most_alike),
		cmocka_unit_test(definitions_that_all_changed_go_by_their_fields),
		cmocka_unit_test(a_struct_that_only_one_side_has_is_told),
		cmocka_unit_test(a_typedef_may_come_to_stand_for_another_struct),
		cmocka_unit_test(btf_keeps_neither_alignment_nor_dimensions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
