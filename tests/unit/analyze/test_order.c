/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/order.h"
#include "base/memory.h"

/* offsets as in "10 20 30"; a '!' behind one says that it stayed. Yields the kept ones as "10 30". */
static void assert_kept(const char *offsets, const char *expected)
{
	struct order orders[16] = {};
	char kept[100] = "";
	const char *at = offsets;
	size_t nr = 0;

	for (char *end; *at; at = end) {
		orders[nr].offset = strtoul(at, &end, 10);
		orders[nr].index = (uint32_t)nr;
		orders[nr++].stayed = *end == '!';
		end += *end == '!';
	}
	order_keep_most(orders, nr);
	for (size_t i = 0; i < nr; i++) {
		if (orders[i].kept)
			snprintf(kept + strlen(kept), sizeof(kept) - strlen(kept), "%s%u",
				 *kept ? " " : "", (unsigned int)orders[i].offset);
	}
	assert_string_equal(kept, expected);
}

static void what_is_in_order_is_kept(void **state)
{
	(void)state;
	assert_kept("", "");
	assert_kept("5", "5");
	assert_kept("1 2 3 4", "1 2 3 4");
}

static void one_out_of_order_is_left_out(void **state)
{
	(void)state;
	assert_kept("9 1 2 3", "1 2 3");
	assert_kept("1 2 3 0", "1 2 3");
	assert_kept("1 5 2 3", "1 2 3");
}

static void of_one_length_that_which_stayed_is_kept(void **state)
{
	(void)state;
	assert_kept("8 0!", "0");
	assert_kept("8! 0", "8");
	assert_kept("5 1 6! 2", "5 6");
}

static void those_of_one_offset_go_by_index(void **state)
{
	struct order swapped[] = { { .offset = 4, .index = 1 }, { .offset = 4, .index = 0 } };
	struct order kept[] = { { .offset = 4, .index = 0 }, { .offset = 4, .index = 1 } };

	(void)state;
	order_keep_most(swapped, 2);
	assert_int_equal(swapped[0].kept + swapped[1].kept, 1);
	order_keep_most(kept, 2);
	assert_int_equal(kept[0].kept + kept[1].kept, 2);
}

/* The length of the longest rising subsequence, the slow way. */
static size_t longest(const struct order *orders, size_t nr)
{
	size_t lengths[64], best = 0;

	for (size_t i = 0; i < nr; i++) {
		lengths[i] = 1;
		for (size_t j = 0; j < i; j++) {
			if (orders[j].offset < orders[i].offset && lengths[j] >= lengths[i])
				lengths[i] = lengths[j] + 1;
		}
		best = lengths[i] > best ? lengths[i] : best;
	}
	return best;
}

static void as_many_are_kept_as_can_be(void **state)
{
	unsigned int seed = 1;

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct order orders[64] = {};
		size_t nr = 1 + (size_t)rand_r(&seed) % 64, nr_kept = 0;
		uint64_t last = 0;

		for (size_t i = 0; i < nr; i++) /* no two alike */
			orders[i] = (struct order){
				.offset = ((uint64_t)rand_r(&seed) << 8) + i + 1,
				.index = (uint32_t)i,
			};
		order_keep_most(orders, nr);
		for (size_t i = 0; i < nr; i++) {
			if (!orders[i].kept)
				continue;
			assert_true(orders[i].offset > last);
			last = orders[i].offset;
			nr_kept++;
		}
		assert_int_equal(nr_kept, longest(orders, nr));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_in_order_is_kept),
		cmocka_unit_test(one_out_of_order_is_left_out),
		cmocka_unit_test(of_one_length_that_which_stayed_is_kept),
		cmocka_unit_test(those_of_one_offset_go_by_index),
		cmocka_unit_test(as_many_are_kept_as_can_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
