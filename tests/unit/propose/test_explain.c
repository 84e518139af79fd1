/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "propose/relayout.h"
#include "support/types.h"

static struct relayout relayout;

static const struct explanation *explain_in(const char *format, const struct type *type)
{
	static struct source source = { .pointer_size = 8 };

	source.arch = arch_by_name("x86_64");
	source.format = format;
	relayout_deinit(&relayout);
	relayout_init(&relayout, &source);
	return relayout_explain(&relayout, type);
}

/* What most likely stands in the source. */
static const struct declared *explain(const struct type *type)
{
	const struct explanation *explanation = explain_in("dwarf", type);

	assert_null(explanation->refusal);
	return &explanation->declared[0];
}

static int forget(void **state)
{
	(void)state;
	relayout_deinit(&relayout);
	relayout = (struct relayout){};
	return 0;
}

static void a_plain_struct_needs_no_attribute(void **state)
{
	const struct type type =
		STRUCT("s", 16, FIELD("a", &type_char, 0), FIELD("b", &type_long, 8));
	const struct declared *declared = explain(&type);

	(void)state;
	assert_false(declared->packed);
	assert_int_equal(declared->pack, 0);
	assert_int_equal(declared->stated, 0);
	assert_int_equal(declared->members.nr, 2);
	assert_int_equal(declared->align, 8);
}

static void what_no_hole_keeps_apart_may_be_packed_too(void **state)
{
	const struct type tight =
		STRUCT("tight", 16, FIELD("a", &type_long, 0), FIELD("b", &type_long, 8));
	const struct type wide =
		STRUCT("wide", 16, FIELD("a", &type_int, 0), FIELD("b", &type_long, 8));

	(void)state;
	assert_int_equal(explain_in("dwarf", &tight)->nr_declared, 2);
	assert_false(explain_in("dwarf", &tight)->declared[0].packed);
	assert_true(explain_in("dwarf", &tight)->declared[1].packed);
	assert_int_equal(explain_in("dwarf", &wide)->nr_declared, 1);
}

static void all_off_their_alignment_is_packed(void **state)
{
	const struct type type = STRUCT("s", 13, FIELD("a", &type_char, 0),
					FIELD("b", &type_long, 1), FIELD("c", &type_int, 9));

	(void)state;
	assert_true(explain(&type)->packed);
}

/* struct { char a; long b __packed; long c; }: the size shows that c is not. */
static void one_off_its_alignment_is_a_packed_member(void **state)
{
	const struct type type = STRUCT("s", 24, FIELD("a", &type_char, 0),
					FIELD("b", &type_long, 1), FIELD("c", &type_long, 16));
	const struct declared *declared = explain(&type);

	(void)state;
	assert_false(declared->packed);
	assert_true(declared->members.items[1].packed);
	assert_false(declared->members.items[2].packed);
}

/* All on 4, though longs are on 8. */
static void less_than_natural_everywhere_is_a_pragma(void **state)
{
	const struct type type =
		STRUCT("s", 24, FIELD("a", &type_char, 0), FIELD("b", &type_long, 4),
		       FIELD("c", &type_char, 12), FIELD("d", &type_long, 16));

	(void)state;
	assert_int_equal(explain(&type)->pack, 4);
}

/* struct { int a : 3; int : 5; int b : 4; } */
static void a_gap_between_bit_fields_is_an_unnamed_one(void **state)
{
	const struct type type =
		STRUCT("s", 4, BITS("a", &type_int, 0, 3), BITS("b", &type_int, 8, 4));
	const struct declared *declared = explain(&type);

	(void)state;
	assert_int_equal(declared->members.nr, 3);
	assert_true(declaration_is_unnamed(&declared->members.items[1]));
	assert_int_equal(declared->members.items[1].field.size_bits, 5);
	assert_ptr_equal(declared->members.items[1].field.type, &type_int);
}

