/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "coherence/coherence.h"

static void sockets_and_cpus_are_read(void **state)
{
	struct coherence_topology topology = {};

	(void)state;
	assert_null(coherence_parse_topology("2x4", &topology));
	assert_int_equal(topology.nr_sockets, 2);
	assert_int_equal(topology.nr_cpus_per_socket, 4);
	assert_null(coherence_parse_topology("8", &topology));
	assert_int_equal(topology.nr_sockets, 1);
	assert_int_equal(topology.nr_cpus_per_socket, 8);
	assert_null(coherence_parse_topology("64x1", &topology));
	assert_int_equal(topology.nr_sockets, 64);
}

static void anything_else_is_refused(void **state)
{
	static const char *const cases[] = {
		"",
		"x",
		"2x",
		"x4",
		"2x4x2",
		"two",
		"2 x4",
		"-1",
		"2x-4",
		"0x4x",
		"5x13",
		"65",
		"0",
		"4294967297x1",
		/* 2^63 twice is 0. */
		"9223372036854775808x2",
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		struct coherence_topology topology = { 7, 7 };
		auto_error struct error *err = coherence_parse_topology(cases[i], &topology);

		assert_non_null(err);
		assert_int_equal(error_kind(err), ERROR_USAGE);
		assert_non_null(strstr(error_message(err), "topology"));
		assert_int_equal(topology.nr_sockets, 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sockets_and_cpus_are_read),
		cmocka_unit_test(anything_else_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
