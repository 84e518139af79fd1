/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/rules_symbols.h"
#include "base/text.h"

struct sample {
	const char *name;
	uint64_t address;
	uint64_t size;
};

/* Symbols of one section, sorted, before one guard (NULL = none). */
static void judge(const char *section, uint64_t align, bool linked, const struct sample *samples,
		  size_t nr, const char *guard, struct document *ret)
{
	struct symbol_table table = { .path = "vmlinux", .linked = linked };
	const struct symbol_guard guards[] = { { guard, "it is hot" } };

	*vec_add(&table.sections) = (struct symbol_section){ section, align };
	for (size_t i = 0; i < nr; i++)
		*vec_add(&table.symbols) =
			(struct symbol){ samples[i].name, samples[i].address, samples[i].size, 0 };
	symbol_table_sort(&table);
	rules_judge_symbols(guards, guard ? 1 : 0, &table, 64, true, ret);
	symbol_table_deinit(&table);
}

static void expect(const char *section, bool linked, const struct sample *samples, size_t nr,
		   const char *guard, const char *expected)
{
	auto_document struct document document = {};
	auto_text struct text found = {};

	judge(section, 64, linked, samples, nr, guard, &document);
	for (size_t i = 0; i < document.findings.nr; i++)
		text_printf(&found, "%s%s%s", i ? " " : "", document.findings.items[i].type,
			    document.findings.items[i].severity == SEVERITY_ERROR ? "!" : "");
	assert_string_equal(text_chars(&found), expected);
	assert_int_equal(document.gaps.nr, 0);
}

static void neighbours_on_the_first_or_last_line_are_told(void **state)
{
	const struct sample samples[] = {
		{ "far_before", 0x1000, 64 }, { "before", 0x1040, 4 },	   { "hot", 0x1044, 72 },
		{ "behind", 0x1090, 8 },      { "far_behind", 0x10c0, 8 },
	};
	auto_document struct document document = {};

	(void)state;
	judge(".data", 64, true, samples, array_size(samples), "hot", &document);
	assert_int_equal(document.findings.nr, 1);
	assert_string_equal(document.findings.items[0].message,
			    "at 0x1044 in .data, 72 bytes, shares a line of 64 bytes with 'before' "
			    "(0x1040, 4 bytes), 'behind' (0x1090, 8 bytes)");
	assert_string_equal(document.findings.items[0].evidence, "it is hot");
	assert_string_equal(document.examined.items[0].type, "variable hot");
}

static void a_variable_alone_on_its_lines_is_fine(void **state)
{
	const struct sample samples[] = { { "before", 0x1000, 64 },
					  { "hot", 0x1040, 8 },
					  { "behind", 0x1080, 8 } };

	(void)state;
	expect(".data", true, samples, array_size(samples), "hot", "");
}

static void a_large_variable_that_begins_far_before_counts(void **state)
{
	const struct sample samples[] = { { "large", 0x1000, 0x1044 },
					  { "in_large", 0x1800, 8 },
					  { "hot", 0x2044, 4 } };

	(void)state;
	expect(".bss", true, samples, array_size(samples), "hot", "variable hot!");
}

static void second_names_are_no_neighbours(void **state)
{
	const struct sample samples[] = { { "jiffies", 0x1000, 8 }, { "jiffies_64", 0x1000, 8 } };

	(void)state;
	expect(".data", true, samples, array_size(samples), "jiffies", "");
}

/* What __cacheline_aligned leaves: a start on a line that 32-byte alignment does not explain. */
static void aligned_variables_that_end_early_are_noted(void **state)
{
	const struct sample samples[] = { { "before", 0x1000, 8 },
					  { "aligned", 0x1040, 40 },
					  { "behind", 0x1068, 8 } };
	const struct sample natural[] = { { "before", 0x1000, 60 },
					  { "chance", 0x1040, 40 },
					  { "behind", 0x1068, 8 } };

	(void)state;
	expect(".data", true, samples, array_size(samples), NULL, "variable aligned");
	expect(".data", true, natural, array_size(natural), NULL, "");
	expect(".rodata", true, samples, array_size(samples), NULL, "");
	expect(".init.data", true, samples, array_size(samples), NULL, "");
	expect(".data..percpu", true, samples, array_size(samples), NULL, "");
	expect(".data..cacheline_aligned", false, natural, array_size(natural), NULL,
	       "variable chance");
}

static void without_lines_nothing_is_claimed(void **state)
{
	const struct sample samples[] = { { "before", 0, 8 }, { "hot", 8, 8 } };
	auto_document struct document document = {};

	(void)state;
	judge(".data", 8, false, samples, array_size(samples), "hot", &document);
	judge(".data", 64, false, samples, array_size(samples), "nosuch", &document);
	assert_int_equal(document.findings.nr, 0);
	assert_int_equal(document.gaps.nr, 2);
	assert_string_equal(document.gaps.items[0],
			    "variable hot: .data is only aligned to 8 bytes here; which lines it "
			    "lies on shows in the linked vmlinux or the loaded module");
	assert_string_equal(document.gaps.items[1], "'vmlinux' has no variable 'nosuch'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neighbours_on_the_first_or_last_line_are_told),
		cmocka_unit_test(a_variable_alone_on_its_lines_is_fine),
		cmocka_unit_test(a_large_variable_that_begins_far_before_counts),
		cmocka_unit_test(second_names_are_no_neighbours),
		cmocka_unit_test(aligned_variables_that_end_early_are_noted),
		cmocka_unit_test(without_lines_nothing_is_claimed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