/* struct { long a; int : 32; int : 32; } */
static void a_tail_too_long_is_unnamed_bit_fields(void **state)
{
	const struct type type = STRUCT("s", 16, FIELD("a", &type_long, 0));
	const struct declared *declared = explain(&type);

	(void)state;
	assert_int_equal(declared->size, 16);
	assert_true(declaration_is_unnamed(&declared->members.items[1]));
}

/* struct { int a; int b __aligned(64); }: DWARF would tell, BTF does not. */
static void in_btf_a_gap_is_an_alignment(void **state)
{
	const struct type type =
		STRUCT("s", 128, FIELD("a", &type_int, 0), FIELD("b", &type_int, 64));
	const struct declared *declared = &explain_in("btf", &type)->declared[0];

	(void)state;
	assert_int_equal(declared->members.nr, 2);
	assert_int_equal(declared->members.items[1].stated, 64);
	assert_int_equal(declared->align, 64);
}

/* gcc tells of a struct what its member states; what no member states is its own. */
static void a_struct_states_what_no_member_of_it_does(void **state)
{
	struct type type = STRUCT("s", 64, FIELD("a", &type_int, 0));
	const struct field stating = { .name = "a", .type = &type_int, .align = 64 };

	(void)state;
	type.align = 64;
	assert_int_equal(explain(&type)->stated, 64);
	type.fields = &stating;
	assert_int_equal(explain(&type)->stated, 0);
}

/* struct { long a; char c; struct { int b; } __packed; }: the size shows that it is not packed. */
static void an_anonymous_struct_off_its_alignment_is_packed_itself(void **state)
{
	const struct type inner = STRUCT(NULL, 4, FIELD("b", &type_int, 0));
	const struct type type = STRUCT("s", 16, FIELD("a", &type_long, 0),
					FIELD("c", &type_char, 8), FIELD(NULL, &inner, 9));
	const struct declared *declared = explain(&type);

	(void)state;
	assert_false(declared->packed);
	assert_false(declared->members.items[2].packed);
	assert_true(relayout_explain(&relayout, &inner)->declared[0].packed);
	assert_int_equal(relayout_align(&relayout, &inner), 1);
}

static void what_c_cannot_declare_is_refused(void **state)
{
	const struct type overlapping =
		STRUCT("s", 8, FIELD("a", &type_long, 0), FIELD("b", &type_int, 4));
	const struct type short_of = STRUCT("s", 4, FIELD("a", &type_long, 0));
	const struct type class = AGGREGATE(TYPE_CLASS, "s", 8, FIELD("a", &type_long, 0));
	const struct type holder = STRUCT("h", 8, FIELD("s", &overlapping, 0));

	(void)state;
	assert_non_null(strstr(explain_in("dwarf", &overlapping)->refusal, "'b'"));
	assert_non_null(strstr(explain_in("dwarf", &short_of)->refusal, "size of 8, not 4"));
	assert_non_null(explain_in("dwarf", &class)->refusal);
	assert_non_null(strstr(explain_in("dwarf", &holder)->refusal, "'s': 'b'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_struct_needs_no_attribute),
		cmocka_unit_test(what_no_hole_keeps_apart_may_be_packed_too),
		cmocka_unit_test(all_off_their_alignment_is_packed),
		cmocka_unit_test(one_off_its_alignment_is_a_packed_member),
		cmocka_unit_test(less_than_natural_everywhere_is_a_pragma),
		cmocka_unit_test(a_gap_between_bit_fields_is_an_unnamed_one),
		cmocka_unit_test(a_tail_too_long_is_unnamed_bit_fields),
		cmocka_unit_test(in_btf_a_gap_is_an_alignment),
		cmocka_unit_test(a_struct_states_what_no_member_of_it_does),
		cmocka_unit_test(an_anonymous_struct_off_its_alignment_is_packed_itself),
		cmocka_unit_test(what_c_cannot_declare_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, forget);
}
