/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "coherence/machines.h"

static void cycles_are_the_sum_over_events(void **state)
{
	const struct coherence_machine machine = {
		.cycles = { [COHERENCE_HIT] = 1, [COHERENCE_HITM_REMOTE] = 300 },
	};
	uint64_t events[COHERENCE_NR_EVENTS] = {
		[COHERENCE_HIT] = 7,
		[COHERENCE_UPGRADE] = 5,
		[COHERENCE_HITM_REMOTE] = 20000000,
	};

	(void)state;
	assert_int_equal(coherence_modelled_cycles(&machine, events), 6000000007);
}

/* A forgotten entry would be 0; farther is never cheaper. */
static void every_machine_has_every_cost(void **state)
{
	(void)state;
	for (const struct coherence_machine *m = coherence_machines; m->name; m++) {
		const struct coherence_machine *found = NULL;

		assert_null(coherence_find_machine(m->name, &found));
		assert_ptr_equal(found, m);
		assert_non_null(m->title);
		for (unsigned int i = 0; i < COHERENCE_WRITE_BACK; i++) {
			bool is_remote = i == COHERENCE_CLEAN_REMOTE || i == COHERENCE_HITM_REMOTE;

			assert_int_equal(m->cycles[i] > 0, !(is_remote && m->is_one_socket));
		}
		assert_true(m->cycles[COHERENCE_HIT] < m->cycles[COHERENCE_CLEAN_LOCAL]);
		if (m->is_one_socket)
			continue;
		assert_true(m->cycles[COHERENCE_CLEAN_LOCAL] < m->cycles[COHERENCE_CLEAN_REMOTE]);
		assert_true(m->cycles[COHERENCE_HITM_LOCAL] < m->cycles[COHERENCE_HITM_REMOTE]);
	}
}

static void an_unknown_machine_is_refused_with_those_known(void **state)
{
	const struct coherence_machine *machine = NULL;
	auto_error struct error *err = coherence_find_machine("pdp-11", &machine);

	(void)state;
	assert_non_null(err);
	assert_null(machine);
	assert_int_equal(error_kind(err), ERROR_USAGE);
	assert_non_null(strstr(error_message(err), "'pdp-11'"));
	for (const struct coherence_machine *m = coherence_machines; m->name; m++)
		assert_non_null(strstr(error_message(err), m->name));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_are_the_sum_over_events),
		cmocka_unit_test(every_machine_has_every_cost),
		cmocka_unit_test(an_unknown_machine_is_refused_with_those_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
