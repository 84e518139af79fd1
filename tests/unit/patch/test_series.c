/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "patch/message.h"
#include "patch/series.h"

static struct patch patch = { .subject = "block: pad it, (now) twice",
			      .body = "Because.\n",
			      .diff = "diff --git a/f b/f\n",
			      .stat = { 3, 1 } };

static struct series series_of_test(const char *author)
{
	return (struct series){ .author = author,
				.file = "f",
				.subject = "block: all",
				.body = "Why.\n",
				.patches = { &patch, 1, 1 } };
}

static void a_patch_is_a_mail(void **state)
{
	const struct series series = series_of_test("A. Person <a@b.example>");
	auto_text struct text text = {};

	(void)state;
	series_print(&text, &series, 1);
	assert_string_equal(
		text_chars(&text),
		"From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n"
		"From: \"A. Person\" <a@b.example>\n"
		"Subject: [PATCH 1/1] block: pad it, (now) twice\n\nBecause.\n\n"
		"Signed-off-by: A. Person <a@b.example>\n---\n f | 4 +++-\n"
		" 1 file changed, 3 insertions(+), 1 deletion(-)\n\n"
		"diff --git a/f b/f\n-- \nfieldline\n\n");
}

static void a_name_that_is_not_ascii_has_its_charset_told(void **state)
{
	const struct series series = series_of_test("J\xc3\xb6rg <j@b.example>");
	auto_text struct text text = {};

	(void)state;
	series_print(&text, &series, 1);
	assert_non_null(strstr(text_chars(&text), "From: J\xc3\xb6rg <j@b.example>\n"));
	assert_non_null(strstr(text_chars(&text), "charset=UTF-8\n"));
}

static void files_are_named_by_subjects(void **state)
{
	struct series series = series_of_test("A <a@b.example>");
	auto_text struct text cover = {}, first = {}, last = {};

	(void)state;
	series_print_name(&cover, &series, 0);
	assert_string_equal(text_chars(&cover), "0000-cover-letter.patch");
	series_print_name(&first, &series, 1);
	assert_string_equal(text_chars(&first), "0001-block-pad-it-now-twice.patch");
	patch.subject = "a/b: ../../../c...";
	series_print_name(&last, &series, 1);
	assert_string_equal(text_chars(&last), "0001-a-b-..-..-..-c.patch");
}

static void paragraphs_are_wrapped_below_their_mark(void **state)
{
	auto_text struct text text = {};

	(void)state;
	message_add_paragraph(
		&text, "  + ",
		"0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 012 "
		"2");
	assert_string_equal(
		text_chars(&text),
		"  + 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789\n"
		"    012 2\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_patch_is_a_mail),
		cmocka_unit_test(a_name_that_is_not_ascii_has_its_charset_told),
		cmocka_unit_test(files_are_named_by_subjects),
		cmocka_unit_test(paragraphs_are_wrapped_below_their_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
