/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/layout_text.h"
#include "support/types.h"

static const struct layout_text_options by_default = {
	.view = { .cacheline = 64 },
	.expand = LAYOUT_EXPAND_LARGE,
	.number = 1,
	.nr_numbers = 1,
};

static void print(struct text *text, const struct type *type,
		  const struct layout_text_options *options)
{
	const struct typeset set = typeset_of_test();
	const struct definition definition = { .type = type, .nr_units = 2 };

	layout_text_print(text, &set, &definition, options);
}

static void expect_lines(const struct text *text, const char *const *lines)
{
	const char *from = text_chars(text);

	for (; *lines; lines++) {
		const char *at = strstr(from, *lines);

		if (!at)
			fail_msg("not there, or not in this place: %s\nin:\n%s", *lines,
				 text_chars(text));
		from = at + strlen(*lines);
	}
}

#define EXPECT(text, ...) expect_lines(text, (const char *const[]){ __VA_ARGS__, NULL })

static void a_small_struct_is_shown_whole(void **state)
{
	struct type type =
		STRUCT("small", 16, FIELD("flag", &type_char, 0), FIELD("count", &type_int, 4),
		       BITS("low", &type_int, 64, 3), FIELD("last", &type_short, 10));
	auto_text struct text text = {};

	(void)state;
	type.file = "lib/small.c";
	type.line = 7;
	print(&text, &type, &by_default);
	assert_string_equal(text_chars(&text),
			    "struct small: 16 bytes, alignment 4, 1 line of 64 (1 of 128)\n"
			    "lib/small.c:7, in 2 units\n"
			    "\n"
			    "  offset +line  size  field                 type\n"
			    "line 0: bytes 0..15\n"
			    "       0    +0     1  flag                  char\n"
			    "       1    +1     3  -- hole --\n"
			    "       4    +4     4  count                 int\n"
			    "     8:0    +8    :3  low                   int\n"
			    "     8:3    +8   :13  -- hole --\n"
			    "      10   +10     2  last                  short int\n"
			    "      12   +12     4  -- padding --\n"
			    "\n"
			    "unused: 4 bytes 5 bits in 2 holes, 4 bytes of padding\n"
			    "straddling: nothing\n");
}

