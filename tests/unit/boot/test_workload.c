/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "boot/workload.h"

struct fixture {
	char path[64];
};

static int setup(void **state)
{
	struct fixture *fixture = memory_alloc(1, sizeof(*fixture));
	int fd;

	strcpy(fixture->path, "/tmp/fieldline-test-XXXXXX");
	fd = mkstemp(fixture->path);
	assert_true(fd >= 0);
	close(fd);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	unlink(fixture->path);
	free(fixture);
	return 0;
}

static void write_workload(const struct fixture *fixture, const char *script)
{
	assert_null(file_write(fixture->path, script, strlen(script)));
}

static void headers_are_read_until_the_comments_end(void **state)
{
	const struct fixture *fixture = *state;
	auto_workload struct workload workload = {};

	write_workload(fixture, "#!/bin/sh\n# start: 5\n# count: 70\n# warm-up: 3\n# memory: 64\n"
				"# operations: io_submit_one aio_read\n# boot: a.b=1\nset -e\n"
				"# count: 9\n");
	assert_null(workload_find(fixture->path, &workload));
	assert_int_equal(workload.start, 5);
	assert_int_equal(workload.count, 70);
	assert_int_equal(workload.warm_up, 3);
	assert_int_equal(workload.memory_mib, 64);
	assert_string_equal(workload.boot, "a.b=1");
	assert_int_equal(workload.operations.nr, 2);
	assert_string_equal(workload.operations.items[0], "io_submit_one");
	assert_string_equal(workload.operations.items[1], "aio_read");
}

static void what_no_header_says_is_experiment_a(void **state)
{
	const struct fixture *fixture = *state;
	auto_workload struct workload workload = {};

	write_workload(fixture, "#!/bin/sh\n");
	assert_null(workload_find(fixture->path, &workload));
	assert_int_equal(workload.start, 8000);
	assert_int_equal(workload.count, 16000);
	assert_int_equal(workload.warm_up, 2000);
	assert_int_equal(workload.operations.nr, 0);
}

static void number_that_cannot_be_is_refused_by_name(void **state)
{
	static const struct {
		const char *script, *named;
	} cases[] = {
		{ "# count: 0\n", "count: from 1" },
		{ "# start: soon\n", "start" },
		{ "# memory: 99999\n", "memory: from 1 to 16384, not 99999" },
	};
	const struct fixture *fixture = *state;

	for (size_t i = 0; i < array_size(cases); i++) {
		auto_workload struct workload workload = {};
		auto_error struct error *err = NULL;

		write_workload(fixture, cases[i].script);
		err = workload_find(fixture->path, &workload);
		assert_non_null(err);
		assert_non_null(strstr(error_message(err), cases[i].named));
		assert_non_null(strstr(error_message(err), fixture->path));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(headers_are_read_until_the_comments_end, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_no_header_says_is_experiment_a, setup,
						teardown),
		cmocka_unit_test_setup_teardown(number_that_cannot_be_is_refused_by_name, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
