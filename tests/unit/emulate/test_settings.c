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
#include "emulate/settings.h"

static struct error *read_settings(const char *content, struct settings *ret)
{
	char path[] = "/tmp/fieldline-settings-XXXXXX";
	int fd = mkstemp(path);
	struct error *err;

	assert_return_code(fd, 0);
	assert_int_equal(write(fd, content, strlen(content)), (ssize_t)strlen(content));
	close(fd);
	err = settings_read(path, ret);
	unlink(path);
	return err;
}

static void everything_is_read(void **state)
{
	auto_settings struct settings settings = {};

	(void)state;
	assert_null(read_settings("output /somewhere\ntopology 2x4\nseed 7\n\ncount 16000\n"
				  "function slab_alloc 0xffffffff81000010\nfunction operation 5\n",
				  &settings));
	assert_string_equal(settings.output, "/somewhere");
	assert_int_equal(settings.topology.nr_sockets, 2);
	assert_int_equal(settings.numbers.seed, 7);
	assert_int_equal(settings.numbers.count, 16000);
	assert_int_equal(settings.numbers.line_size, 64); /* where nothing is said */
	assert_int_equal(settings.functions.nr, 2);
	assert_int_equal(settings.functions.items[0].role, ROLE_SLAB_ALLOC);
	assert_int_equal(settings.functions.items[0].address, 0xffffffff81000010);
	assert_int_equal(settings.functions.items[1].role, ROLE_OPERATION);
}

static void the_model_and_the_log_are_what_was_asked_for(void **state)
{
	auto_settings struct settings settings = {};

	(void)state;
	assert_null(read_settings("output /x\ntopology 1x8\nline_size 128\nmoesi 1\nnr_sets 1024\n"
				  "nr_ways 16\nperiod 100\nevery_access 1\n"
				  "log_cache kmalloc-cg 64\n",
				  &settings));
	assert_int_equal(settings.topology.nr_sockets, 1);
	assert_int_equal(settings.topology.nr_cpus_per_socket, 8);
	assert_int_equal(settings.numbers.line_size, 128);
	assert_int_equal(settings.numbers.moesi, 1);
	assert_int_equal(settings.numbers.nr_sets, 1024);
	assert_int_equal(settings.numbers.nr_ways, 16);
	assert_int_equal(settings.numbers.period, 100);
	assert_int_equal(settings.numbers.every_access, 1);
	assert_string_equal(settings.log_cache, "kmalloc-cg 64");
}

static void what_makes_no_sense_is_told_with_its_line(void **state)
{
	static const struct {
		const char *content;
		const char *message;
	} cases[] = {
		{ "topology 8\nnonsense 1\n", "line 2: no setting is called 'nonsense'" },
		{ "seed\n", "line 1: 'seed' has no value" },
		{ "seed x\n", "line 1" },
		{ "function painter 1\n", "'painter'" },
		{ "function switch\n", "'switch'" },
		{ "topology 8\n", "no output" },
		{ "output /x\n", "no topology" },
		{ "output /x\ntopology 8\npage_struct 0\n", "struct page" },
		{ "output /x\ntopology 8\nturn_shortest 0\n", "turns" },
		{ "output /x\ntopology 8\nturn_shortest 200\n", "turns" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_settings struct settings settings = {};
		auto_error struct error *err = read_settings(cases[i].content, &settings);

		assert_non_null(err);
		assert_non_null(strstr(error_message(err), cases[i].message));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_read),
		cmocka_unit_test(the_model_and_the_log_are_what_was_asked_for),
		cmocka_unit_test(what_makes_no_sense_is_told_with_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
