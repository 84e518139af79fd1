/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "btf_reading.h"

/* Each case runs in both byte orders: its state says which. */
static struct builder start(void **state)
{
	return builder_init(*(bool *)*state);
}

static void struct_has_its_members_places(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t integer = add_int(&builder, "int", 4), byte = add_int(&builder, "char", 1);
	auto_typeset struct typeset set = {};
	const struct type *type;

	add_type(&builder, "s", BTF_KIND_STRUCT, 2, 8);
	add_member(&builder, "c", byte, 0);
	add_member(&builder, "i", integer, 32);
	set = read_types(&builder, "s");
	type = only_type(&set);
	assert_int_equal(type->kind, TYPE_STRUCT);
	assert_string_equal(type->name, "s");
	assert_int_equal(type->size, 8);
	assert_int_equal(type->nr_fields, 2);
	assert_field(type, 0, "char c", 0, 0);
	assert_field(type, 1, "int i", 32, 0);
	assert_int_equal(type_size(type->fields[1].type), 4);
	assert_int_equal(type->hash, type_hash(type));
	assert_int_not_equal(type->hash, 0);
}

static void bit_field_has_offset_and_width(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t integer = add_int(&builder, "unsigned int", 4);
	auto_typeset struct typeset set = {};
	const struct type *type;

	add_flagged_type(&builder, "s", BTF_KIND_STRUCT, 2, 8, KIND_FLAG);
	add_member(&builder, "bits", integer, 5 << 24 | 3);
	add_member(&builder, "whole", integer, 32);
	set = read_types(&builder, "s");
	type = only_type(&set);
	assert_field(type, 0, "unsigned int bits", 3, 5);
	assert_field(type, 1, "unsigned int whole", 32, 0);
}

static void older_bit_field_takes_offset_and_width_from_its_int(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t bits = add_bits_int(&builder, "int", 4, 2, 7);
	uint32_t alias = add_type(&builder, "bits_t", BTF_KIND_TYPEDEF, 0, bits);
	uint32_t constant = add_type(&builder, "", BTF_KIND_CONST, 0, alias);
	auto_typeset struct typeset set = {};
	const struct type *type;

	add_type(&builder, "s", BTF_KIND_STRUCT, 2, 8);
	add_member(&builder, "a", bits, 0);
	add_member(&builder, "b", constant, 32);
	set = read_types(&builder, "s");
	type = only_type(&set);
	assert_field(type, 0, "int a", 2, 7);
	assert_field(type, 1, "const bits_t b", 34, 7);
}

static void array_of_arrays_has_several_dimensions(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t integer = add_int(&builder, "int", 4);
	uint32_t inner = add_array(&builder, integer, 3);
	auto_typeset struct typeset set = {};

	add_struct_of(&builder, "s", 24, "a", add_array(&builder, inner, 2));
	set = read_types(&builder, "s");
	assert_field(only_type(&set), 0, "int a[2][3]", 0, 0);
	assert_int_equal(field_width_bits(&only_type(&set)->fields[0]), 192);
}

static void array_of_a_typedef_of_an_array_keeps_the_typedef(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t inner = add_array(&builder, add_int(&builder, "int", 4), 3);
	uint32_t alias = add_type(&builder, "triple", BTF_KIND_TYPEDEF, 0, inner);
	auto_typeset struct typeset set = {};

	add_struct_of(&builder, "s", 24, "a", add_array(&builder, alias, 2));
	set = read_types(&builder, "s");
	assert_field(only_type(&set), 0, "triple a[2]", 0, 0);
}

static void only_a_last_array_without_elements_is_flexible(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t empty = add_array(&builder, add_int(&builder, "int", 4), 0);
	auto_typeset struct typeset set = {};
	const struct type *type;

	add_type(&builder, "s", BTF_KIND_STRUCT, 2, 0);
	add_member(&builder, "marker", empty, 0);
	add_member(&builder, "data", empty, 0);
	set = read_types(&builder, "s");
	type = only_type(&set);
	assert_field(type, 0, "int marker[0]", 0, 0);
	assert_field(type, 1, "int data[]", 0, 0);
	assert_false(field_is_flexible(&type->fields[0]));
	assert_true(field_is_flexible(&type->fields[1]));
}

