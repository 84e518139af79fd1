/* SPDX-License-Identifier: GPL-2.0-only */
/* What is written must be what jansson reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "report/layout_json.h"
#include "report/list_json.h"
#include "support/types.h"

static json_t *parse(const struct text *text)
{
	json_error_t error;
	json_t *root = json_loads(text_chars(text), JSON_REJECT_DUPLICATES, &error);

	if (!root)
		fail_msg("%s at %d:%d in\n%s", error.text, error.line, error.column,
			 text_chars(text));
	return root;
}

static json_t *layout_of(const struct type *type, struct view view)
{
	static const char *const notes[] = { "a \"note\"", NULL };
	struct typeset set = typeset_of_test();
	const struct definition definition = { .type = type, .nr_units = 3 };
	auto_text struct text text = {};
	struct json json = { .text = &text };

	set.notes = notes;
	layout_json_begin(&json, &set, view);
	layout_json_add(&json, &set, &definition, view, 1, 2);
	layout_json_add(&json, &set, &definition, view, 2, 2);
	layout_json_end(&json);
	return parse(&text);
}

static const struct view lines_of_64 = { .cacheline = 64 };

static json_t *struct_of(json_t *root)
{
	return json_array_get(json_object_get(root, "structs"), 0);
}

static json_t *member_of(json_t *aggregate, size_t at)
{
	return json_array_get(json_object_get(aggregate, "members"), at);
}

/* Checks the values of an object; json_unpack() fails where one is missing or of another type. */
#define EXPECT_UNPACK(object, ...)                                   \
	do {                                                         \
		json_error_t _error;                                 \
		if (json_unpack_ex(object, &_error, 0, __VA_ARGS__)) \
			fail_msg("%s", _error.text);                 \
	} while (0)

static void the_source_is_described(void **state)
{
	const struct type type = STRUCT("s", 8, FIELD("a", &type_long, 0));
	json_t *root = layout_of(&type, (struct view){ 128, 24 });
	const char *schema, *path, *endian, *arch, *note;
	int pointer_size, cacheline, view_cacheline, phase;

	(void)state;
	EXPECT_UNPACK(root, "{s:s, s:{s:s, s:s, s:s, s:i, s:i, s:n}, s:{s:i, s:i}, s:[s]}",
		      "schema", &schema, "source", "path", &path, "endian", &endian, "arch", &arch,
		      "pointer_size", &pointer_size, "cacheline", &cacheline, "build_id", "view",
		      "cacheline", &view_cacheline, "phase", &phase, "notes", &note);
	assert_string_equal(schema, "fieldline.layout/1");
	assert_string_equal(path, "vmlinux");
	assert_string_equal(endian, "little");
	assert_string_equal(arch, "x86_64");
	assert_string_equal(note, "a \"note\"");
	assert_int_equal(pointer_size, 8);
	assert_int_equal(cacheline, 64);
	assert_int_equal(view_cacheline, 128);
	assert_int_equal(phase, 24);
	assert_int_equal(json_array_size(json_object_get(root, "structs")), 2);
	json_decref(root);
}

static void holes_are_split_into_bytes_and_bits(void **state)
{
	const struct type type =
		STRUCT("s", 24, FIELD("a", &type_char, 0), FIELD("b", &type_long, 8),
		       BITS("c", &type_int, 128, 3), FIELD("d", &type_char, 18));
	json_t *root = layout_of(&type, lines_of_64);
	int offset, size, bit_offset, bit_size, second_offset, padding, bit_padding;

	(void)state;
	EXPECT_UNPACK(struct_of(root), "{s:[{s:i, s:i}, {s:i}], s:[{s:i, s:i}], s:i, s:i}", "holes",
		      "offset", &offset, "size", &size, "offset", &second_offset, "bit_holes",
		      "bit_offset", &bit_offset, "bit_size", &bit_size, "padding", &padding,
		      "bit_padding", &bit_padding);
	assert_int_equal(offset, 1);
	assert_int_equal(size, 7);
	assert_int_equal(second_offset, 17);
	assert_int_equal(bit_offset, 131);
	assert_int_equal(bit_size, 5);
	assert_int_equal(padding, 5);
	assert_int_equal(bit_padding, 0);
	json_decref(root);
}

static void nested_offsets_count_from_the_outermost_struct(void **state)
{
	const struct type deep =
		STRUCT(NULL, 16, FIELD("x", &type_long, 0), BITS("y", &type_int, 64, 5));
	const struct type inner =
		STRUCT("inner", 24, FIELD("w", &type_long, 0), FIELD(NULL, &deep, 8));
	const struct type type = STRUCT("outer", 80, FIELD("head", ARRAY(&type_long, 7), 0),
					FIELD("in", &inner, 56));
	json_t *root = layout_of(&type, lines_of_64);
	json_t *in = member_of(struct_of(root), 1), *anonymous = member_of(in, 1);
	int offset, line, straddles, bit_offset, bit_size, size;

	(void)state;
	EXPECT_UNPACK(in, "{s:i, s:i, s:b}", "offset", &offset, "cacheline", &line, "straddles",
		      &straddles);
	assert_int_equal(offset, 56);
	assert_int_equal(line, 0);
	assert_true(straddles);
	EXPECT_UNPACK(anonymous, "{s:n, s:i, s:n, s:n}", "name", "offset", &offset, "bit_offset",
		      "bit_size");
	assert_int_equal(offset, 64);
	EXPECT_UNPACK(member_of(anonymous, 1), "{s:i, s:i, s:i, s:i, s:i, s:b}", "offset", &offset,
		      "size", &size, "bit_offset", &bit_offset, "bit_size", &bit_size, "cacheline",
		      &line, "straddles", &straddles);
	assert_int_equal(offset, 72);
	assert_int_equal(size, 1);
	assert_int_equal(bit_offset, 576);
	assert_int_equal(bit_size, 5);
	assert_int_equal(line, 1);
	assert_false(straddles);
	assert_null(json_object_get(member_of(anonymous, 1), "members"));
	json_decref(root);
}

