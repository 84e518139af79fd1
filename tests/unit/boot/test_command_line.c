/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "boot/command_line.h"

static const struct guest_request request = {
	.kernel = "/boot/vmlinuz-6.1",
	.archive = "/run/archive",
	.words = "fault=1",
	.plugin = "/usr/lib/fieldline/fieldline-emulate.so",
	.output = "/run/here",
	.nr_cpus = 8,
	.memory_mib = 512,
};

/* What follows an option; NULL = it is not there. */
static const char *value_of(const struct command_line *line, const char *option)
{
	for (size_t i = 0; i + 1 < line->words.nr && line->words.items[i]; i++) {
		if (!strcmp(line->words.items[i], option))
			return line->words.items[i + 1];
	}
	return NULL;
}

static void the_machine_is_what_was_asked_for(void **state)
{
	auto_command_line struct command_line line = {};

	(void)state;
	command_line_fill(&line, &request);
	assert_string_equal(line.words.items[0], "qemu-system-x86_64");
	assert_null(line.words.items[line.words.nr - 1]);
	assert_string_equal(value_of(&line, "-smp"), "8,sockets=8");
	assert_string_equal(value_of(&line, "-m"), "512");
	assert_string_equal(value_of(&line, "-kernel"), "/boot/vmlinuz-6.1");
	assert_string_equal(value_of(&line, "-initrd"), "/run/archive");
	assert_string_equal(value_of(&line, "-serial"), "file:/run/here/console");
	assert_string_equal(value_of(&line, "-plugin"),
			    "/usr/lib/fieldline/fieldline-emulate.so,settings=/run/here/settings");
	assert_non_null(strstr(value_of(&line, "-append"), " fault=1"));
	/* No word of the kernel's may be lost at the end of a piece. */
	assert_non_null(strstr(value_of(&line, "-append"), " nokaslr "));
	assert_non_null(strstr(value_of(&line, "-append"), " mitigations=off "));
	assert_non_null(strstr(value_of(&line, "-append"), " hpet=disable "));
}

static void two_runs_are_the_same_unless_they_are_to_be_fast(void **state)
{
	struct guest_request fast = request;
	auto_command_line struct command_line line = {}, fast_line = {};

	(void)state;
	command_line_fill(&line, &request);
	assert_string_equal(value_of(&line, "-icount"), "shift=0,sleep=off");
	assert_string_equal(value_of(&line, "-accel"), "tcg,thread=single");
	assert_string_equal(value_of(&line, "-seed"), "1");
	assert_string_equal(value_of(&line, "-rtc"), "base=2024-01-01,clock=vm");
	assert_non_null(strstr(value_of(&line, "-append"), " tsc_early_khz=1000000 "));
	fast.fast = true;
	command_line_fill(&fast_line, &fast);
	assert_null(value_of(&fast_line, "-icount"));
	assert_string_equal(value_of(&fast_line, "-accel"), "tcg,thread=multi");
	assert_null(strstr(value_of(&fast_line, "-append"), "tsc_early_khz"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_machine_is_what_was_asked_for),
		cmocka_unit_test(two_runs_are_the_same_unless_they_are_to_be_fast),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