/* What embeds: 24 bytes, then a struct of 96 bytes whose field at 32 takes 16. */
#define PHASED(name)                                                                           \
	const struct type name##_pair =                                                        \
		STRUCT("pair", 16, FIELD("a", &type_long, 0), FIELD("b", &type_long, 8));      \
	const struct type name##_inner =                                                       \
		STRUCT("inner", 96, FIELD("head", ARRAY(&type_long, 4), 0),                    \
		       FIELD("broken", &name##_pair, 32), FIELD("saved", &name##_pair, 56),    \
		       FIELD("tail", ARRAY(&type_long, 3), 72));                               \
	const struct type name = STRUCT("outer", 120, FIELD("start", ARRAY(&type_long, 3), 0), \
					FIELD("in", &name##_inner, 24))

static void an_embedded_struct_says_what_its_start_does_to_its_fields(void **state)
{
	auto_text struct text text = {};
	PHASED(outer);

	(void)state;
	print(&text, &outer, &by_default);
	EXPECT(&text, "  <- starts at line 0 + 24\n",
	       "!     56   +56    16    broken              struct pair  <- straddles lines 0-1, "
	       "because of where in starts\n",
	       "line 1: bytes 64..119, in in\n", "      64    +0     8    ... broken\n",
	       "      80   +16    16    saved", "straddling: in.broken\n",
	       "embedded structs that start inside a line:\n", "  in at 24 = line 0 + 24\n",
	       "    straddle because of it: broken (at 32)\n",
	       "    would straddle on a boundary: saved (at 56)\n");
}

static void a_phase_moves_the_lines(void **state)
{
	struct layout_text_options options = by_default;
	auto_text struct text text = {};
	PHASED(outer);

	(void)state;
	options.view.phase = 40;
	print(&text, &outer, &options);
	EXPECT(&text, "120 bytes, alignment 8, 3 lines of 64 (2 of 128)\n",
	       ", the object starts at a line + 40\n", "line 0: bytes 0..23\n",
	       "line 1: bytes 24..87\n", "line 2: bytes 88..119, in in\n");
	assert_null(strstr(text_chars(&text), "because of"));
}

static void embedded_structs_stay_closed_when_told(void **state)
{
	struct layout_text_options options = by_default;
	auto_text struct text text = {};
	PHASED(outer);

	(void)state;
	options.expand = 0;
	print(&text, &outer, &options);
	assert_null(strstr(text_chars(&text), "head"));
	/* 96 bytes at 24 lie on two lines, as many as they need. */
	EXPECT(&text,
	       "      24   +24    96  in                    struct inner  <- lines 0-1, "
	       "8 unused inside\n",
	       "line 1: bytes 64..119: all in\n", "straddle because of it: broken (at 32)");
}

static void lines_that_one_field_fills_are_one_row(void **state)
{
	const struct type type =
		STRUCT("big", 4352, FIELD("head", ARRAY(&type_long, 8), 0),
		       FIELD("name", ARRAY(&type_char, 4160), 64),
		       FIELD("tail", ARRAY(&type_char, 32), 4224), FIELD("end", &type_long, 4344));
	auto_text struct text text = {};

	(void)state;
	print(&text, &type, &by_default);
	EXPECT(&text, "line 1: bytes 64..127\n", "  <- lines 1-65\n",
	       "lines 2-65: bytes 128..4223: all name\n", "line 66: bytes 4224..4287\n",
	       "    4256   +32    88  -- hole --\n", "line 67: bytes 4288..4351\n",
	       "    4288    +0    56  ... -- hole --\n", "    4344   +56     8  end");
}

static void alternatives_stand_behind_bars(void **state)
{
	const struct type first =
		STRUCT(NULL, 16, FIELD("p", &type_short, 0), FIELD("q", &type_long, 8));
	const struct type choice =
		UNION(NULL, 16, FIELD(NULL, &first, 0), FIELD("all", ARRAY(&type_char, 16), 0));
	const struct type type = STRUCT("s", 16, FIELD(NULL, &choice, 0));
	auto_text struct text text = {};

	(void)state;
	print(&text, &type, &by_default);
	EXPECT(&text, "       0    +0    16  (union)\n", "       0    +0    16  | (struct)\n",
	       "       0    +0     2  |   p ", "       2    +2     6  |   -- gap --\n",
	       "       8    +8     8  |   q ", "       0    +0    16  | all ",
	       "unused: no holes, no padding\n");
}

static void the_rest_of_an_alternative_says_what_it_is_in(void **state)
{
	const struct type inside = STRUCT(NULL, 80, FIELD("a", ARRAY(&type_long, 7), 0),
					  FIELD("b", &type_long, 64), FIELD("c", &type_long, 72));
	const struct type choice = UNION("choice", 80, FIELD(NULL, &inside, 0),
					 FIELD("all", ARRAY(&type_long, 10), 0));
	const struct type outer = STRUCT("outer", 80, FIELD(NULL, &inside, 0));
	auto_text struct text text = {}, plain = {};

	(void)state;
	print(&text, &choice, &by_default);
	EXPECT(&text, "line 1: bytes 64..79\n", "      64    +0    16  | ... all\n",
	       "  in (struct)\n", "      64    +0     8  |   b");
	/* Of a struct whose members count as the outer one's there is nothing to say. */
	print(&plain, &outer, &by_default);
	EXPECT(&plain, "      56   +56     8    -- hole --\n", "line 1: bytes 64..79\n",
	       "      64    +0     8    b");
}

static void groups_tell_their_extent(void **state)
{
	const struct type type =
		STRUCT("s", 192, FIELD("cold", &type_long, 0),
		       FIELD("__cacheline_group_begin__rx", ARRAY(&type_char, 0), 64),
		       FIELD("hot", ARRAY(&type_long, 9), 64),
		       FIELD("__cacheline_group_end__rx", ARRAY(&type_char, 0), 136),
		       FIELD("__cacheline_group_begin__tx", ARRAY(&type_char, 0), 136),
		       FIELD("rest", ARRAY(&type_long, 7), 136));
	auto_text struct text text = {};

	(void)state;
	print(&text, &type, &by_default);
	EXPECT(&text, "-- group rx  <- 72 bytes, lines 1-2\n", "-- end of rx\n",
	       "-- group tx  <- never ends\n");
}

static void alignment_and_packing_are_noted(void **state)
{
	struct field fields[] = { FIELD("a", &type_char, 0), FIELD("b", &type_int, 1),
				  FIELD("c", &type_long, 64) };
	const struct type type = {
		.kind = TYPE_STRUCT, .name = "s", .size = 128, .fields = fields, .nr_fields = 3
	};
	auto_text struct text text = {};

	(void)state;
	fields[2].align = 64;
	print(&text, &type, &by_default);
	EXPECT(&text, "alignment 64 (packed)", "long int  <- aligned(64)\n");
}

static void flat_rows_have_their_full_path(void **state)
{
	struct layout_text_options options = by_default;
	auto_text struct text text = {};
	PHASED(outer);

	(void)state;
	options.flat = true;
	print(&text, &outer, &options);
	EXPECT(&text, "  offset  line +line  size  field", "       0     0    +0    24  start",
	       "      56     0   +56     8  in.broken.a",
	       "      64     1    +0     8  in.broken.b");
	assert_null(strstr(text_chars(&text), "hole"));
	assert_null(strstr(text_chars(&text), "line 0:"));
}

static void hexadecimal_is_for_offsets_and_sizes(void **state)
{
	struct layout_text_options options = by_default;
	auto_text struct text text = {};
	PHASED(outer);

	(void)state;
	options.hex = true;
	print(&text, &outer, &options);
	EXPECT(&text, "struct outer: 0x78 bytes", "line 0: bytes 0..0x3f\n",
	       "    0x18 +0x18  0x60  in ");
}

static void colours_mark_what_is_wrong(void **state)
{
	struct layout_text_options options = by_default;
	auto_text struct text text = {};
	PHASED(outer);

	(void)state;
	options.color = true;
	print(&text, &outer, &options);
	EXPECT(&text, "\033[33m!     56", "because of where in starts\033[0m\n");
}

static void of_several_definitions_each_has_its_number(void **state)
{
	struct layout_text_options options = by_default;
	auto_text struct text text = {};
	PHASED(outer);

	(void)state;
	options.number = 2;
	options.nr_numbers = 3;
	print(&text, &outer, &options);
	EXPECT(&text, ", definition 2 of 3\n");
}

static void a_flexible_array_at_the_end_is_on_the_last_line(void **state)
{
	const struct type type = STRUCT("s", 64, FIELD("a", ARRAY(&type_long, 8), 0),
					FIELD("rest", ARRAY(&type_char, TYPE_COUNT_FLEXIBLE), 64));
	auto_text struct text text = {};

	(void)state;
	print(&text, &type, &by_default);
	EXPECT(&text, "line 0: bytes 0..63\n",
	       "      64    +0     0  rest                  char[]\n");
	assert_null(strstr(text_chars(&text), "line 1"));
}

static void a_virtual_base_has_no_offset(void **state)
{
	const struct type base = STRUCT("base", 8, FIELD("x", &type_long, 0));
	const struct type type = STRUCT(
		"s", 24, FIELD("a", &type_long, 0),
		{ .kind = FIELD_VIRTUAL_BASE, .type = &base, .offset_bits = FIELD_OFFSET_UNKNOWN });
	auto_text struct text text = {};

	(void)state;
	print(&text, &type, &by_default);
	EXPECT(&text, "where the complete object has them\n",
	       "       ?                 8  (virtual base base)   struct base\n");
}

static void members_of_no_size_are_shown_in_a_struct_of_none(void **state)
{
	const struct type type = STRUCT("s", 0, FIELD("rest", ARRAY(&type_char, 0), 0));
	auto_text struct text text = {};

	(void)state;
	print(&text, &type, &by_default);
	EXPECT(&text, "line 0\n", "       0    +0     0  rest ");
}

static void an_empty_struct_has_a_title_only(void **state)
{
	const struct type type = { .kind = TYPE_STRUCT, .name = "none" };
	auto_text struct text text = {};

	(void)state;
	print(&text, &type, &by_default);
	assert_string_equal(text_chars(&text),
			    "struct none: 0 bytes, alignment 1, 0 lines of 64 (0 of 128)\n"
			    "in vmlinux (dwarf), in 2 units\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_struct_is_shown_whole),
		cmocka_unit_test(an_embedded_struct_says_what_its_start_does_to_its_fields),
		cmocka_unit_test(a_phase_moves_the_lines),
		cmocka_unit_test(embedded_structs_stay_closed_when_told),
		cmocka_unit_test(lines_that_one_field_fills_are_one_row),
		cmocka_unit_test(alternatives_stand_behind_bars),
		cmocka_unit_test(the_rest_of_an_alternative_says_what_it_is_in),
		cmocka_unit_test(groups_tell_their_extent),
		cmocka_unit_test(alignment_and_packing_are_noted),
		cmocka_unit_test(flat_rows_have_their_full_path),
		cmocka_unit_test(hexadecimal_is_for_offsets_and_sizes),
		cmocka_unit_test(colours_mark_what_is_wrong),
		cmocka_unit_test(of_several_definitions_each_has_its_number),
		cmocka_unit_test(a_flexible_array_at_the_end_is_on_the_last_line),
		cmocka_unit_test(a_virtual_base_has_no_offset),
		cmocka_unit_test(members_of_no_size_are_shown_in_a_struct_of_none),
		cmocka_unit_test(an_empty_struct_has_a_title_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
