/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "propose/relayout.h"
#include "support/types.h"

static const struct type inner = STRUCT("inner", 4, FIELD("x", &type_int, 0));
/* Another unit's copy of the same definition. */
static const struct type inner_again = STRUCT("inner", 4, FIELD("x", &type_int, 0));
static const struct type other_inner = STRUCT("inner", 4, FIELD("y", &type_int, 0));
static const struct edit grow = { EDIT_INSERT, .member = "x", .side = EDIT_AFTER, .name = "more",
				  .bytes = 4 };

/* Grows inner in a set of these types. */
static void spread(struct relayout *relayout, const struct type *const *types, size_t nr,
		   struct moved_vec *ret)
{
	static struct source source = { .format = "dwarf", .pointer_size = 8 };
	struct definition *definitions = memory_alloc(nr, sizeof(*definitions));
	const struct typeset set = { .definitions = { definitions, nr, nr } };
	struct error *err;

	for (size_t i = 0; i < nr; i++)
		definitions[i].type = types[i];
	source.arch = arch_by_name("x86_64");
	relayout_init(relayout, &source);
	err = relayout_set(relayout, &set, &inner, &grow, 1, ret);
	if (err)
		fail_msg("%s", error_message(err));
	for (size_t i = 0; i < ret->nr; i++)
		assert_true(ret->items[i].before >= definitions &&
			    ret->items[i].before < definitions + nr);
	free(definitions);
}

#define SPREAD(relayout, ret, ...)                                    \
	spread(relayout, (const struct type *const[]){ __VA_ARGS__ }, \
	       array_size(((const struct type *const[]){ __VA_ARGS__ })), ret)

static void what_holds_it_moves_at_any_depth(void **state)
{
	const struct type holder =
		STRUCT("holder", 16, FIELD("a", &inner_again, 0), FIELD("b", &type_long, 8));
	const struct type outer = STRUCT("outer", 56, FIELD("holders", ARRAY(&holder, 3), 0),
					 FIELD("last", &inner, 48));
	auto_relayout struct relayout relayout;
	auto_vec struct moved_vec moved = {};

	(void)state;
	SPREAD(&relayout, &moved, &inner, &holder, &outer);
	assert_int_equal(moved.nr, 3);
	assert_int_equal(moved.items[0].after.type->size, 8);
	/* There was room in it. */
	assert_int_equal(moved.items[1].after.type->size, 16);
	assert_int_equal(moved.items[1].after.type->fields[1].offset_bits, 64);
	assert_int_equal(moved.items[2].after.type->size, 56);
	assert_int_equal(moved.items[2].after.type->fields[1].offset_bits, 8 * 48);
	assert_int_equal(type_size(moved.items[2].after.type->fields[0].type), 48);
}

static void names_and_qualifiers_on_the_way_are_kept(void **state)
{
	const struct type holder =
		STRUCT("holder", 12, FIELD("a", OF(TYPE_CONST, TYPEDEF("inner_t", &inner)), 0),
		       FIELD("b", ARRAY(TYPEDEF("inner_t", &inner), 2), 4));
	auto_relayout struct relayout relayout;
	auto_vec struct moved_vec moved = {};
	const struct field *fields;

	(void)state;
	SPREAD(&relayout, &moved, &holder);
	assert_int_equal(moved.nr, 1);
	fields = moved.items[0].after.type->fields;
	assert_int_equal(fields[0].type->kind, TYPE_CONST);
	assert_string_equal(fields[0].type->target->name, "inner_t");
	assert_int_equal(fields[1].offset_bits, 64);
	assert_int_equal(moved.items[0].after.type->size, 24);
}

static void what_only_points_to_it_or_holds_a_namesake_stays(void **state)
{
	const struct type pointing = STRUCT("pointing", 8, FIELD("p", POINTER(&inner), 0));
	const struct type namesake = STRUCT("namesake", 4, FIELD("a", &other_inner, 0));
	auto_relayout struct relayout relayout;
	auto_vec struct moved_vec moved = {};

	(void)state;
	SPREAD(&relayout, &moved, &pointing, &namesake, &other_inner);
	assert_int_equal(moved.nr, 0);
}

static void a_holder_that_cannot_be_explained_says_so_and_so_does_its_own(void **state)
{
	const struct type holder =
		STRUCT("holder", 4, FIELD("a", &inner, 0), FIELD("b", &type_int, 2));
	const struct type outer =
		STRUCT("outer", 8, FIELD("h", &holder, 0), FIELD("b", &type_int, 4));
	const struct type sound = STRUCT("sound", 4, FIELD("a", &inner, 0));
	auto_relayout struct relayout relayout;
	auto_vec struct moved_vec moved = {};

	(void)state;
	SPREAD(&relayout, &moved, &outer, &holder, &sound);
	assert_int_equal(moved.nr, 3);
	assert_null(moved.items[0].after.type);
	assert_non_null(strstr(moved.items[0].refusal, "'b'"));
	assert_null(moved.items[1].after.type);
	assert_null(moved.items[2].refusal);
	assert_int_equal(moved.items[2].after.type->size, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_holds_it_moves_at_any_depth),
		cmocka_unit_test(names_and_qualifiers_on_the_way_are_kept),
		cmocka_unit_test(what_only_points_to_it_or_holds_a_namesake_stays),
		cmocka_unit_test(a_holder_that_cannot_be_explained_says_so_and_so_does_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
