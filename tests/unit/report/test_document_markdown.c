/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/document.h"
#include "support/nasty_document.h"

/* Column separators: pipes that no backslash takes back. */
static size_t nr_columns(const char *line)
{
	size_t nr = 0;

	for (size_t i = 0; line[i]; i++) {
		if (line[i] == '|' && (!i || line[i - 1] != '\\'))
			nr++;
	}
	return nr - 1;
}

static void every_row_has_the_columns_of_the_heading(void **state)
{
	auto_document struct document document = {};
	auto_text struct text text = {};
	size_t nr_rows = 0;
	char *line, *rest;

	(void)state;
	nasty_document(&document);
	document_print(&text, &document, DOCUMENT_MARKDOWN);
	rest = text.chars;
	while ((line = strsep(&rest, "\n"))) {
		if (*line != '|')
			continue;
		assert_int_equal(nr_columns(line), 4);
		nr_rows++;
	}
	assert_int_equal(nr_rows, 2 + 5);
}

static void markup_of_a_name_is_no_markup(void **state)
{
	auto_document struct document document = {};
	auto_text struct text text = {};

	(void)state;
	nasty_document(&document);
	document_print(&text, &document, DOCUMENT_MARKDOWN);
	assert_null(strstr(text_chars(&text), " <b>\\&"));
	assert_non_null(strstr(text_chars(&text),
			       "50% \\<b\\>\\&amp;\\</b\\> \\| \\`x\\` \"q\" a\\_b\\*c\\* "
			       "\\[l\\]\\(u\\), e:f  g \xff end"));
}

static void a_comment_stays_below_the_limit(void **state)
{
	auto_document struct document document = {};
	auto_text struct text text = {};
	struct finding again;

	(void)state;
	nasty_document(&document);
	again = document.findings.items[3];
	for (size_t i = 0; i < 1000; i++)
		*vec_add(&document.findings) = again;
	document_print(&text, &document, DOCUMENT_MARKDOWN);
	assert_true(text.length < 65536);
	assert_non_null(strstr(text_chars(&text), " more findings are left out here\n"));
	assert_non_null(strstr(text_chars(&text), "- another gap\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_has_the_columns_of_the_heading),
		cmocka_unit_test(markup_of_a_name_is_no_markup),
		cmocka_unit_test(a_comment_stays_below_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