static void last_group_marker_and_union_members_are_not_flexible(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t empty = add_array(&builder, add_int(&builder, "u8", 1), 0);
	auto_typeset struct typeset set = {};

	add_type(&builder, "a", BTF_KIND_STRUCT, 1, 0);
	add_member(&builder, "__cacheline_group_end__read", empty, 0);
	add_type(&builder, "b", BTF_KIND_UNION, 1, 0);
	add_member(&builder, "bytes", empty, 0);
	set = read_types(&builder, NULL);
	assert_field(set.definitions.items[0].type, 0, "u8 __cacheline_group_end__read[0]", 0, 0);
	assert_field(set.definitions.items[1].type, 0, "u8 bytes[0]", 0, 0);
}

static void pointee_is_only_named(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t self = add_int(&builder, "long int", 8) + 2;
	uint32_t pointer = add_type(&builder, "", BTF_KIND_PTR, 0, self);
	auto_typeset struct typeset set = {};
	const struct type *target;

	add_struct_of(&builder, "node", 8, "next", pointer);
	set = read_types(&builder, "node");
	assert_field(only_type(&set), 0, "struct node *next", 0, 0);
	target = only_type(&set)->fields[0].type->target;
	assert_true(target->incomplete);
	assert_int_equal(target->nr_fields, 0);
	assert_int_equal(target->size, TYPE_SIZE_UNKNOWN);
}

static void pointee_without_a_name_is_read(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t integer = add_int(&builder, "int", 4);
	uint32_t nameless = add_struct_of(&builder, "", 4, "x", integer);
	uint32_t pointer = add_type(&builder, "", BTF_KIND_PTR, 0, nameless);
	auto_typeset struct typeset set = {};
	const struct type *target;

	add_struct_of(&builder, "s", 8, "p", pointer);
	set = read_types(&builder, "s");
	target = only_type(&set)->fields[0].type->target;
	assert_false(target->incomplete);
	assert_field(target, 0, "int x", 0, 0);
}

/* typedef struct { struct list *(the typedef) next; } list: a pointer leads back to its struct. */
static void typedef_of_a_nameless_struct_may_point_to_itself(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t pointer = add_type(&builder, "", BTF_KIND_PTR, 0, 3);
	auto_typeset struct typeset set = {};

	add_struct_of(&builder, "", 8, "next", pointer);
	add_type(&builder, "list", BTF_KIND_TYPEDEF, 0, 2);
	set = read_types(&builder, "list");
	assert_field(only_type(&set), 0, "list *next", 0, 0);
}

static void every_kind_of_type_is_read(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t real = add_type(&builder, "double", BTF_KIND_FLOAT, 0, 8);
	uint32_t color = add_type(&builder, "color", BTF_KIND_ENUM, 0, 4);
	uint32_t big = add_type(&builder, "big", BTF_KIND_ENUM64, 0, 8);
	uint32_t forward = add_type(&builder, "hidden", BTF_KIND_FWD, 0, 0);
	uint32_t forward_union = add_flagged_type(&builder, "u", BTF_KIND_FWD, 0, 0, KIND_FLAG);
	uint32_t to_forward = add_type(&builder, "", BTF_KIND_PTR, 0, forward);
	uint32_t restricted = add_type(&builder, "", BTF_KIND_RESTRICT, 0, to_forward);
	uint32_t to_union = add_type(&builder, "", BTF_KIND_PTR, 0, forward_union);
	uint32_t to_void = add_type(&builder, "", BTF_KIND_PTR, 0, 0);
	uint32_t fixed = add_type(&builder, "", BTF_KIND_CONST, 0, real);
	uint32_t hot = add_type(&builder, "", BTF_KIND_VOLATILE, 0, color);
	auto_typeset struct typeset set = {};
	const struct type *type;

	add_type(&builder, "s", BTF_KIND_STRUCT, 6, 56);
	add_member(&builder, "a", fixed, 0);
	add_member(&builder, "b", hot, 64);
	add_member(&builder, "c", big, 128);
	add_member(&builder, "d", restricted, 192);
	add_member(&builder, "e", to_union, 256);
	add_member(&builder, "f", to_void, 320);
	set = read_types(&builder, "s");
	type = only_type(&set);
	assert_field(type, 0, "const double a", 0, 0);
	assert_field(type, 1, "volatile enum color b", 64, 0);
	assert_field(type, 2, "enum big c", 128, 0);
	assert_field(type, 3, "struct hidden * restrict d", 192, 0);
	assert_field(type, 4, "union u *e", 256, 0);
	assert_field(type, 5, "void *f", 320, 0);
	assert_int_equal(type_size(type->fields[0].type), 8);
	assert_int_equal(type_size(type->fields[1].type), 4);
	assert_int_equal(type_size(type->fields[2].type), 8);
}

