/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/document.h"
#include "support/nasty_document.h"

static void print(struct text *text)
{
	auto_document struct document document = {};

	nasty_document(&document);
	document_print(text, &document, DOCUMENT_GITHUB);
}

static void a_finding_is_one_command(void **state)
{
	auto_text struct text text = {};

	(void)state;
	print(&text);
	assert_non_null(strstr(text_chars(&text),
			       "::error file=include/linux/plain.h,line=12,title=TEST-PLAIN plain "
			       "title::struct plain: 'a.b' lies on lines 0 and 1%0Athe evidence%0A"
			       "follows from: the cause\n"));
	assert_non_null(strstr(text_chars(&text),
			       "::notice file=include/linux/plain.h,title=TEST-PLAIN plain title::"
			       "struct plain: just so you know\n"));
	assert_non_null(strstr(text_chars(&text),
			       "::error title=TEST-PLAIN plain title::variable lost: is on no "
			       "list\n"));
}

/* As toCommandValue() and escapeProperty() of @actions/core 1.10 do it. */
static void separators_are_escaped(void **state)
{
	auto_text struct text text = {};

	(void)state;
	print(&text);
	assert_non_null(strstr(text_chars(&text),
			       "::warning file=./dir%2Cx/50%25%3Ay.c,line=7,title=TEST-NASTY "
			       "nasty%2C title%3A 100%25::struct 50%25 <b>&amp;</b> | `x` \"q\" "
			       "a_b*c* [l](u), e:f%0D%0Ag\x01\xff end: "));
}

static void every_line_is_a_command(void **state)
{
	auto_text struct text text = {};
	size_t nr = 0;
	char *line, *rest;

	(void)state;
	print(&text);
	rest = text.chars;
	while ((line = strsep(&rest, "\n")) && *line) {
		assert_int_equal(strncmp(line, "::", 2), 0);
		nr++;
	}
	assert_int_equal(nr, 4 + 2); /* what is excepted is left out, gaps are told */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_finding_is_one_command),
		cmocka_unit_test(separators_are_escaped),
		cmocka_unit_test(every_line_is_a_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
