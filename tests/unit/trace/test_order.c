/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/made_recording.h"
#include "trace/order.h"

static void add_sample(struct order *order, uint64_t time_ns, uint64_t addr)
{
	struct item item = made_sample(time_ns, addr, 0);

	order_add(order, &item);
}

static void assert_takes(struct order *order, const uint64_t *times, size_t nr)
{
	const struct item *item;

	for (size_t i = 0; i < nr; i++) {
		assert_true(order_take(order, &item));
		assert_int_equal(item->time_ns, times[i]);
	}
	assert_false(order_take(order, &item));
}

#define TIMES(...) (const uint64_t[]){ __VA_ARGS__ }, sizeof((uint64_t[]){ __VA_ARGS__ }) / 8

/* What the next round brings may be earlier than what this one brought last. */
static void a_round_lets_go_what_the_round_before_had_seen(void **state)
{
	struct order *order = order_create();

	(void)state;
	add_sample(order, 30, 0);
	add_sample(order, 10, 0);
	order_end_round(order);
	assert_takes(order, NULL, 0);
	add_sample(order, 20, 0);
	add_sample(order, 50, 0);
	add_sample(order, 31, 0);
	order_end_round(order);
	assert_takes(order, TIMES(10, 20, 30));
	add_sample(order, 40, 0);
	order_end(order);
	assert_takes(order, TIMES(31, 40, 50));
	assert_true(order_is_empty(order));
	order_destroy(order);
}

static void equal_times_go_as_they_came(void **state)
{
	struct order *order = order_create();
	const struct item *item;

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		add_sample(order, i % 3, i);
	order_end_round(order);
	for (uint64_t i = 100; i < 200; i++)
		add_sample(order, i % 3, i);
	order_end(order);
	for (uint64_t time = 0; time < 3; time++) {
		for (uint64_t i = 0; i < 200; i++) {
			if (i % 3 != time)
				continue;
			assert_true(order_take(order, &item));
			assert_int_equal(item->sample.addr, i);
		}
	}
	order_destroy(order);
}

/* Over many rounds places are used again, and strings freed once: the sanitizer watches. */
static void strings_live_until_the_next_item_is_taken(void **state)
{
	struct order *order = order_create();
	const struct item *item;
	char name[16];

	(void)state;
	for (unsigned int round = 0; round < 50; round++) {
		for (unsigned int i = 0; i < 7; i++) {
			struct item comm;

			snprintf(name, sizeof(name), "%u-%u", round, i);
			comm = made_comm(1, 1, name);
			comm.time_ns = round * 10 + i;
			order_add(order, &comm);
			add_sample(order, round * 10 + i, 0);
		}
		memset(name, 'x', sizeof(name));
		order_end_round(order);
		while (order_take(order, &item)) {
			if (item->kind != ITEM_COMM)
				continue;
			snprintf(name, sizeof(name), "%u-%u", (unsigned int)item->time_ns / 10,
				 (unsigned int)item->time_ns % 10);
			assert_string_equal(item->comm.name, name);
		}
	}
	order_destroy(order); /* with a round left in it */
}

static void a_recording_without_rounds_is_cut_into_some(void **state)
{
	struct order *order = order_create();
	const struct item *item;
	uint64_t nr_taken = 0;

	(void)state;
	for (uint64_t i = 0; i < 1000000; i++) {
		add_sample(order, i, 0);
		while (order_take(order, &item))
			assert_int_equal(item->time_ns, nr_taken++);
	}
	assert_true(nr_taken > 700000);
	order_destroy(order);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_round_lets_go_what_the_round_before_had_seen),
		cmocka_unit_test(equal_times_go_as_they_came),
		cmocka_unit_test(strings_live_until_the_next_item_is_taken),
		cmocka_unit_test(a_recording_without_rounds_is_cut_into_some),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