static void a_virtual_base_has_null_for_an_offset(void **state)
{
	const struct type base = STRUCT("base", 8, FIELD("x", &type_long, 0));
	const struct type type = STRUCT(
		"s", 16,
		{ .kind = FIELD_VIRTUAL_BASE, .type = &base, .offset_bits = FIELD_OFFSET_UNKNOWN });
	json_t *root = layout_of(&type, lines_of_64);
	const char *kind;

	(void)state;
	EXPECT_UNPACK(member_of(struct_of(root), 0), "{s:s, s:n, s:n}", "kind", &kind, "offset",
		      "cacheline");
	assert_string_equal(kind, "virtual_base");
	json_decref(root);
}

static void what_is_only_declared_has_null_for_a_size(void **state)
{
	static const struct type declared = {
		.kind = TYPE_CLASS, .name = "x", .size = TYPE_SIZE_UNKNOWN, .incomplete = true
	};
	const struct type type =
		STRUCT("s", 32, FIELD("x", &declared, 0), FIELD("xs", ARRAY(&declared, 2), 8),
		       FIELD("open", ARRAY(&type_long, TYPE_COUNT_FLEXIBLE), 32));
	json_t *root = layout_of(&type, lines_of_64);
	int offset, size, align;

	(void)state;
	EXPECT_UNPACK(member_of(struct_of(root), 0), "{s:i, s:n, s:n}", "offset", &offset, "size",
		      "align");
	EXPECT_UNPACK(member_of(struct_of(root), 1), "{s:n, s:n}", "size", "align");
	/* An array without elements has a size: none. */
	EXPECT_UNPACK(member_of(struct_of(root), 2), "{s:i, s:i}", "size", &size, "align", &align);
	assert_int_equal(size, 0);
	assert_int_equal(align, 8);
	json_decref(root);
}

/* Names come from the file as they are; JSON must be UTF-8 all the same. */
static void names_are_escaped(void **state)
{
	const struct type type = STRUCT("s", 8, FIELD("q\"b\\c\n\x01", &type_int, 0),
					FIELD("\xc3\xa9\xff\xc0\xaf", &type_int, 4));
	json_t *root = layout_of(&type, lines_of_64);

	(void)state;
	assert_string_equal(
		json_string_value(json_object_get(member_of(struct_of(root), 0), "name")),
		"q\"b\\c\n\x01");
	assert_string_equal(
		json_string_value(json_object_get(member_of(struct_of(root), 1), "name")),
		"\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	json_decref(root);
}

static void numbers_of_64_bits_are_whole(void **state)
{
	auto_text struct text text = {};
	struct json json = { .text = &text };

	(void)state;
	json_open(&json, NULL, '[');
	json_add_number(&json, NULL, 0);
	json_add_number(&json, NULL, UINT64_MAX);
	json_close(&json, ']');
	assert_string_equal(text_chars(&text), "[0,18446744073709551615]");
}

static void a_listing_tells_where_a_type_is_embedded(void **state)
{
	const struct type type = STRUCT("s", 8, FIELD("a", &type_long, 0));
	const struct definition definition = { .type = &type, .nr_units = 1 };
	const struct typeset set = typeset_of_test();
	struct listed listed = {
		.definition = &definition,
		.number = 1,
		.nr_numbers = 1,
		.statistics = { .size = 200, .nr_lines = 4, .nr_holes = 2, .hole_bytes = 9 },
		.nr_occurrences = 2,
	};
	struct occurrence occurrences[] = { { "in", 72 }, { "base", FIELD_OFFSET_UNKNOWN } };
	const struct listing listing = {
		.view = lines_of_64,
		.contained = "inner",
		.structs = { .items = &listed, .nr = 1 },
		.occurrences = { .items = occurrences, .nr = 2 },
	};
	auto_text struct text text = {};
	int size, hole_bytes, offset, line, phase;
	const char *schema, *path;
	json_t *root;

	(void)state;
	list_json_print(&text, &set, &listing);
	root = parse(&text);
	EXPECT_UNPACK(root, "{s:s, s:[{s:i, s:i, s:[{s:s, s:i, s:i, s:i}, {s:n, s:n, s:n}]}]}",
		      "schema", &schema, "structs", "size", &size, "hole_bytes", &hole_bytes,
		      "contains", "path", &path, "offset", &offset, "cacheline", &line, "phase",
		      &phase, "offset", "cacheline", "phase");
	assert_string_equal(schema, "fieldline.list/1");
	assert_string_equal(path, "in");
	assert_int_equal(size, 200);
	assert_int_equal(hole_bytes, 9);
	assert_int_equal(offset, 72);
	assert_int_equal(line, 1);
	assert_int_equal(phase, 8);
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_source_is_described),
		cmocka_unit_test(holes_are_split_into_bytes_and_bits),
		cmocka_unit_test(nested_offsets_count_from_the_outermost_struct),
		cmocka_unit_test(a_virtual_base_has_null_for_an_offset),
		cmocka_unit_test(what_is_only_declared_has_null_for_a_size),
		cmocka_unit_test(names_are_escaped),
		cmocka_unit_test(numbers_of_64_bits_are_whole),
		cmocka_unit_test(a_listing_tells_where_a_type_is_embedded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
