/* SPDX-License-Identifier: GPL-2.0-only */
/* Shares that a person can work out: of 100 accesses, 80 that can be checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/accuracy_text.h"
#include "support/types.h"

static const struct type counter =
	STRUCT("counter", 16, FIELD("count", &type_long, 0), FIELD("limit", &type_long, 8));

static const struct accuracy_row told = {
	.word = "table",
	.phrase = "by a table",
	.shares = {
		[AGREEMENT_SAME] = { 6, 56 },
		[AGREEMENT_PART] = { 1, 4 },
		[AGREEMENT_SPILL] = { 1, 10 },
		[AGREEMENT_OUTER] = { 1, 4 },
		[AGREEMENT_FIELD] = { 1, 6 },
		[AGREEMENT_WRONG] = { 2, 10 },
		[AGREEMENT_OPEN] = { 1, 4 },
		[AGREEMENT_UNTYPED] = { 3, 6 },
	},
};

static void fill(struct accuracy *accuracy)
{
	const struct accuracy_row nothing = { .word = "none", .phrase = "what nobody touched" };

	accuracy->total = (struct share){ 32, 400 };
	accuracy->by_stack = (struct share){ 16, 300 };
	*vec_add(&accuracy->rules) = told;
	*vec_add(&accuracy->rules) = nothing;
	for (unsigned int i = 0; i < NR_TRUTH_KINDS; i++)
		*vec_add(&accuracy->kinds) = (struct accuracy_row){
			.word = truth_kind_word((enum truth_kind)i),
			.phrase = truth_kind_phrase((enum truth_kind)i),
		};
	accuracy->kinds.items[TRUTH_UNKNOWN].shares[AGREEMENT_OPEN] = (struct share){ 1, 4 };
	accuracy->kinds.items[TRUTH_CONTENTS].shares[AGREEMENT_UNTYPED] = (struct share){ 2, 5 };
	*vec_add(&accuracy->reasons) = (struct coverage_row){ "lost", "lost on the way", { 1, 1 } };
	*vec_add(&accuracy->reasons) = (struct coverage_row){ "never", "never happened", {} };
}

static struct accuracy_error error_of(enum agreement agreement, const char *function)
{
	return (struct accuracy_error){
		.ip = 0xffffffff81000010,
		.nr = 7,
		.function = function,
		.rule = "table",
		.agreement = agreement,
		.type = &counter,
		.offset = 8,
		.truth = { .owner = "kmalloc-64", .type = &counter, .offset = 0, .size = 8 },
	};
}

static void shares_are_of_what_could_be_told(void **state)
{
	auto_accuracy struct accuracy accuracy = {};
	auto_text struct text text = {};

	(void)state;
	fill(&accuracy);
	accuracy_text_print(&text, &accuracy, 0);
	assert_non_null(strstr(text_chars(&text),
			       "       16  50.00 %         300  75.00 %  by the stack pointer"));
	assert_non_null(strstr(text_chars(&text),
			       "       16 100.00 %         100 100.00 %  by other registers"));
	/* Without the spilled registers, which are no object. */
	assert_non_null(strstr(text_chars(&text),
			       "       12  75.00 %          84  84.00 %  typed by instruction"));
	assert_non_null(strstr(text_chars(&text), "10  10.00 %  told to be a spilled register"));
	assert_non_null(strstr(text_chars(&text), "1   1.00 %  lost on the way\n"));
	assert_null(strstr(text_chars(&text), "never happened"));
	assert_non_null(strstr(text_chars(&text), "5   5.00 %  not typed, in pages of data\n"));
	assert_non_null(strstr(text_chars(&text), "96  96.00 %  owner known by address\n"));
}

static void answers_are_held_against_those_that_can_be_checked(void **state)
{
	auto_accuracy struct accuracy accuracy = {};
	auto_text struct text text = {};

	(void)state;
	fill(&accuracy);
	accuracy_text_print(&text, &accuracy, 0);
	/* 94 of 100 have an answer, 80 of them one to check: 56, 4, 0, 4, 6, 10; 20 are bad. */
	assert_non_null(strstr(text_chars(&text),
			       "       16        100  94.00         80  70.000   5.000   0.000   "
			       "5.000   7.500  12.500  25.000  by a table\n"));
	assert_non_null(strstr(text_chars(&text), "12.500  25.000  all\n"));
	assert_null(strstr(text_chars(&text), "what nobody touched"));
}

static void the_heaviest_errors_are_shown_wrong_ones_first(void **state)
{
	auto_accuracy struct accuracy accuracy = {};
	auto_text struct text text = {};
	struct accuracy_error untyped;

	(void)state;
	fill(&accuracy);
	*vec_add(&accuracy.errors) = error_of(AGREEMENT_FIELD, "first");
	untyped = error_of(AGREEMENT_UNTYPED, "second");
	untyped.truth.type = NULL;
	untyped.truth.offset = 24;
	*vec_add(&accuracy.errors) = untyped;
	*vec_add(&accuracy.errors) = error_of(AGREEMENT_WRONG, "third");
	accuracy_text_print(&text, &accuracy, 1);
	assert_non_null(
		strstr(text_chars(&text), "         7  0xffffffff81000010 first() field, "));
	assert_non_null(strstr(text_chars(&text),
			       "            said: struct counter +8 limit\n"
			       "            is:   kmalloc-64 struct counter +0 count\n"));
	assert_non_null(strstr(text_chars(&text), "second(): "));
	assert_non_null(strstr(text_chars(&text), "            is:   kmalloc-64 +24\n"));
	assert_null(strstr(text_chars(&text), "third()"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_of_what_could_be_told),
		cmocka_unit_test(answers_are_held_against_those_that_can_be_checked),
		cmocka_unit_test(the_heaviest_errors_are_shown_wrong_ones_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
