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
#include "boot/console.h"

struct fixture {
	char directory[64];
	struct text why;
};

static void write_part(const struct fixture *fixture, const char *name, const char *content)
{
	auto_text struct text path = {};

	text_printf(&path, "%s/%s", fixture->directory, name);
	assert_null(file_write(text_chars(&path), content, strlen(content)));
}

static int setup(void **state)
{
	struct fixture *fixture = memory_alloc(1, sizeof(*fixture));

	strcpy(fixture->directory, "/tmp/fieldline-test-XXXXXX");
	assert_non_null(mkdtemp(fixture->directory));
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	static const char *const names[] = { "console", "qemu.log" };
	struct fixture *fixture = *state;

	for (size_t i = 0; i < array_size(names); i++) {
		auto_text struct text path = {};

		text_printf(&path, "%s/%s", fixture->directory, names[i]);
		unlink(text_chars(&path));
	}
	rmdir(fixture->directory);
	text_deinit(&fixture->why);
	free(fixture);
	return 0;
}

static void panic_is_told_with_its_reason(void **state)
{
	struct fixture *fixture = *state;

	write_part(fixture, "console",
		   "Run /init as init process\r\n[    1.2] Kernel panic - not syncing: VFS: "
		   "Unable to mount root\r\n[    1.3] CPU: 0\r\n");
	console_explain(fixture->directory, &fixture->why);
	assert_non_null(strstr(text_chars(&fixture->why),
			       "the guest panicked: not syncing: VFS: Unable to mount root; its"));
}

static void failing_workload_is_told_with_its_status(void **state)
{
	struct fixture *fixture = *state;

	write_part(fixture, "console", "fieldline: workload exit 127\r\n");
	console_explain(fixture->directory, &fixture->why);
	assert_non_null(strstr(text_chars(&fixture->why), "failed with status 127;"));
}

static void what_qemu_says_comes_first(void **state)
{
	struct fixture *fixture = *state;

	write_part(fixture, "console", "Kernel panic - not syncing\n");
	write_part(fixture, "qemu.log", "qemu-system-x86_64: could not load kernel 'x'\n");
	console_explain(fixture->directory, &fixture->why);
	assert_string_equal(text_chars(&fixture->why), "QEMU failed: qemu-system-x86_64: could not "
						       "load kernel 'x'");
}

static void what_ended_well_is_not_explained(void **state)
{
	struct fixture *fixture = *state;

	write_part(fixture, "console", "fieldline: workload exit 0\r\n");
	write_part(fixture, "qemu.log",
		   "qemu-system-x86_64: terminating on signal 15 from pid 1\n");
	console_explain(fixture->directory, &fixture->why);
	assert_int_equal(fixture->why.length, 0);
}

static void nothing_said_explains_nothing(void **state)
{
	struct fixture *fixture = *state;

	console_explain(fixture->directory, &fixture->why);
	assert_int_equal(fixture->why.length, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(panic_is_told_with_its_reason, setup, teardown),
		cmocka_unit_test_setup_teardown(failing_workload_is_told_with_its_status, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_qemu_says_comes_first, setup, teardown),
		cmocka_unit_test_setup_teardown(what_ended_well_is_not_explained, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_said_explains_nothing, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
