/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/layout.h"
#include "propose/relayout.h"
#include "support/types.h"

static struct relayout relayout;

static int start(void **state)
{
	static struct source source = { .format = "dwarf", .pointer_size = 8 };

	(void)state;
	source.arch = arch_by_name("x86_64");
	relayout_init(&relayout, &source);
	return 0;
}

static int end(void **state)
{
	(void)state;
	relayout_deinit(&relayout);
	return 0;
}

static struct edited edit_to(const struct type *type, const struct edit *edits, size_t nr)
{
	struct edited edited;
	struct error *err = relayout_edit(&relayout, type, edits, nr, &edited);

	if (err)
		fail_msg("%s", error_message(err));
	return edited;
}

static const struct type *edit_one(const struct type *type, struct edit edit)
{
	return edit_to(type, &edit, 1).type;
}

static void refuses(const struct type *type, struct edit edit, const char *why)
{
	struct edited edited;
	auto_error struct error *err = relayout_edit(&relayout, type, &edit, 1, &edited);

	assert_non_null(err);
	if (!strstr(error_message(err), why))
		fail_msg("'%s' does not say '%s'", error_message(err), why);
}

/* Offset in bits of a member, through anonymous structs; -1 = there is none. */
static int64_t offset_of(const struct type *type, const char *name)
{
	auto_vec struct placed_vec placed = {};

	layout_flatten(type, 0, &placed);
	for (size_t i = 0; i < placed.nr; i++) {
		const char *found = placed.items[i].field->name;

		if (found && !strcmp(found, name))
			return (int64_t)placed.items[i].offset_bits;
	}
	return -1;
}

static void member_at(const struct type *type, const char *name, int64_t offset)
{
	assert_int_equal(offset_of(type, name), 8 * offset);
}

static const struct type head =
	STRUCT("head", 40, FIELD("lock", &type_long, 0), FIELD("size", ARRAY(&type_long, 4), 8));
static const struct type tail =
	STRUCT("tail", 16, FIELD("mode", &type_short, 0), FIELD("count", &type_long, 8));
/* As struct bdev_inode is. */
static const struct type both =
	STRUCT("both", 56, FIELD("head", &head, 0), FIELD("tail", &tail, 40));
static const struct type mixed =
	STRUCT("mixed", 24, FIELD("a", &type_char, 0), FIELD("b", &type_int, 4),
	       FIELD("c", &type_long, 8), FIELD("d", &type_char, 16));

static void a_pad_beside_a_struct_moves_the_next(void **state)
{
	const struct type *after = edit_one(
		&both, (struct edit){ EDIT_WRAP, .member = "head", .name = "pad", .bytes = 61 });

	(void)state;
	member_at(after, "head", 0);
	member_at(after, "pad", 0);
	member_at(after, "tail", 64);
	assert_int_equal(after->size, 80);
	/* A pad that is too short changes nothing. */
	after = edit_one(&both,
			 (struct edit){ EDIT_WRAP, .member = "head", .name = "pad", .bytes = 8 });
	member_at(after, "tail", 40);
	assert_int_equal(after->size, 56);
}

static void a_pad_rounded_up_follows_the_size_of_what_it_pads(void **state)
{
	const struct edit edits[] = {
		{ EDIT_WRAP, .member = "head", .name = "pad", .round_to = 64 },
	};
	const struct type larger = *edit_one(
		&head, (struct edit){ EDIT_INSERT, .member = "lock", .name = "x", .bytes = 32 });
	const struct type outer =
		STRUCT("both", 88, FIELD("head", &larger, 0), FIELD("tail", &tail, 72));

	(void)state;
	member_at(edit_to(&both, edits, 1).type, "tail", 64);
	assert_int_equal(larger.size, 72);
	member_at(edit_to(&outer, edits, 1).type, "tail", 128);
}

static void the_type_before_an_edit_stays_as_it_is(void **state)
{
	edit_one(&mixed, (struct edit){ EDIT_REMOVE, .member = "a" });
	(void)state;
	member_at(&mixed, "b", 4);
	assert_int_equal(mixed.nr_fields, 4);
}

static void bytes_go_before_and_after_a_member(void **state)
{
	struct edit edit = { EDIT_INSERT, .member = "b", .name = "x", .bytes = 3 };
	const struct type *after = edit_one(&mixed, edit);

	(void)state;
	member_at(after, "x", 1);
	member_at(after, "b", 4);
	edit.side = EDIT_AFTER;
	after = edit_one(&mixed, edit);
	member_at(after, "x", 8);
	member_at(after, "c", 16);
	edit.align = 16;
	after = edit_one(&mixed, edit);
	member_at(after, "x", 16);
	member_at(after, "c", 24);
	assert_int_equal(after->size, 48);
	assert_int_equal(after->align, 16);
}

static void a_member_comes_with_the_alignment_of_its_type(void **state)
{
	const struct type *after =
		edit_one(&mixed, (struct edit){ EDIT_INSERT, .member = "d", .side = EDIT_AFTER,
						.name = "x", .type = &tail });

	(void)state;
	member_at(after, "x", 24);
	assert_int_equal(after->size, 40);
}

