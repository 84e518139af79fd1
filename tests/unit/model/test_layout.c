/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/layout.h"
#include "support/types.h"

static const struct view lines_of_64 = { .cacheline = 64 };

/* Holes of type, checked against pairs of offset and size in bits, and its padding. */
static void expect_holes(const struct type *type, const uint64_t (*holes)[2], size_t nr,
			 uint64_t padding_bits)
{
	auto_vec struct hole_vec found = {};
	uint64_t found_padding = UINT64_MAX;

	layout_holes(type, &found, &found_padding);
	assert_int_equal(found.nr, nr);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(found.items[i].offset_bits, holes[i][0]);
		assert_int_equal(found.items[i].size_bits, holes[i][1]);
	}
	assert_int_equal(found_padding, padding_bits);
}

/* The compiler says where the fields are, and so where the holes must be. */
static void holes_are_where_the_compiler_left_them(void **state)
{
	struct sample {
		char a;
		long b;
		short c;
		char d[3];
		long e;
		char f;
	};
	const struct type type = STRUCT(
		"sample", sizeof(struct sample), FIELD("a", &type_char, offsetof(struct sample, a)),
		FIELD("b", &type_long, offsetof(struct sample, b)),
		FIELD("c", &type_short, offsetof(struct sample, c)),
		FIELD("d", ARRAY(&type_char, 3), offsetof(struct sample, d)),
		FIELD("e", &type_long, offsetof(struct sample, e)),
		FIELD("f", &type_char, offsetof(struct sample, f)));
	const uint64_t holes[][2] = {
		{ 8, 8 * (offsetof(struct sample, b) - 1) },
		{ 8 * (offsetof(struct sample, d) + 3),
		  8 * (offsetof(struct sample, e) - offsetof(struct sample, d) - 3) },
	};

	(void)state;
	expect_holes(&type, holes, 2, 8 * (sizeof(struct sample) - offsetof(struct sample, f) - 1));
}

static void unused_bits_between_bit_fields_are_a_hole(void **state)
{
	const struct type type = STRUCT("bits", 4, BITS("a", &type_int, 0, 3),
					BITS("b", &type_int, 8, 9), BITS("c", &type_int, 17, 2));
	const uint64_t holes[][2] = { { 3, 5 } };

	(void)state;
	expect_holes(&type, holes, 1, 32 - 19);
}

static void a_union_leaves_unused_what_every_alternative_does(void **state)
{
	const struct type inside =
		STRUCT(NULL, 16, FIELD("p", &type_short, 0), FIELD("q", &type_long, 8));
	const struct type type = UNION("u", 16, FIELD("a", &type_int, 0), FIELD(NULL, &inside, 0));
	const uint64_t holes[][2] = { { 32, 32 } };

	(void)state;
	expect_holes(&type, holes, 1, 0);
}

static void an_embedded_struct_counts_as_full_but_an_anonymous_one_does_not(void **state)
{
	const struct type inside =
		STRUCT(NULL, 8, FIELD("c", &type_char, 0), FIELD("i", &type_int, 4));
	const struct type named = STRUCT("s", 8, FIELD("s", &inside, 0));
	const struct type anonymous = STRUCT("s", 8, FIELD(NULL, &inside, 0));
	const uint64_t holes[][2] = { { 8, 24 } };

	(void)state;
	expect_holes(&named, NULL, 0, 0);
	expect_holes(&anonymous, holes, 1, 0);
}

static void markers_and_flexible_arrays_close_no_hole(void **state)
{
	const struct type type = STRUCT(
		"s", 16, FIELD("a", &type_int, 0), FIELD("m", ARRAY(&type_char, 0), 4),
		FIELD("b", &type_long, 8), FIELD("f", ARRAY(&type_long, TYPE_COUNT_FLEXIBLE), 16));
	const uint64_t holes[][2] = { { 32, 32 } };

	(void)state;
	expect_holes(&type, holes, 1, 0);
}

