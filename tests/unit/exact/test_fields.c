/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exact/cuts.h"
#include "exact/fields.h"
#include "exact/touched.h"

/*
 * struct pair_of_lines { u64 pad[7]; struct { u64 count; u64 owner; } sem; }: count ends the first
 * line, owner starts the second.
 */
static const struct type word = { .kind = TYPE_BASE, .name = "unsigned long", .size = 8 };
static const uint64_t pad_counts[] = { 7 };
static const struct type pad = {
	.kind = TYPE_ARRAY,
	.target = &word,
	.size = 56,
	.nr_counts = 1,
	.counts = pad_counts,
};
static const struct field sem_fields[] = {
	{ .name = "count", .type = &word, .offset_bits = 0 },
	{ .name = "owner", .type = &word, .offset_bits = 64 },
};
static const struct type sem = {
	.kind = TYPE_STRUCT,
	.name = "sem",
	.size = 16,
	.fields = sem_fields,
	.nr_fields = 2,
};
static const struct field outer_fields[] = {
	{ .name = "pad", .type = &pad, .offset_bits = 0 },
	{ .name = "sem", .type = &sem, .offset_bits = 56 * 8 },
};
static const struct type outer = {
	.kind = TYPE_STRUCT,
	.name = "pair_of_lines",
	.size = 72,
	.fields = outer_fields,
	.nr_fields = 2,
};

struct fixture {
	struct exact exact;
	struct field_rows rows;
};

static int setup(void **state)
{
	struct fixture *fixture = memory_alloc(1, sizeof(*fixture));

	fixture->exact.run = (struct exact_run){ .nr_operations = 10, .line_size = 64 };
	*vec_add(&fixture->exact.types) =
		(struct exact_type){ .label = "quiet", .origin = "nowhere" };
	*vec_add(&fixture->exact.types) = (struct exact_type){
		.label = "struct pair_of_lines",
		.origin = "a cache",
		.type = &outer,
	};
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	vec_deinit(&fixture->rows);
	exact_deinit(&fixture->exact);
	free(fixture);
	return 0;
}

static void add(struct fixture *fixture, uint64_t offset, const char *function,
		struct exact_counts counts)
{
	field_rows_add(&fixture->rows, &fixture->exact,
		       &(struct field_row){
			       .type = 1,
			       .offset = offset,
			       .size = 8,
			       .function = function,
			       .counts = counts,
		       });
}

static void rows_add_up_by_line_field_and_function(void **state)
{
	struct fixture *fixture = *state;
	struct exact *exact = &fixture->exact;
	const struct exact_line *line;
	const struct exact_field *field;

	add(fixture, 8, "reader", (struct exact_counts){ .loads = 1, .clean_local = 1 });
	add(fixture, 16, "reader", (struct exact_counts){ .loads = 2 });
	add(fixture, 56, "down", (struct exact_counts){ .atomics = 5, .hitm_local = 4 });
	add(fixture, 56, "up", (struct exact_counts){ .atomics = 5, .upgrades = 3 });
	add(fixture, 64, "down", (struct exact_counts){ .stores = 5, .upgrades = 1 });
	field_rows_build(&fixture->rows, exact);

	assert_string_equal(exact->types.items[0].label, "struct pair_of_lines");
	assert_int_equal(exact->types.items[0].nr_lines, 2);
	assert_int_equal(exact_counts_transfers(&exact->types.items[0].counts), 9);
	line = &exact->lines.items[exact->types.items[0].first_line];
	assert_int_equal(line->line, 0);
	assert_int_equal(line->nr_fields, 2);
	assert_int_equal(exact_counts_hitm(&line->counts), 4);
	/* The elements of an array are one. */
	field = &exact->fields.items[line->first_field];
	assert_string_equal(field->path, "pad[]");
	assert_int_equal(field->offset, 8);
	assert_int_equal(field->counts.loads, 3);
	field++;
	assert_string_equal(field->path, "sem.count");
	assert_int_equal(field->nr_functions, 2);
	assert_string_equal(exact->functions.items[field->first_function].name, "down");
	assert_string_equal(exact->functions.items[field->first_function + 1].name, "up");
}

static void phase_moves_the_boundary(void **state)
{
	struct fixture *fixture = *state;
	struct exact *exact = &fixture->exact;
	struct field_row row = {
		.type = 1,
		.phase = 8,
		.offset = 56,
		.size = 8,
		.function = "down",
		.counts = { .upgrades = 1 },
	};

	field_rows_add(&fixture->rows, exact, &row);
	field_rows_build(&fixture->rows, exact);
	assert_int_equal(exact->lines.items[0].line, 1);
	assert_int_equal(exact->lines.items[0].phase, 8);
}