static void function_pointer_has_parameters(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t integer = add_int(&builder, "int", 4);
	uint32_t record = add_type(&builder, "record", BTF_KIND_STRUCT, 0, 0);
	uint32_t to_record = add_type(&builder, "", BTF_KIND_PTR, 0, record);
	uint32_t function = add_type(&builder, "", BTF_KIND_FUNC_PROTO, 3, integer);
	auto_typeset struct typeset set = {};

	add_word(&builder, add_string(&builder, "where"));
	add_word(&builder, to_record);
	add_word(&builder, 0);
	add_word(&builder, integer);
	add_word(&builder, 0); /* ... */
	add_word(&builder, 0);
	add_struct_of(&builder, "s", 8, "call", add_type(&builder, "", BTF_KIND_PTR, 0, function));
	set = read_types(&builder, "s");
	assert_field(only_type(&set), 0, "int (*call)(struct record *, int, ...)", 0, 0);
}

static void type_tags_are_seen_through(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t tagged_void = add_type(&builder, "percpu", BTF_KIND_TYPE_TAG, 0, 0);
	uint32_t integer = add_int(&builder, "int", 4);
	uint32_t tagged = add_type(&builder, "user", BTF_KIND_TYPE_TAG, 0, integer);
	auto_typeset struct typeset set = {};

	add_type(&builder, "s", BTF_KIND_STRUCT, 2, 16);
	add_member(&builder, "p", builder.last_id + 1, 0);
	add_member(&builder, "q", builder.last_id + 2, 64);
	add_type(&builder, "", BTF_KIND_PTR, 0, tagged_void);
	add_type(&builder, "", BTF_KIND_PTR, 0, tagged);
	set = read_types(&builder, "s");
	assert_field(only_type(&set), 0, "void *p", 0, 0);
	assert_field(only_type(&set), 1, "int *q", 64, 0);
}

static void embedded_struct_is_read_whole(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t integer = add_int(&builder, "int", 4);
	uint32_t inner = add_struct_of(&builder, "inner", 4, "x", integer);
	uint32_t alias = add_type(&builder, "inner_t", BTF_KIND_TYPEDEF, 0, inner);
	auto_typeset struct typeset set = {};
	const struct type *embedded;

	add_struct_of(&builder, "s", 12, "in", add_array(&builder, alias, 3));
	set = read_types(&builder, "s");
	assert_field(only_type(&set), 0, "inner_t in[3]", 0, 0);
	embedded = type_strip(type_strip(only_type(&set)->fields[0].type)->target);
	assert_false(embedded->incomplete);
	assert_field(embedded, 0, "int x", 0, 0);
}

static void type_inside_itself_is_refused(void **state)
{
	auto_builder struct builder in_struct = start(state), in_array = start(state);
	auto_builder struct builder in_const = start(state), in_pointer = start(state);

	add_struct_of(&in_struct, "s", 8, "self", 1);
	assert_refused(&in_struct, NULL, "s", "type 1 contains itself");
	add_struct_of(&in_array, "s", 8, "a", 2);
	add_array(&in_array, 2, 4);
	assert_refused(&in_array, NULL, "s", "array 2 has too many dimensions");
	add_struct_of(&in_const, "s", 8, "c", 2);
	add_type(&in_const, "", BTF_KIND_CONST, 0, 3);
	add_type(&in_const, "", BTF_KIND_CONST, 0, 2);
	assert_refused(&in_const, NULL, "s", "type 2 contains itself");
	add_struct_of(&in_pointer, "s", 8, "p", 2);
	add_type(&in_pointer, "", BTF_KIND_PTR, 0, 2);
	assert_refused(&in_pointer, NULL, "s", "contains itself");
}

static void deep_nesting_is_refused(void **state)
{
	auto_builder struct builder builder = start(state);

	add_struct_of(&builder, "s", 8, "deep", 2);
	for (uint32_t i = 0; i < 100000; i++)
		add_type(&builder, "", i % 2 ? BTF_KIND_PTR : BTF_KIND_CONST, 0, i + 3);
	add_int(&builder, "int", 4);
	assert_refused(&builder, NULL, "s", "nest too deep");
}

