/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "emulate/region.h"

static void region_goes_from_boot_through_warm_up_to_its_end(void **state)
{
	struct region region = { .start = 3, .count = 2, .warm_up = 1 };

	(void)state;
	region_arm(&region);
	assert_false(region_operation(&region)); /* 1 */
	assert_int_equal(region.state, REGION_ARMED);
	assert_true(region_operation(&region)); /* 2 */
	assert_int_equal(region.state, REGION_WARMING);
	assert_true(region_is_modelled(&region));
	assert_true(region_operation(&region)); /* 3 */
	assert_int_equal(region.state, REGION_COUNTING);
	assert_false(region_operation(&region)); /* 4 */
	assert_true(region_operation(&region));	 /* 5 */
	assert_int_equal(region.state, REGION_DONE);
	assert_false(region_is_modelled(&region));
	assert_false(region.cut_short);
	assert_false(region_operation(&region));
	assert_int_equal(region.nr, 5);
}

static void operations_before_the_mark_do_not_count(void **state)
{
	struct region region = { .start = 1, .count = 1 };

	(void)state;
	assert_false(region_operation(&region));
	assert_int_equal(region.nr, 0);
	assert_true(region_mark(&region, REGION_MARK_START));
	assert_true(region_operation(&region));
	assert_int_equal(region.state, REGION_COUNTING);
}

static void marks_alone_make_a_region(void **state)
{
	struct region region = {};

	(void)state;
	assert_false(region_mark(&region, REGION_MARK_END));
	assert_true(region_mark(&region, REGION_MARK_START));
	assert_int_equal(region.state, REGION_COUNTING);
	assert_false(region_mark(&region, REGION_MARK_START));
	assert_true(region_mark(&region, REGION_MARK_END));
	assert_int_equal(region.state, REGION_DONE);
	assert_false(region.cut_short);
}

static void end_before_all_operations_cuts_short(void **state)
{
	struct region region = { .count = 10 };

	(void)state;
	region_mark(&region, REGION_MARK_START);
	region_operation(&region);
	assert_true(region_mark(&region, REGION_MARK_END));
	assert_true(region.cut_short);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(region_goes_from_boot_through_warm_up_to_its_end),
		cmocka_unit_test(operations_before_the_mark_do_not_count),
		cmocka_unit_test(marks_alone_make_a_region),
		cmocka_unit_test(end_before_all_operations_cuts_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
