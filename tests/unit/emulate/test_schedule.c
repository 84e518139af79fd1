/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "emulate/schedule.h"

static void same_seed_gives_the_same_turns(void **state)
{
	struct schedule a = schedule_create(7, 50, 150), b = schedule_create(7, 50, 150);
	struct schedule other = schedule_create(8, 50, 150);
	unsigned int nr_same = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		uint64_t turn = schedule_draw(&a);

		assert_int_equal(turn, schedule_draw(&b));
		assert_in_range(turn, 50, 150);
		nr_same += turn == schedule_draw(&other);
	}
	assert_in_range(nr_same, 0, 50);
}

static void both_ends_of_the_range_come_up(void **state)
{
	struct schedule schedule = schedule_create(1, 3, 5);
	unsigned int seen[6] = {};

	(void)state;
	for (int i = 0; i < 1000; i++)
		seen[schedule_draw(&schedule)]++;
	for (int i = 3; i <= 5; i++)
		assert_in_range(seen[i], 200, 500);
}

static void turn_ends_with_the_block_that_uses_it_up(void **state)
{
	struct schedule schedule = schedule_create(1, 10, 10);

	(void)state;
	assert_false(schedule_run(&schedule, 0, 4));
	assert_false(schedule_run(&schedule, 0, 5));
	assert_true(schedule_run(&schedule, 0, 1));
	/* QEMU may go on with the same CPU, when the others sleep. */
	assert_false(schedule_run(&schedule, 0, 9));
	/* Another CPU's turn is a whole one. */
	assert_false(schedule_run(&schedule, 1, 9));
	assert_true(schedule_run(&schedule, 1, 50));
}

static void turns_change_from_the_next_one_on(void **state)
{
	struct schedule schedule = schedule_create(1, 1000, 1000);

	(void)state;
	assert_false(schedule_run(&schedule, 0, 1));
	schedule_set_turns(&schedule, 2, 2);
	assert_false(schedule_run(&schedule, 0, 900));
	assert_true(schedule_run(&schedule, 0, 99));
	assert_false(schedule_run(&schedule, 0, 1));
	assert_true(schedule_run(&schedule, 0, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_seed_gives_the_same_turns),
		cmocka_unit_test(both_ends_of_the_range_come_up),
		cmocka_unit_test(turn_ends_with_the_block_that_uses_it_up),
		cmocka_unit_test(turns_change_from_the_next_one_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