static void a_virtual_base_may_lie_in_what_looks_like_padding(void **state)
{
	const struct type base = STRUCT("base", 8, FIELD("x", &type_long, 0));
	const struct type type = STRUCT(
		"s", 24, FIELD("a", &type_long, 0),
		{ .kind = FIELD_VIRTUAL_BASE, .type = &base, .offset_bits = FIELD_OFFSET_UNKNOWN });

	(void)state;
	expect_holes(&type, NULL, 0, 0);
}

static void nothing_behind_a_member_that_is_only_declared_is_a_hole(void **state)
{
	static const struct type declared = { .kind = TYPE_CLASS, .name = "x", .incomplete = true };
	const struct type inside = STRUCT("inside", 24, FIELD("x", &declared, 0),
					  FIELD("a", &type_char, 8), FIELD("b", &type_long, 16));
	const struct type last =
		STRUCT("last", 16, FIELD("a", &type_char, 0), FIELD("x", &declared, 8));
	const uint64_t behind_a[][2] = { { 72, 56 } }, before_x[][2] = { { 8, 56 } };

	(void)state;
	expect_holes(&inside, behind_a, 1, 0);
	expect_holes(&last, before_x, 1, 0);
}

static void a_hole_is_split_at_whole_bytes(void **state)
{
	const struct hole hole = { 11, 22 };
	const struct hole small = { 2, 5 };
	struct hole before, bytes, behind;

	(void)state;
	hole_split(&hole, &before, &bytes, &behind);
	assert_int_equal(before.offset_bits, 11);
	assert_int_equal(before.size_bits, 5);
	assert_int_equal(bytes.offset_bits, 16);
	assert_int_equal(bytes.size_bits, 16);
	assert_int_equal(behind.offset_bits, 32);
	assert_int_equal(behind.size_bits, 1);
	hole_split(&small, &before, &bytes, &behind);
	assert_int_equal(before.size_bits, 5);
	assert_int_equal(bytes.size_bits, 0);
	assert_int_equal(behind.size_bits, 0);
}

static void flattening_opens_anonymous_structs_and_named_ones_to_a_depth(void **state)
{
	const struct type deep = STRUCT("deep", 4, FIELD("x", &type_int, 0));
	const struct type anonymous =
		STRUCT(NULL, 8, FIELD("a", &type_int, 0), FIELD("deep", &deep, 4));
	const struct type type =
		STRUCT("s", 24, FIELD("first", &type_long, 0), FIELD(NULL, &anonymous, 8),
		       FIELD("last", TYPEDEF("deep_t", &deep), 16));
	auto_vec struct placed_vec closed = {}, open = {};

	(void)state;
	layout_flatten(&type, 0, &closed);
	assert_int_equal(closed.nr, 5);
	assert_string_equal(closed.items[3].field->name, "deep");
	assert_int_equal(closed.items[3].offset_bits, 8 * 12);
	assert_int_equal(closed.items[3].depth, 1);
	assert_int_equal(closed.items[3].parent, 1);
	assert_false(closed.items[3].has_inside);
	layout_flatten(&type, 1, &open);
	assert_int_equal(open.nr, 7);
	assert_string_equal(open.items[4].field->name, "x");
	assert_int_equal(open.items[4].offset_bits, 8 * 12);
	assert_int_equal(open.items[6].offset_bits, 8 * 16);
}

/* Thirty-one structs, each with two members of the next: 2^31 fields in a file of 3 kB. */
static void what_unfolds_without_end_is_cut_and_told(void **state)
{
	struct field fields[31][2];
	struct type types[31];
	auto_vec struct placed_vec placed = {};

	(void)state;
	for (size_t i = 0; i < array_size(types); i++) {
		const struct type *inner = i ? &types[i - 1] : &type_char;

		fields[i][0] = (struct field)FIELD("a", inner, 0);
		fields[i][1] = (struct field)FIELD("b", inner, 1ull << i);
		types[i] = (struct type){ .kind = TYPE_STRUCT,
					  .name = "s",
					  .size = 2ull << i,
					  .fields = fields[i],
					  .nr_fields = 2 };
		type_seal(&types[i], arch_by_name("x86_64"));
	}
	assert_false(layout_flatten(&types[30], UINT32_MAX, &placed));
	assert_int_equal(type_align(&types[30], arch_by_name("x86_64")), 1);
	assert_false(type_is_packed(&types[30], arch_by_name("x86_64")));
	placed.nr = 0;
	assert_true(layout_flatten(&types[3], UINT32_MAX, &placed));
	assert_int_equal(placed.nr, 30);
}

