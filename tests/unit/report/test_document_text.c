/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/document.h"
#include "support/nasty_document.h"

static void a_struct_is_named_once_with_its_place(void **state)
{
	auto_document struct document document = {};
	auto_text struct text text = {};

	(void)state;
	nasty_document(&document);
	document_print(&text, &document, DOCUMENT_TEXT);
	assert_non_null(strstr(text_chars(&text),
			       "\nstruct plain  include/linux/plain.h:12\n"
			       "  error TEST-PLAIN: 'a.b' lies on lines 0 and 1\n"
			       "    the evidence\n"
			       "    follows from: the cause\n"
			       "  note TEST-PLAIN: just so you know\n"));
	assert_non_null(strstr(text_chars(&text),
			       "  excepted TEST-PLAIN: is covered\n    excepted: the reason\n"));
}

static void rules_are_explained_only_where_they_fired(void **state)
{
	auto_document struct document document = {};
	auto_text struct text text = {};

	(void)state;
	nasty_document(&document);
	document_print(&text, &document, DOCUMENT_TEXT);
	assert_non_null(strstr(text_chars(&text), "TEST-PLAIN: plain meaning\n"));
	assert_null(strstr(text_chars(&text), "no meaning"));
}

static void the_last_line_counts(void **state)
{
	static const char last[] =
		"\n2 errors, 1 warning, 1 note, 1 excepted; 4 examined, 2 gaps\n";
	auto_document struct document document = {};
	auto_text struct text text = {};

	(void)state;
	nasty_document(&document);
	document_print(&text, &document, DOCUMENT_TEXT);
	assert_string_equal(text_chars(&text) + text.length - strlen(last), last);
	assert_non_null(strstr(text_chars(&text), "gap: another gap\n"));
}

static void nothing_found_is_said(void **state)
{
	auto_text struct text text = {};
	struct document document = { .command = "diff", .title = "a to b", .rules = nasty_rules };

	(void)state;
	document_print(&text, &document, DOCUMENT_TEXT);
	assert_string_equal(text_chars(&text), "diff: a to b\n\nnothing found\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_struct_is_named_once_with_its_place),
		cmocka_unit_test(rules_are_explained_only_where_they_fired),
		cmocka_unit_test(the_last_line_counts),
		cmocka_unit_test(nothing_found_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
