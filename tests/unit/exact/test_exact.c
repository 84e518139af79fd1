/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of counts that no run wrote, over this very program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exact/exact.h"
#include "support/made_counts.h"

static struct error *read_made(struct made_counts *made, struct exact *ret)
{
	const struct string_vec operations = {};
	struct exact_request request = { .vmlinux = "/proc/self/exe", .operations = &operations };
	int fd = memfd_create("counts", 0);
	struct error *err;
	char path[64];

	made_counts_add_end(made);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, made->bytes, made->nr), made->nr);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	request.counts = path;
	err = exact_read(&request, ret);
	close(fd);
	return err;
}

static void lines_of_no_size_are_refused(void **state)
{
	static const char *const sizes[] = { NULL, "0", "48", "many" };

	(void)state;
	for (size_t i = 0; i < array_size(sizes); i++) {
		auto_exact struct exact exact = {};
		auto_error struct error *err = NULL;
		struct made_counts made = {};

		made_counts_start(&made);
		if (sizes[i])
			made_counts_add_named(&made, COUNTS_ABOUT, NULL, 0, "line_size", sizes[i]);
		err = read_made(&made, &exact);
		assert_non_null(err);
		assert_int_equal(error_kind(err), ERROR_INPUT);
		assert_non_null(strstr(error_message(err), "' tells of lines of "));
	}
}

static void a_run_in_which_nothing_was_touched_is_empty(void **state)
{
	auto_exact struct exact exact = {};
	struct made_counts made = {};

	(void)state;
	made_counts_start(&made);
	made_counts_add_named(&made, COUNTS_ABOUT, NULL, 0, "line_size", "64");
	assert_null(read_made(&made, &exact));
	assert_int_equal(exact.run.line_size, 64);
	assert_int_equal(exact.types.nr, 0);
	assert_int_equal(exact.lines.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_no_size_are_refused),
		cmocka_unit_test(a_run_in_which_nothing_was_touched_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