static void words_written_together_on_two_lines_are_a_cut(void **state)
{
	struct fixture *fixture = *state;
	struct exact *exact = &fixture->exact;

	add(fixture, 56, "down", (struct exact_counts){ .atomics = 9, .hitm_local = 4 });
	add(fixture, 64, "down", (struct exact_counts){ .stores = 8, .upgrades = 1 });
	field_rows_build(&fixture->rows, exact);
	cuts_find(exact);
	assert_int_equal(exact->cuts.nr, 1);
	assert_string_equal(exact->fields.items[exact->cuts.items[0].first].path, "sem.count");
	assert_string_equal(exact->fields.items[exact->cuts.items[0].second].path, "sem.owner");
	assert_string_equal(exact->cuts.items[0].function, "down");
	assert_int_equal(exact->cuts.items[0].nr, 8);
}

static void words_of_different_functions_are_no_cut(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, 56, "down", (struct exact_counts){ .atomics = 9, .hitm_local = 4 });
	add(fixture, 64, "other", (struct exact_counts){ .stores = 8, .upgrades = 1 });
	field_rows_build(&fixture->rows, &fixture->exact);
	cuts_find(&fixture->exact);
	assert_int_equal(fixture->exact.cuts.nr, 0);
}

/* Line 0 in each operation, line 1 once in ten, and seldom at another phase. */
static void lines_touched_are_those_of_one_object(void **state)
{
	struct fixture *fixture = *state;
	struct exact *exact = &fixture->exact;
	struct field_row row = {
		.type = 1,
		.phase = 8,
		.offset = 56,
		.size = 8,
		.function = "down",
	};

	exact->run.nr_operations = 20;
	add(fixture, 8, "reader", (struct exact_counts){ .loads = 20 });
	add(fixture, 64, "down", (struct exact_counts){ .stores = 1 });
	row.counts = (struct exact_counts){ .loads = 1 };
	field_rows_add(&fixture->rows, exact, &row);
	field_rows_build(&fixture->rows, exact);
	touched_count(exact);
	assert_int_equal(exact->types.items[1].nr_touched, 0);
	exact->run.every_access = true;
	touched_count(exact);
	assert_string_equal(exact->types.items[1].label, "struct pair_of_lines");
	assert_int_equal(exact->types.items[1].nr_touched, 2);
	assert_int_equal(exact->types.items[1].nr_hot, 1);
}

static void names_are_short(void **state)
{
	struct fixture *fixture = *state;
	const struct exact_type untyped = { .label = "pages" };

	assert_string_equal(
		field_name(&fixture->exact.arena, &fixture->exact.types.items[1], 16, 8), "pad[]");
	assert_string_equal(field_name(&fixture->exact.arena, &untyped, 64, 8), "+0x40");
}

/* pair_of_lines table[3], as a variable: fields of all elements, each in its own place. */
static void elements_of_an_array_have_fields(void **state)
{
	struct fixture *fixture = *state;
	struct exact *exact = &fixture->exact;
	static const uint64_t counts[] = { 3 };
	static const struct type table = {
		.kind = TYPE_ARRAY,
		.target = &outer,
		.size = 3 * 72,
		.nr_counts = 1,
		.counts = counts,
	};

	exact->types.items[1].type = &table;
	add(fixture, 72 + 56, "down", (struct exact_counts){ .upgrades = 1 });
	add(fixture, 144 + 64, "down", (struct exact_counts){ .upgrades = 1 });
	field_rows_build(&fixture->rows, exact);
	assert_int_equal(exact->fields.nr, 2);
	assert_string_equal(exact->fields.items[0].path, "[].sem.count");
	assert_int_equal(exact->fields.items[0].offset, 72 + 56);
	assert_int_equal(exact->fields.items[0].size, 8);
	assert_string_equal(exact->fields.items[1].path, "[].sem.owner");
	assert_int_equal(exact->fields.items[1].offset, 144 + 64);
}

static void a_scalar_variable_is_its_own_field(void **state)
{
	struct fixture *fixture = *state;
	const struct exact_type jiffies = { .label = "jiffies", .type = &word };

	assert_string_equal(field_name(&fixture->exact.arena, &jiffies, 0, 8), "jiffies");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_add_up_by_line_field_and_function, setup,
						teardown),
		cmocka_unit_test_setup_teardown(phase_moves_the_boundary, setup, teardown),
		cmocka_unit_test_setup_teardown(words_written_together_on_two_lines_are_a_cut,
						setup, teardown),
		cmocka_unit_test_setup_teardown(words_of_different_functions_are_no_cut, setup,
						teardown),
		cmocka_unit_test_setup_teardown(lines_touched_are_those_of_one_object, setup,
						teardown),
		cmocka_unit_test_setup_teardown(names_are_short, setup, teardown),
		cmocka_unit_test_setup_teardown(elements_of_an_array_have_fields, setup, teardown),
		cmocka_unit_test_setup_teardown(a_scalar_variable_is_its_own_field, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
