/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/options.h"

struct values {
	bool hex;
	bool flat;
	const char *name;
	struct string_vec names;
	struct option_number size;
	struct option_number depth;
	unsigned int kind;
	unsigned int color;
};

static const char *const kinds[] = { "text", "json", NULL };

static const struct option_spec specs[] = {
	{ 'x', "hex", OPTION_FLAG, offsetof(struct values, hex), .help = "in hexadecimal" },
	{ 0, "flat", OPTION_FLAG, offsetof(struct values, flat), .help = "no levels" },
	{ 'n', "name", OPTION_STRING, offsetof(struct values, name), "NAME", .help = "a name" },
	{ 0, "also", OPTION_STRINGS, offsetof(struct values, names), "NAME", .help = "more" },
	{ 's', "size", OPTION_NUMBER, offsetof(struct values, size), "BYTES", .help = "a size" },
	{ 0, "depth", OPTION_NUMBER, offsetof(struct values, depth), "NR", .optional = true,
	  .implied = 7, .help = "a depth" },
	{ 'o', "output", OPTION_CHOICE, offsetof(struct values, kind), "WHAT", .choices = kinds,
	  .help = "a kind" },
	{ 0, "color", OPTION_CHOICE, offsetof(struct values, color), "WHEN", .choices = kinds,
	  .optional = true, .implied = 1, .help = "a colour" },
	{},
};

/* Parses words; yields the message of the error, or NULL. */
static const char *parse(struct values *values, struct string_vec *operands, bool *help,
			 const char *const *words)
{
	static char message[256];
	char *argv[16] = { "command" };
	struct error *err;
	int argc = 1;

	*values = (struct values){};
	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)words[argc - 1];
	err = options_parse(specs, values, argc, argv, operands, help);
	if (!err)
		return NULL;
	assert_int_equal(error_kind(err), ERROR_USAGE);
	snprintf(message, sizeof(message), "%s", error_message(err));
	error_destroy(err);
	return message;
}

#define PARSE(values, ...) \
	parse(values, &operands, &help, (const char *const[]){ __VA_ARGS__, NULL })

static void values_follow_in_every_spelling(void **state)
{
	auto_vec struct string_vec operands = {};
	struct values values;
	bool help = false;

	(void)state;
	assert_null(PARSE(&values, "--name=a", "--size", "0x20", "-xo", "json"));
	assert_string_equal(values.name, "a");
	assert_int_equal(values.size.value, 32);
	assert_true(values.size.given);
	assert_true(values.hex);
	assert_int_equal(values.kind, 1);
	assert_null(PARSE(&values, "-nb", "-s", "7"));
	assert_string_equal(values.name, "b");
	assert_int_equal(values.size.value, 7);
	assert_false(values.hex);
	assert_int_equal(operands.nr, 0);
}

static void what_is_not_given_can_be_told_from_zero(void **state)
{
	auto_vec struct string_vec operands = {};
	struct values values;
	bool help = false;

	(void)state;
	assert_null(PARSE(&values, "--hex"));
	assert_false(values.size.given);
	assert_null(PARSE(&values, "--size=0"));
	assert_true(values.size.given);
	assert_int_equal(values.size.value, 0);
}

static void optional_values_only_follow_an_equals_sign(void **state)
{
	auto_vec struct string_vec operands = {};
	struct values values;
	bool help = false;

	(void)state;
	assert_null(PARSE(&values, "--depth", "3", "--color"));
	assert_int_equal(values.depth.value, 7);
	assert_int_equal(values.color, 1);
	assert_int_equal(operands.nr, 1);
	assert_string_equal(operands.items[0], "3");
	assert_null(PARSE(&values, "--depth=3", "--color=text"));
	assert_int_equal(values.depth.value, 3);
	assert_int_equal(values.color, 0);
}

static void two_dashes_end_the_options(void **state)
{
	auto_vec struct string_vec operands = {};
	struct values values;
	bool help = false;

	(void)state;
	assert_null(PARSE(&values, "a", "--", "--hex", "-"));
	assert_int_equal(operands.nr, 3);
	assert_string_equal(operands.items[1], "--hex");
	assert_string_equal(operands.items[2], "-");
	assert_false(values.hex);
}

static void strings_gather(void **state)
{
	auto_vec struct string_vec operands = {};
	struct values values;
	bool help = false;

	(void)state;
	assert_null(PARSE(&values, "--also", "a", "--also=b"));
	assert_int_equal(values.names.nr, 2);
	assert_string_equal(values.names.items[1], "b");
	vec_deinit(&values.names);
}

static void help_stops_the_reading(void **state)
{
	auto_vec struct string_vec operands = {};
	struct values values;
	bool help = false;

	(void)state;
	assert_null(PARSE(&values, "-h", "--nonsense"));
	assert_true(help);
}

static void mistakes_are_named(void **state)
{
	auto_vec struct string_vec operands = {};
	struct values values;
	bool help = false;

	(void)state;
	assert_string_equal(PARSE(&values, "--hax"), "unknown option --hax; did you mean --hex?");
	assert_string_equal(PARSE(&values, "--nothing-like-it"),
			    "unknown option --nothing-like-it; --help lists those there are");
	assert_string_equal(PARSE(&values, "-xq"),
			    "unknown option -q; --help lists those there are");
	assert_string_equal(PARSE(&values, "--hex=1"), "--hex takes no value");
	assert_string_equal(PARSE(&values, "--name"), "--name wants a value (NAME)");
	assert_string_equal(PARSE(&values, "--size=-1"), "--size wants a number, not '-1'");
	assert_string_equal(PARSE(&values, "--size", "12k"), "--size wants a number, not '12k'");
	assert_string_equal(PARSE(&values, "--size="), "--size wants a number, not ''");
	assert_string_equal(PARSE(&values, "--size=18446744073709551616"),
			    "--size wants a number, not '18446744073709551616'");
	assert_string_equal(PARSE(&values, "-o", "xml"),
			    "--output wants one of text, json, not 'xml'");
}

static void help_has_one_line_an_option(void **state)
{
	auto_text struct text text = {};

	(void)state;
	options_print_help(&text, specs);
	assert_non_null(
		strstr(text_chars(&text), "  -x, --hex                   in hexadecimal\n"));
	assert_non_null(strstr(text_chars(&text), "      --depth[=NR]            a depth\n"));
	assert_non_null(
		strstr(text_chars(&text), "  -o, --output=WHAT           a kind: text, json\n"));
	assert_non_null(strstr(text_chars(&text), "  -h, --help"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_follow_in_every_spelling),
		cmocka_unit_test(what_is_not_given_can_be_told_from_zero),
		cmocka_unit_test(optional_values_only_follow_an_equals_sign),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(strings_gather),
		cmocka_unit_test(help_stops_the_reading),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(help_has_one_line_an_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
