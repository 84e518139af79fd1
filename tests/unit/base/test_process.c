/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void a_missing_program_is_told_from_other_failures(void **state)
{
	struct process missing = { .argv = (const char *const[]){ "no-such-program", NULL } };
	struct process refused = { .argv = SHELL("exit 0"),
				   .prepare = refuse,
				   .context = (void *)"cannot prepare" };
	pid_t child = -1;
	auto_error struct error *first = process_start(&missing, &child);
	auto_error struct error *second = process_start(&refused, &child);

	(void)state;
	assert_int_equal(error_kind(first), ERROR_NOT_FOUND);
	assert_int_equal(error_kind(second), ERROR_INPUT);
	assert_int_equal(child, -1);
}

static const char *write_into(void *context)
{
	return dup2(*(const int *)context, STDOUT_FILENO) < 0 ? "cannot redirect" : NULL;
}

static void what_is_started_runs_beside_us(void **state)
{
	char line[32] = "";
	int ends[2], status;
	struct process process = { .argv = SHELL("echo here; exec sleep 600"),
				   .prepare = write_into,
				   .context = &ends[1] };
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_null(process_start(&process, &child));
	assert_int_equal(read(ends[0], line, sizeof(line) - 1), 5);
	assert_string_equal(line, "here\n");
	assert_int_equal(waitpid(child, &status, WNOHANG), 0);
	kill(child, SIGTERM);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	close(ends[0]);
	close(ends[1]);
}

/* The pipe's end is read only when nobody has it any more: neither of the two. */
static void what_is_started_does_not_outlive_us(void **state)
{
	int ends[2], status;
	char byte;
	pid_t starter;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	starter = fork();
	if (!starter) {
		struct process process = { .argv = SHELL("echo; exec sleep 600"),
					   .prepare = write_into,
					   .context = &ends[1] };
		pid_t child;

		error_destroy(process_start(&process, &child));
		pause();
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	kill(starter, SIGKILL);
	assert_int_equal(waitpid(starter, &status, 0), starter);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_and_errors_are_read_apart_or_together),
		cmocka_unit_test(much_output_does_not_block),
		cmocka_unit_test(its_input_is_empty),
		cmocka_unit_test(a_signal_is_an_error),
		cmocka_unit_test(what_cannot_start_is_an_error),
		cmocka_unit_test(a_missing_program_is_told_from_other_failures),
		cmocka_unit_test(what_is_started_runs_beside_us),
		cmocka_unit_test(what_is_started_does_not_outlive_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
