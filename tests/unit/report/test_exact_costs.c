/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/exact_costs.h"
#include "report/exact_json.h"
#include "report/exact_text.h"

static const struct coherence_machine *machine(const char *name)
{
	const struct coherence_machine *found = NULL;

	assert_null(coherence_find_machine(name, &found));
	return found;
}

/* 2 * 110 + 3 * 110 + 5 * 275 + 7 * 119 + 11 * 275; nothing of what hit or came from memory. */
static const struct exact_counts counts = {
	.loads = 1000,
	.stores = 1000,
	.memory = 50,
	.nr_cold = 50,
	.upgrades = 2,
	.clean_local = 3,
	.clean_remote = 5,
	.hitm_local = 7,
	.hitm_remote = 11,
};

enum { ON_SKYLAKE = 220 + 330 + 1375 + 833 + 3025 };

static void a_transfer_costs_its_latency_and_a_hit_nothing(void **state)
{
	(void)state;
	assert_int_equal(exact_costs_cycles(machine("skylake-sp"), &counts), ON_SKYLAKE);
}

static void text_is_per_operation_and_of_the_machine_asked_for(void **state)
{
	const struct exact exact = { .run = { .nr_operations = 10, .nr_sockets = 2 } };
	auto_text struct text text = {};

	(void)state;
	exact_costs_print(&text, &exact, &counts, machine("skylake-sp"));
	assert_string_equal(text_chars(&text), "skylake-sp 578");
}

static void a_machine_of_one_socket_is_no_model_of_two(void **state)
{
	const struct exact one = { .run = { .nr_operations = 1, .nr_sockets = 1 } };
	const struct exact two = { .run = { .nr_operations = 1, .nr_sockets = 2 } };
	auto_text struct text text = {};

	(void)state;
	exact_costs_print(&text, &one, &counts, NULL);
	assert_non_null(strstr(text_chars(&text), "neoverse-n1 "));
	assert_non_null(strstr(text_chars(&text), "k10 "));
	text_clear(&text);
	exact_costs_print(&text, &two, &counts, NULL);
	assert_null(strstr(text_chars(&text), "neoverse-n1 "));
	assert_non_null(strstr(text_chars(&text), "k10 "));
}

static void both_reports_say_that_cycles_are_modelled(void **state)
{
	const struct exact exact = {
		.run = { .nr_operations = 10, .nr_sockets = 2 },
		.total = counts,
	};
	auto_text struct text text = {}, json = {};

	(void)state;
	exact_text_print(&text, &exact, &(struct exact_text_options){});
	assert_non_null(strstr(text_chars(&text), "modelled cycles per operation, not measured"));
	assert_non_null(strstr(text_chars(&text), "578.3"));
	exact_json_print(&json, &exact);
	assert_non_null(strstr(text_chars(&json), "\"modelled_cycles\""));
	assert_non_null(strstr(text_chars(&json), "5783"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_transfer_costs_its_latency_and_a_hit_nothing),
		cmocka_unit_test(text_is_per_operation_and_of_the_machine_asked_for),
		cmocka_unit_test(a_machine_of_one_socket_is_no_model_of_two),
		cmocka_unit_test(both_reports_say_that_cycles_are_modelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