static void a_phase_moves_fields_to_other_lines(void **state)
{
	const struct view phased = { .cacheline = 64, .phase = 24 };

	(void)state;
	assert_int_equal(view_line(lines_of_64, 920), 14);
	assert_int_equal(view_line_offset(lines_of_64, 920), 24);
	assert_int_equal(view_line(phased, 39), 0);
	assert_int_equal(view_line(phased, 40), 1);
	assert_int_equal(view_nr_lines(lines_of_64, 0, 64), 1);
	assert_int_equal(view_nr_lines(phased, 0, 64), 2);
	assert_int_equal(view_nr_lines(phased, 0, 0), 0);
}

static void a_field_straddles_by_its_last_bit(void **state)
{
	(void)state;
	assert_false(view_straddles(lines_of_64, 8 * 56, 64));
	assert_true(view_straddles(lines_of_64, 8 * 56, 65));
	assert_true(view_straddles(lines_of_64, 8 * 63 + 4, 8));
	assert_false(view_straddles(lines_of_64, 8 * 64, 0));
	assert_false(view_straddles(lines_of_64, FIELD_OFFSET_UNKNOWN, 8));
}

static void only_what_could_lie_on_fewer_lines_wastes_one(void **state)
{
	(void)state;
	assert_true(view_wastes_line(lines_of_64, 8 * 60, 64));
	assert_false(view_wastes_line(lines_of_64, 0, 8 * 4096));
	assert_true(view_wastes_line(lines_of_64, 8 * 4, 8 * 4096));
	/* 100 bytes need two lines and lie on two. */
	assert_false(view_wastes_line(lines_of_64, 8 * 20, 8 * 100));
	assert_true(view_wastes_line(lines_of_64, 8 * 60, 8 * 100));
}

static void group_markers_are_zero_length_arrays_of_that_name(void **state)
{
	const struct field begin = FIELD("__cacheline_group_begin__rx", ARRAY(&type_char, 0), 8);
	const struct field end = FIELD("__cacheline_group_end__rx", ARRAY(&type_char, 0), 8);
	const struct field full = FIELD("__cacheline_group_begin__rx", ARRAY(&type_char, 1), 8);
	const struct field nameless = FIELD("__cacheline_group_begin__", ARRAY(&type_char, 0), 8);

	(void)state;
	assert_string_equal(field_group_begin(&begin), "rx");
	assert_null(field_group_end(&begin));
	assert_string_equal(field_group_end(&end), "rx");
	assert_null(field_group_begin(&full));
	assert_null(field_group_begin(&nameless));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holes_are_where_the_compiler_left_them),
		cmocka_unit_test(unused_bits_between_bit_fields_are_a_hole),
		cmocka_unit_test(a_union_leaves_unused_what_every_alternative_does),
		cmocka_unit_test(an_embedded_struct_counts_as_full_but_an_anonymous_one_does_not),
		cmocka_unit_test(markers_and_flexible_arrays_close_no_hole),
		cmocka_unit_test(a_virtual_base_may_lie_in_what_looks_like_padding),
		cmocka_unit_test(nothing_behind_a_member_that_is_only_declared_is_a_hole),
		cmocka_unit_test(a_hole_is_split_at_whole_bytes),
		cmocka_unit_test(flattening_opens_anonymous_structs_and_named_ones_to_a_depth),
		cmocka_unit_test(what_unfolds_without_end_is_cut_and_told),
		cmocka_unit_test(a_phase_moves_fields_to_other_lines),
		cmocka_unit_test(a_field_straddles_by_its_last_bit),
		cmocka_unit_test(only_what_could_lie_on_fewer_lines_wastes_one),
		cmocka_unit_test(group_markers_are_zero_length_arrays_of_that_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
