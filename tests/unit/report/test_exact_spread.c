/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/exact_spread.h"

/* A run of 10 operations in which a type had so many upgrades, and nothing else happened. */
static void add_run(struct exact_spread *spread, const char *label, uint64_t nr)
{
	auto_exact struct exact exact = {};

	exact.run.nr_operations = 10;
	exact.total.upgrades = nr;
	*vec_add(&exact.types) = (struct exact_type){
		.label = label,
		.origin = "a cache",
		.counts.upgrades = nr,
	};
	exact_spread_add(spread, &exact);
}

static void mean_and_ends_are_over_the_runs(void **state)
{
	auto_exact_spread struct exact_spread spread = {};
	auto_text struct text text = {};

	(void)state;
	add_run(&spread, "struct a", 20);
	add_run(&spread, "struct a", 10);
	add_run(&spread, "struct a", 60);
	exact_spread_print(&text, &spread);
	assert_non_null(strstr(text_chars(&text), "Over 3 seeds"));
	assert_non_null(strstr(text_chars(&text), "3.000 (1.000 to 6.000)     0.000 "
						  "(0.000 to 0.000)  all of the kernel\n"));
	assert_non_null(strstr(text_chars(&text), "(0.000 to 0.000)  struct a\n"));
}

static void a_run_without_the_type_had_none_of_it(void **state)
{
	auto_exact_spread struct exact_spread spread = {};
	auto_text struct text text = {};

	(void)state;
	add_run(&spread, "struct a", 20);
	add_run(&spread, "struct b", 20);
	exact_spread_print(&text, &spread);
	assert_non_null(strstr(text_chars(&text), "1.000 (0.000 to 2.000)"));
	assert_null(strstr(text_chars(&text), "struct b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_and_ends_are_over_the_runs),
		cmocka_unit_test(a_run_without_the_type_had_none_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