static void an_aligned_member_aligns_the_struct(void **state)
{
	const struct type *after =
		edit_one(&mixed, (struct edit){ EDIT_ALIGN_MEMBER, .member = "b", .align = 64 });

	(void)state;
	member_at(after, "b", 64);
	member_at(after, "c", 72);
	assert_int_equal(after->size, 128);
	assert_int_equal(relayout_align(&relayout, after), 64);
	after = edit_one(&mixed, (struct edit){ EDIT_ALIGN_TYPE, .align = 32 });
	member_at(after, "b", 4);
	assert_int_equal(after->size, 32);
}

static void members_move_and_change_order(void **state)
{
	const char *const order[] = { "c", "b", "a", "d" };
	const struct type *after =
		edit_one(&mixed, (struct edit){ EDIT_MOVE, .member = "a", .anchor = "d",
						.side = EDIT_BEFORE });

	(void)state;
	member_at(after, "b", 0);
	member_at(after, "c", 8);
	member_at(after, "a", 16);
	member_at(after, "d", 17);
	after = edit_one(&mixed, (struct edit){ EDIT_ORDER, .members = order, .nr_members = 4 });
	member_at(after, "c", 0);
	member_at(after, "b", 8);
	member_at(after, "a", 12);
	member_at(after, "d", 13);
	assert_int_equal(after->size, 16);
}

static void a_group_stands_between_markers_that_the_layout_knows(void **state)
{
	const char *const members[] = { "c", "a" };
	const struct type *after =
		edit_one(&mixed, (struct edit){ EDIT_GROUP, .name = "hot", .align = 64,
						.members = members, .nr_members = 2 });

	(void)state;
	assert_int_equal(after->nr_fields, 6);
	assert_string_equal(after->fields[0].name, "b");
	assert_string_equal(field_group_begin(&after->fields[1]), "hot");
	assert_string_equal(field_group_end(&after->fields[4]), "hot");
	member_at(after, "c", 64);
	member_at(after, "a", 72);
	member_at(after, "d", 73);
}

static void what_is_split_off_is_reached_by_a_pointer(void **state)
{
	const char *const members[] = { "a", "c" };
	const struct edit edit = { EDIT_SPLIT, .name = "cold", .type_name = "mixed_cold",
				   .members = members, .nr_members = 2 };
	struct edited edited = edit_to(&mixed, &edit, 1);

	(void)state;
	member_at(edited.type, "cold", 0);
	member_at(edited.type, "b", 8);
	member_at(edited.type, "d", 12);
	assert_int_equal(edited.type->size, 16);
	assert_string_equal(edited.split->name, "mixed_cold");
	member_at(edited.split, "c", 8);
	assert_int_equal(edited.split->size, 16);
}

static void edits_add_up(void **state)
{
	const struct edit edits[] = {
		{ EDIT_INSERT, .member = "a", .side = EDIT_AFTER, .name = "x", .bytes = 8 },
		{ EDIT_REMOVE, .member = "b" },
		{ EDIT_ALIGN_MEMBER, .member = "x", .align = 16 },
		{ EDIT_RETYPE, .member = "c", .type = &type_char },
	};
	const struct type *after = edit_to(&mixed, edits, array_size(edits)).type;

	(void)state;
	member_at(after, "x", 16);
	member_at(after, "c", 24);
	member_at(after, "d", 25);
	assert_int_equal(after->size, 32);
}

/* struct { int a; union { struct { int b; long c; }; struct { int b; long c; } g; }; } */
static void both_halves_of_a_struct_group_change(void **state)
{
	const struct type half =
		STRUCT(NULL, 16, FIELD("b", &type_int, 0), FIELD("c", &type_long, 8));
	const struct type named =
		STRUCT(NULL, 16, FIELD("b", &type_int, 0), FIELD("c", &type_long, 8));
	const struct type group = UNION(NULL, 16, FIELD(NULL, &half, 0), FIELD("g", &named, 0));
	const struct type type = STRUCT("s", 24, FIELD("a", &type_int, 0), FIELD(NULL, &group, 8));
	const struct type *after = edit_one(
		&type, (struct edit){ EDIT_INSERT, .member = "c", .name = "x", .bytes = 8 });
	const struct type *inside = after->fields[1].type;

	(void)state;
	member_at(after, "c", 8 + 16);
	assert_int_equal(inside->fields[1].type->nr_fields, 3);
	assert_int_equal(inside->size, 24);
	assert_int_equal(after->size, 32);
}

