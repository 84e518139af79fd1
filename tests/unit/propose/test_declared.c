/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "propose/declared.h"
#include "support/types.h"

#define MEMBER(member_type, align)                                              \
	{                                                                       \
		.field = { .name = "m", .type = member_type }, .natural = align \
	}
#define BIT_MEMBER(member_name, member_type, align, width)                                 \
	{                                                                                  \
		.field = { .name = member_name, .type = member_type, .size_bits = width }, \
		.natural = align, .is_bits = true                                          \
	}

/* Places members as the rest of what is declared says; the offsets are left in members. */
static struct declared place(struct declaration *members, size_t nr, struct declared rest)
{
	rest.members = (struct declaration_vec){ .items = members, .nr = nr, .capacity = nr };
	declared_place(&rest);
	return rest;
}

#define PLACE(members, ...) place(members, array_size(members), (struct declared){ __VA_ARGS__ })

static void members_are_aligned_and_so_is_the_size(void **state)
{
	struct declaration members[] = { MEMBER(&type_char, 1), MEMBER(&type_long, 8),
					 MEMBER(&type_short, 2) };
	struct declared declared = PLACE(members);

	(void)state;
	assert_int_equal(members[1].field.offset_bits, 64);
	assert_int_equal(members[2].field.offset_bits, 128);
	assert_int_equal(declared.size, 24);
	assert_int_equal(declared.align, 8);
}

static void packed_forgets_the_type_but_not_what_is_stated(void **state)
{
	struct declaration members[] = { MEMBER(&type_char, 1), MEMBER(&type_long, 8),
					 MEMBER(&type_long, 8) };
	struct declared declared;

	(void)state;
	members[1].packed = true;
	members[2].packed = true;
	members[2].stated = 4;
	declared = PLACE(members);
	assert_int_equal(members[1].field.offset_bits, 8);
	assert_int_equal(members[2].field.offset_bits, 96);
	assert_int_equal(declared.size, 20);
	assert_int_equal(declared.align, 4);
}

static void pragma_pack_caps_even_what_is_stated(void **state)
{
	struct declaration members[] = { MEMBER(&type_char, 1), MEMBER(&type_long, 8) };
	struct declared declared;

	(void)state;
	members[1].stated = 64;
	declared = PLACE(members, .pack = 2);
	assert_int_equal(members[1].field.offset_bits, 16);
	assert_int_equal(declared.size, 10);
}

/* struct { char m; int a : 20, b : 10; } */
static void a_bit_field_does_not_straddle_its_unit(void **state)
{
	struct declaration members[] = { MEMBER(&type_char, 1), BIT_MEMBER("a", &type_int, 4, 20),
					 BIT_MEMBER("b", &type_int, 4, 10) };

	(void)state;
	PLACE(members);
	assert_int_equal(members[1].field.offset_bits, 8);
	assert_int_equal(members[2].field.offset_bits, 32);
	/* ... but under any #pragma pack, and packed. */
	PLACE(members, .pack = 8);
	assert_int_equal(members[2].field.offset_bits, 28);
	members[2].packed = true;
	PLACE(members);
	assert_int_equal(members[2].field.offset_bits, 28);
}

/* struct { short a : 3; int : 0; short b : 3; } __packed */
static void width_0_ends_the_unit_even_if_packed(void **state)
{
	struct declaration members[] = { BIT_MEMBER("a", &type_short, 2, 3),
					 BIT_MEMBER(NULL, &type_int, 4, 0),
					 BIT_MEMBER("b", &type_short, 2, 3) };
	struct declared declared;

	(void)state;
	for (size_t i = 0; i < array_size(members); i++)
		members[i].packed = true;
	declared = PLACE(members);
	assert_int_equal(members[2].field.offset_bits, 32);
	assert_int_equal(declared.size, 5);
	assert_int_equal(declared.align, 1);
}

/* struct { char m; long : 4; } */
static void an_unnamed_bit_field_aligns_only_on_arm(void **state)
{
	struct declaration members[] = { MEMBER(&type_char, 1),
					 BIT_MEMBER(NULL, &type_long, 8, 4) };

	(void)state;
	assert_int_equal(PLACE(members).size, 2);
	assert_int_equal(PLACE(members, .unnamed_aligns = true).size, 8);
}

static void a_union_is_as_large_as_its_largest_and_aligned_as_its_strictest(void **state)
{
	struct declaration members[] = { MEMBER(ARRAY(&type_char, 9), 1), MEMBER(&type_int, 4),
					 BIT_MEMBER("b", &type_short, 2, 3) };
	struct declared declared = PLACE(members, .is_union = true);

	(void)state;
	assert_int_equal(members[1].field.offset_bits, 0);
	assert_int_equal(declared.size, 12);
	assert_int_equal(PLACE(members, .is_union = true, .stated = 64).size, 64);
}

static void a_flexible_array_takes_no_room_but_aligns(void **state)
{
	struct declaration members[] = { MEMBER(&type_int, 4),
					 MEMBER(ARRAY(&type_long, TYPE_COUNT_FLEXIBLE), 8) };
	struct declared declared = PLACE(members);

	(void)state;
	assert_int_equal(members[1].field.offset_bits, 64);
	assert_int_equal(declared.size, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_aligned_and_so_is_the_size),
		cmocka_unit_test(packed_forgets_the_type_but_not_what_is_stated),
		cmocka_unit_test(pragma_pack_caps_even_what_is_stated),
		cmocka_unit_test(a_bit_field_does_not_straddle_its_unit),
		cmocka_unit_test(width_0_ends_the_unit_even_if_packed),
		cmocka_unit_test(an_unnamed_bit_field_aligns_only_on_arm),
		cmocka_unit_test(a_union_is_as_large_as_its_largest_and_aligned_as_its_strictest),
		cmocka_unit_test(a_flexible_array_takes_no_room_but_aligns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
