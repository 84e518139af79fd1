/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "store/profile.h"
#include "support/profiles.h"

static void write_to(char *path, const char *chars, size_t length)
{
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	assert_null(file_write(path, chars, length));
}

/* Reads text from a file; the error must contain `wanted`, or there is none. */
static void read_text(const char *chars, size_t length, const char *wanted, struct profile *ret)
{
	char path[] = "/tmp/profile.XXXXXX";
	auto_error struct error *err = NULL;

	write_to(path, chars, length);
	assert_true(profile_is_one(path) || wanted);
	err = profile_read(path, ret);
	unlink(path);
	if (wanted && (!err || !strstr(error_message(err), wanted)))
		fail_msg("'%s' is not in '%s'", wanted, err ? error_message(err) : "no error");
	if (!wanted && err)
		fail_msg("%s", error_message(err));
}

static void what_is_read_back_prints_the_same(void **state)
{
	auto_profile struct profile profile = {}, again = {};
	auto_text struct text text = {}, second = {};

	(void)state;
	profile_of_test(&profile);
	assert_int_equal(profile.cuts.nr, 1);
	profile_print(&text, &profile, NULL, NULL);
	read_text(text_chars(&text), text.length, NULL, &again);
	profile_print(&second, &again, NULL, NULL);
	assert_string_equal(text_chars(&text), text_chars(&second));
}

/* Equal text could also lack the same things on both sides. */
static void what_is_read_back_is_what_was_there(void **state)
{
	auto_profile struct profile profile = {}, again = {};
	auto_text struct text text = {};
	const struct profile_type *type;

	(void)state;
	profile_of_test(&profile);
	profile_print(&text, &profile, NULL, NULL);
	read_text(text_chars(&text), text.length, NULL, &again);
	assert_int_equal(again.types.nr, 2);
	type = &again.types.items[0];
	assert_string_equal(type->label, "struct inode");
	assert_int_equal(type->type->nr_fields, 4);
	assert_string_equal(type->type->fields[2].name, "i_rwsem");
	assert_int_equal(type->nr_places, 4);
	assert_int_equal(type->nr_lines, profile.types.items[0].nr_lines);
	assert_int_equal(again.lines.nr, profile.lines.nr);
	for (size_t i = 0; i < again.lines.nr; i++) {
		assert_int_equal(again.lines.items[i].verdict, profile.lines.items[i].verdict);
		assert_int_equal(again.lines.items[i].nr_pairs, profile.lines.items[i].nr_pairs);
		assert_memory_equal(&again.lines.items[i].counts, &profile.lines.items[i].counts,
				    sizeof(struct profile_counts));
	}
	assert_memory_equal(&again.totals, &profile.totals, sizeof(profile.totals));
	assert_memory_equal(again.slices, profile.slices, sizeof(profile.slices));
	assert_int_equal(again.objects.items[0].base, PROFILED_OBJECT);
	assert_int_equal(again.cpus.items[0].node, 1);
	assert_int_equal(again.cpus.items[1].node, PROFILE_NONE);
	assert_string_equal(again.cuts.items[0].lock, "i_rwsem");
	assert_string_equal(again.limits.items[0], "nothing is known of \"peers\"");
}

/* The text with its first `from` replaced. */
static void expect_error(const char *text, const char *from, const char *to, const char *wanted)
{
	auto_profile struct profile profile = {};
	auto_text struct text changed = {};
	const char *at = strstr(text, from);

	assert_non_null(at);
	text_add_bytes(&changed, text, (size_t)(at - text));
	text_add(&changed, to);
	text_add(&changed, at + strlen(from));
	read_text(text_chars(&changed), changed.length, wanted, &profile);
	assert_int_equal(profile.types.nr, 0);
}

static void errors_name_the_place(void **state)
{
	auto_profile struct profile profile = {};
	auto_text struct text text = {};
	const char *json;

	(void)state;
	profile_of_test(&profile);
	profile_print(&text, &profile, NULL, NULL);
	json = text_chars(&text);
	expect_error(json, "profile/1", "profile/2", "newer than this fieldline");
	expect_error(json, "\"cacheline\":64", "\"cacheline\":65",
		     "cacheline: wants a power of two");
	expect_error(json, "\"lost\":2", "\"lost\":-2", "totals.lost: wants a number");
	expect_error(json, "\"lost\":2", "\"misplaced\":2", "totals: unknown key 'misplaced'");
	expect_error(json, "\"lost_track\":1", "\"lost_tracks\":1", "unknown key 'lost_tracks'");
	expect_error(json, "\"phase\":8", "\"phase\":64", "a phase is no part of a line");
	expect_error(json, "\"certainty\":\"confirmed\"", "\"certainty\":\"sure\"",
		     "certainty: 'sure' is unknown");
	expect_error(json, "\"writer\":", "\"writer\":9", "a pair names no place");
	expect_error(json, "\"other\":", "\"other\":9", "a pair names no place");
	expect_error(json, "\"base\":\"0x", "\"base\":\"x", "wants an address");
	expect_error(json, "\"readers\":\"", "\"readers\":\"9-", "wants CPUs");
	expect_error(json, "\"basis\":\"instruction", "\"basis\":\"intuition",
		     "no way of finding a type");
	expect_error(json, "\"name\":\"struct inode\"", "\"name\":\"struct knode\"",
		     "layouts: no 'struct knode' of 160 bytes");
	expect_error(json, "\"limits\"", "\"limitz\"", "unknown key 'limitz'");
	expect_error(json, "\"slices\":[{", "\"slices\":[{},{", "wants 64 slices");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_back_prints_the_same),
		cmocka_unit_test(what_is_read_back_is_what_was_there),
		cmocka_unit_test(errors_name_the_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