/* struct { char a; struct { int b; }; int c; } */
static void an_anonymous_struct_is_reached_from_inside(void **state)
{
	const struct type inner = STRUCT(NULL, 4, FIELD("b", &type_int, 0));
	const struct type type = STRUCT("s", 12, FIELD("a", &type_char, 0), FIELD(NULL, &inner, 4),
					FIELD("c", &type_int, 8));
	const struct type *after = edit_one(
		&type, (struct edit){ EDIT_ALIGN_TYPE, .member = "b", .outward = 1, .align = 32 });

	(void)state;
	member_at(after, "b", 32);
	member_at(after, "c", 64);
	after = edit_one(&type, (struct edit){ EDIT_REMOVE, .member = "b", .outward = 1 });
	member_at(after, "c", 4);
	refuses(&type, (struct edit){ EDIT_REMOVE, .member = "b", .outward = 2 }, "1 anonymous");
	refuses(&type, (struct edit){ EDIT_MOVE, .member = "a", .anchor = "a" }, "same struct");
}

static void bit_fields_find_their_units_anew(void **state)
{
	const struct type type = STRUCT("s", 8, BITS("a", &type_int, 0, 20),
					BITS("b", &type_int, 20, 10), FIELD("c", &type_int, 4));
	const struct type *after = edit_one(
		&type, (struct edit){ EDIT_INSERT, .member = "a", .name = "x", .bytes = 1 });

	(void)state;
	assert_int_equal(offset_of(after, "a"), 8);
	assert_int_equal(offset_of(after, "b"), 32);
	member_at(after, "c", 8);
	after = edit_one(&type, (struct edit){ EDIT_REMOVE, .member = "a" });
	assert_int_equal(offset_of(after, "b"), 0);
}

static void what_would_not_compile_is_refused(void **state)
{
	const struct type type =
		STRUCT("s", 8, BITS("bits", &type_int, 0, 20), FIELD("c", &type_int, 4),
		       FIELD("rest", ARRAY(&type_char, TYPE_COUNT_FLEXIBLE), 8));
	const char *const twice[] = { "c", "c" };

	(void)state;
	refuses(&type, (struct edit){ EDIT_WRAP, .member = "bits", .name = "pad", .bytes = 8 },
		"bit-field");
	refuses(&type, (struct edit){ EDIT_WRAP, .member = "rest", .name = "pad", .bytes = 8 },
		"flexible array");
	refuses(&type,
		(struct edit){ EDIT_INSERT, .member = "rest", .side = EDIT_AFTER, .name = "x" },
		"must stay last");
	refuses(&type, (struct edit){ EDIT_MOVE, .member = "rest", .anchor = "c" },
		"must stay last");
	refuses(&type, (struct edit){ EDIT_INSERT, .member = "c", .name = "bits", .bytes = 1 },
		"'bits' already");
	refuses(&type, (struct edit){ EDIT_REMOVE, .member = "none" }, "no member 'none'");
	refuses(&type, (struct edit){ EDIT_ALIGN_MEMBER, .member = "c", .align = 24 },
		"power of two");
	refuses(&type, (struct edit){ EDIT_ALIGN_MEMBER, .member = "bits", .align = 2 },
		"compilers differ");
	refuses(&type, (struct edit){ EDIT_GROUP, .name = "g", .members = twice, .nr_members = 2 },
		"listed twice");
	refuses(&type, (struct edit){ EDIT_ORDER, .members = twice, .nr_members = 1 }, "1 of 3");
	refuses(&type,
		(struct edit){ EDIT_INSERT, .member = "c", .name = "x", .bytes = 1ull << 40 },
		"bytes");
}

static void a_doubt_comes_with_the_result_that_it_changes(void **state)
{
	const struct type tight =
		STRUCT("tight", 16, FIELD("a", &type_long, 0), FIELD("b", &type_long, 8));
	struct edit edit = { EDIT_INSERT, .member = "b", .name = "x", .bytes = 8 };
	struct edited edited = edit_to(&tight, &edit, 1);

	(void)state;
	assert_null(edited.doubt);
	edit.bytes = 1;
	edited = edit_to(&tight, &edit, 1);
	member_at(edited.type, "b", 16);
	assert_non_null(strstr(edited.doubt, "'b' depends on whether it is packed"));
	edited = edit_to(&mixed, &(struct edit){ EDIT_REMOVE, .member = "a" }, 1);
	assert_null(edited.doubt);
}

/* Each with an engine of its own: it knows types by their address, and theirs are on the stack. */
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_pad_beside_a_struct_moves_the_next),
		TEST(a_pad_rounded_up_follows_the_size_of_what_it_pads),
		TEST(the_type_before_an_edit_stays_as_it_is),
		TEST(bytes_go_before_and_after_a_member),
		TEST(a_member_comes_with_the_alignment_of_its_type),
		TEST(an_aligned_member_aligns_the_struct),
		TEST(members_move_and_change_order),
		TEST(a_group_stands_between_markers_that_the_layout_knows),
		TEST(what_is_split_off_is_reached_by_a_pointer),
		TEST(edits_add_up),
		TEST(both_halves_of_a_struct_group_change),
		TEST(an_anonymous_struct_is_reached_from_inside),
		TEST(bit_fields_find_their_units_anew),
		TEST(what_would_not_compile_is_refused),
		TEST(a_doubt_comes_with_the_result_that_it_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
