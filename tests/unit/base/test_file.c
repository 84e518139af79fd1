/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

struct folder {
	char path[64];
	char file[80];
};

static int setup(void **state)
{
	static struct folder folder;

	strcpy(folder.path, "/tmp/fieldline-file-XXXXXX");
	assert_non_null(mkdtemp(folder.path));
	snprintf(folder.file, sizeof(folder.file), "%s/file", folder.path);
	*state = &folder;
	return 0;
}

/* Fails where a temporary was left behind. */
static int teardown(void **state)
{
	const struct folder *folder = *state;

	unlink(folder->file);
	return rmdir(folder->path);
}

static void expect_content(const char *path, const char *content)
{
	auto_file struct file file = {};

	assert_null(file_read(path, &file));
	assert_int_equal(file.size, strlen(content));
	assert_memory_equal(file.data, content, file.size);
}

static void a_file_is_replaced_whole(void **state)
{
	const struct folder *folder = *state;
	struct stat before, after;

	assert_null(file_write(folder->file, "a long first", 12));
	expect_content(folder->file, "a long first");
	assert_int_equal(stat(folder->file, &before), 0);
	assert_null(file_write(folder->file, "second", 6));
	expect_content(folder->file, "second");
	assert_int_equal(stat(folder->file, &after), 0);
	assert_int_not_equal(before.st_ino, after.st_ino);
}

/* Root may replace even /dev/null. */
static void what_is_no_file_is_written_to_and_stays(void **state)
{
	const struct folder *folder = *state;
	char bytes[16] = "";
	struct stat there;
	int reader;

	assert_int_equal(mkfifo(folder->file, 0600), 0);
	reader = open(folder->file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_true(reader >= 0);
	assert_null(file_write(folder->file, "through", 7));
	assert_int_equal(stat(folder->file, &there), 0);
	assert_true(S_ISFIFO(there.st_mode));
	assert_int_equal(read(reader, bytes, sizeof(bytes)), 7);
	assert_memory_equal(bytes, "through", 7);
	close(reader);
}

static void what_cannot_be_written_is_named_and_leaves_nothing(void **state)
{
	const struct folder *folder = *state;
	auto_error struct error *is_folder = file_write(folder->path, "x", 1);
	auto_error struct error *nowhere = file_write("/nonexistent/file", "x", 1);

	assert_non_null(is_folder);
	assert_non_null(strstr(error_message(is_folder), folder->path));
	assert_non_null(nowhere);
	assert_non_null(strstr(error_message(nowhere), "beside '/nonexistent/file'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_is_replaced_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_no_file_is_written_to_and_stays, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_cannot_be_written_is_named_and_leaves_nothing,
						setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
