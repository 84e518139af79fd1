/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/process.h"

#define SHELL(script) ((const char *const[]){ "sh", "-c", script, NULL })

static void output_and_errors_are_read_apart_or_together(void **state)
{
	const char *script = "echo out; echo err >&2; echo more; exit 3";
	auto_text struct text output = {}, errors = {}, both = {};
	struct process apart = { .argv = SHELL(script), .output = &output, .errors = &errors };
	struct process together = { .argv = SHELL(script), .output = &both, .errors = &both };

	(void)state;
	assert_null(process_run(&apart));
	assert_int_equal(apart.status, 3);
	assert_string_equal(text_chars(&output), "out\nmore\n");
	assert_string_equal(text_chars(&errors), "err\n");
	assert_null(process_run(&together));
	assert_string_equal(text_chars(&both), "out\nerr\nmore\n");
}

static void much_output_does_not_block(void **state)
{
	auto_text struct text output = {}, errors = {};
	struct process process = { .argv = SHELL("head -c 300000 /dev/zero >&2; "
						 "head -c 300000 /dev/zero"),
				   .output = &output,
				   .errors = &errors };

	(void)state;
	assert_null(process_run(&process));
	assert_int_equal(output.length, 300000);
	assert_int_equal(errors.length, 300000);
}

static void its_input_is_empty(void **state)
{
	struct process process = { .argv = SHELL("test -z \"$(cat)\"") };

	(void)state;
	assert_null(process_run(&process));
	assert_int_equal(process.status, 0);
}

static void a_signal_is_an_error(void **state)
{
	struct process process = { .argv = SHELL("kill -TERM $$") };
	auto_error struct error *err = process_run(&process);

	(void)state;
	assert_string_equal(error_message(err), "sh was ended by a signal: Terminated");
}

static const char *refuse(void *context)
{
	errno = EPERM;
	return context;
}

static void what_cannot_start_is_an_error(void **state)
{
	struct process missing = { .argv = (const char *const[]){ "no-such-program", NULL } };
	struct process refused = { .argv = SHELL("exit 0"),
				   .prepare = refuse,
				   .context = (void *)"cannot prepare" };
	auto_error struct error *first = process_run(&missing);
	auto_error struct error *second = process_run(&refused);

	(void)state;
	assert_string_equal(error_message(first),
			    "no-such-program: cannot run it: No such file or directory");
	assert_string_equal(error_message(second), "sh: cannot prepare: Operation not permitted");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_and_errors_are_read_apart_or_together),
		cmocka_unit_test(much_output_does_not_block),
		cmocka_unit_test(its_input_is_empty),
		cmocka_unit_test(a_signal_is_an_error),
		cmocka_unit_test(what_cannot_start_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