/* Each struct has two of the next: 2^50 fields. Behind pointers: functions of functions. */
static void unfolding_without_end_is_refused(void **state)
{
	auto_builder struct builder by_value = start(state), by_name = start(state);

	for (uint32_t i = 1; i <= 50; i++) {
		add_type(&by_value, "s", BTF_KIND_UNION, 2, 8);
		add_member(&by_value, "a", i + 1, 0);
		add_member(&by_value, "b", i + 1, 0);
	}
	add_int(&by_value, "int", 4);
	assert_refused(&by_value, NULL, "union s", "unfolds to more than");
	add_struct_of(&by_name, "s", 8, "a", 2);
	for (uint32_t i = 2; i < 60; i += 2) {
		add_type(&by_name, "", BTF_KIND_PTR, 0, i + 1);
		add_type(&by_name, "", BTF_KIND_FUNC_PROTO, 2, i + 2);
		for (int parameter = 0; parameter < 2; parameter++) {
			add_word(&by_name, 0);
			add_word(&by_name, i + 2);
		}
	}
	add_int(&by_name, "int", 4);
	assert_refused(&by_name, NULL, "s", "unfolds to more than");
}

static void member_of_no_possible_type_is_refused(void **state)
{
	auto_builder struct builder of_void = start(state), of_array = start(state);
	auto_builder struct builder of_function = start(state), of_nothing = start(state);
	auto_builder struct builder nameless = start(state);

	add_struct_of(&of_void, "s", 8, "v", 0);
	assert_refused(&of_void, NULL, "s", "type 1 has a member of type void");
	add_struct_of(&of_array, "s", 8, "a", 2);
	add_array(&of_array, 0, 3);
	assert_refused(&of_array, NULL, "s", "type 2 is an array of void");
	add_struct_of(&of_function, "s", 8, "f", 2);
	add_type(&of_function, "main", BTF_KIND_FUNC, 0, 0);
	assert_refused(&of_function, NULL, "s", "type 2 is of kind 12");
	add_struct_of(&of_nothing, "s", 8, "x", 77);
	assert_refused(&of_nothing, NULL, "s", "type 77 is used, but ids end at 1");
	add_type(&nameless, "s", BTF_KIND_STRUCT, 1, 8);
	add_word(&nameless, 1000);
	add_word(&nameless, 2);
	add_word(&nameless, 0);
	add_int(&nameless, "int", 4);
	assert_refused(&nameless, NULL, "s", "type 1: a name at 1000 lies outside");
}

/* Ten thousand names that are ends of one string of 20 kB would be 100 MB if each was copied. */
static void names_that_share_a_string_are_kept_once(void **state)
{
	auto_builder struct builder builder = start(state);
	uint32_t integer = add_int(&builder, "int", 4), at;
	auto_text struct text name = {};
	auto_typeset struct typeset set = {};
	const struct type *type;

	text_pad(&name, 'n', 20000);
	add_type(&builder, "s", BTF_KIND_STRUCT, 10000, 40000);
	at = add_string(&builder, text_chars(&name));
	for (uint32_t i = 0; i < 10000; i++) {
		add_word(&builder, at + i);
		add_word(&builder, integer);
		add_word(&builder, 32 * i);
	}
	set = read_types(&builder, "s");
	type = only_type(&set);
	assert_int_equal(strlen(type->fields[0].name), 20000);
	assert_int_equal(strlen(type->fields[9999].name), 10001);
	assert_ptr_equal(type->fields[9000].name + 1, type->fields[9001].name);
}

#define BOTH(test)                                            \
	{ #test, test, NULL, NULL, &little },                 \
	{                                                     \
#test " (big-endian)", test, NULL, NULL, &big \
	}

int main(void)
{
	static bool little = false, big = true;
	const struct CMUnitTest tests[] = {
		BOTH(struct_has_its_members_places),
		BOTH(bit_field_has_offset_and_width),
		BOTH(older_bit_field_takes_offset_and_width_from_its_int),
		BOTH(array_of_arrays_has_several_dimensions),
		BOTH(array_of_a_typedef_of_an_array_keeps_the_typedef),
		BOTH(only_a_last_array_without_elements_is_flexible),
		BOTH(last_group_marker_and_union_members_are_not_flexible),
		BOTH(pointee_is_only_named),
		BOTH(pointee_without_a_name_is_read),
		BOTH(typedef_of_a_nameless_struct_may_point_to_itself),
		BOTH(every_kind_of_type_is_read),
		BOTH(function_pointer_has_parameters),
		BOTH(type_tags_are_seen_through),
		BOTH(embedded_struct_is_read_whole),
		BOTH(type_inside_itself_is_refused),
		BOTH(deep_nesting_is_refused),
		BOTH(unfolding_without_end_is_refused),
		BOTH(member_of_no_possible_type_is_refused),
		BOTH(names_that_share_a_string_are_kept_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
