/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "btf_reading.h"

static struct error *read_blob(const char *chars, size_t length)
{
	/* A buffer of just this length: a sanitizer sees every byte read beyond it. */
	auto_free uint8_t *exact = memory_alloc(length, 1);
	struct btf_input input = { .data = exact, .size = length };
	struct types_request request = {};
	auto_typeset struct typeset set = {};

	memcpy(exact, chars, length);
	return btf_types_read(&input, &request, &set);
}

static void assert_blob_refused(const struct text *blob, size_t length, const char *message)
{
	struct error *err = read_blob(blob->chars, length);

	if (!err)
		fail_msg("%zu bytes read, and not refused with '%s'", length, message);
	if (!strstr(error_message(err), message))
		fail_msg("'%s' does not say '%s'", error_message(err), message);
	error_destroy(err);
}

/* A struct of two ints. */
static struct builder pair(bool big_endian)
{
	struct builder builder = builder_init(big_endian);
	uint32_t integer = add_int(&builder, "int", 4);

	add_type(&builder, "pair", BTF_KIND_STRUCT, 2, 8);
	add_member(&builder, "x", integer, 0);
	add_member(&builder, "y", integer, 32);
	return builder;
}

static void byte_order_is_told_by_the_magic(void **state)
{
	auto_builder struct builder little = pair(false), big = pair(true);
	auto_typeset struct typeset little_set = read_types(&little, "pair");
	auto_typeset struct typeset big_set = read_types(&big, "pair");

	(void)state;
	assert_false(little_set.source.big_endian);
	assert_true(big_set.source.big_endian);
	assert_string_equal(big_set.source.format, "btf");
	assert_int_equal(only_type(&little_set)->hash, only_type(&big_set)->hash);
}

static void longer_header_of_newer_kernels_is_skipped(void **state)
{
	auto_builder struct builder builder = pair(false);
	auto_text struct text blob = builder_finish(&builder), longer = {};

	(void)state;
	text_add_bytes(&longer, blob.chars, 24);
	longer.chars[4] = 32;
	text_add_bytes(&longer, "\0\0\0\0\0\0\0\0", 8);
	text_add_bytes(&longer, blob.chars + 24, blob.length - 24);
	assert_null(read_blob(longer.chars, longer.length));
}

static void file_cut_off_anywhere_is_refused(void **state)
{
	auto_builder struct builder builder = pair(false);
	auto_text struct text blob = builder_finish(&builder);

	(void)state;
	for (size_t length = 0; length < blob.length; length++)
		assert_blob_refused(&blob, length, "BTF");
}

static void damaged_header_is_refused(void **state)
{
	static const struct {
		size_t at;
		char byte;
		const char *message;
	} damages[] = {
		{ 0, 'x', "this is no BTF: it starts with 0xeb78" },
		{ 2, 2, "BTF of version 2" },
		{ 4, 23, "the header is cut off" },
		{ 7, 1, "bytes of types at" },
		{ 8, 100, "bytes of types at" },
		{ 14, 1, "bytes of types at" },
		{ 18, 1, "bytes of strings at" },
		{ 22, 1, "bytes of strings at" },
		{ 12, 51, "type 2 (byte 16 of the types) is cut off" },
		{ 12, 17, "type 2 (byte 16 of the types) is cut off" },
	};
	auto_builder struct builder builder = pair(false);

	(void)state;
	for (size_t i = 0; i < array_size(damages); i++) {
		auto_text struct text blob = builder_finish(&builder);

		assert_int_equal(blob.chars[12], 52);
		blob.chars[damages[i].at] = damages[i].byte;
		assert_blob_refused(&blob, blob.length, damages[i].message);
	}
}

static void last_string_must_end(void **state)
{
	auto_builder struct builder builder = pair(false);
	auto_text struct text blob = builder_finish(&builder);

	(void)state;
	blob.chars[blob.length - 1] = 'y';
	assert_blob_refused(&blob, blob.length, "the last string does not end");
}

static void unknown_kind_is_refused_as_newer(void **state)
{
	static const uint32_t kinds[] = { 0, 20, 31, 127 };

	(void)state;
	for (size_t i = 0; i < array_size(kinds); i++) {
		auto_builder struct builder builder = pair(true);

		add_type(&builder, "odd", kinds[i], 0, 0);
		assert_refused(&builder, NULL, "pair",
			       "type 3 (byte 52 of the types) is of a kind");
		assert_refused(&builder, NULL, "pair", "of a newer kernel");
	}
}

static void count_beyond_the_end_is_refused(void **state)
{
	auto_builder struct builder builder = pair(false);

	(void)state;
	add_type(&builder, "many", BTF_KIND_STRUCT, 0xffffff, 8);
	assert_refused(&builder, NULL, "pair", "type 3 (byte 52 of the types) is cut off");
}

static void count_of_more_than_16_bits_is_read(void **state)
{
	auto_builder struct builder builder = builder_init(false);
	uint32_t integer = add_int(&builder, "int", 4);
	auto_typeset struct typeset set = {};

	(void)state;
	add_type(&builder, "many", BTF_KIND_UNION, 70000, 4);
	for (uint32_t i = 0; i < 70000; i++) {
		add_word(&builder, 0);
		add_word(&builder, integer);
		add_word(&builder, 0);
	}
	set = read_types(&builder, NULL);
	assert_int_equal(only_type(&set)->nr_fields, 70000);
}

static void pointers_are_as_large_as_long(void **state)
{
	static const struct {
		const char *name;
		uint32_t size;
		uint32_t pointer_size;
	} longs[] = {
		{ "long int", 4, 4 }, { "unsigned long", 8, 8 }, { "long unsigned int", 4, 4 },
		{ "long", 8, 8 },     { "long", 16, 8 },	 { "long long int", 4, 8 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(longs); i++) {
		auto_builder struct builder builder = builder_init(false);
		auto_typeset struct typeset set = {};
		uint32_t number = add_int(&builder, longs[i].name, longs[i].size);

		add_struct_of(&builder, "s", 8, "p",
			      add_type(&builder, "", BTF_KIND_PTR, 0, number));
		set = read_types(&builder, "s");
		assert_int_equal(set.source.pointer_size, longs[i].pointer_size);
		assert_int_equal(type_size(only_type(&set)->fields[0].type), longs[i].pointer_size);
	}
}

/* A module's enum, and its struct of a kernel's struct. */
static struct builder module_of(const struct builder *base)
{
	struct builder module = builder_init_split(base);

	add_type(&module, "mode", BTF_KIND_ENUM, 0, 4);
	add_struct_of(&module, "device", 8, "place", 2);
	return module;
}

static void split_btf_continues_ids_and_names_of_its_base(void **state)
{
	for (int big_endian = 0; big_endian < 2; big_endian++) {
		auto_builder struct builder base = pair(big_endian), module = module_of(&base);
		auto_typeset struct typeset set = {};

		(void)state;
		assert_null(try_read(&module, &base, "device", &set));
		assert_field(only_type(&set), 0, "struct pair place", 0, 0);
		assert_field(only_type(&set)->fields[0].type, 1, "int y", 32, 0);
	}
}

static void everything_of_a_module_is_what_it_adds(void **state)
{
	auto_builder struct builder base = pair(false), module = module_of(&base);
	auto_typeset struct typeset all = {}, from_base = {};

	(void)state;
	assert_null(try_read(&module, &base, NULL, &all));
	assert_int_equal(all.definitions.nr, 1);
	assert_definition(&all, 0, "device");
	assert_null(try_read(&module, &base, "pair", &from_base));
	assert_definition(&from_base, 0, "pair");
}

static void split_btf_needs_its_own_base(void **state)
{
	auto_builder struct builder base = pair(false), module = module_of(&base);
	auto_builder struct builder swapped = pair(true);
	auto_builder struct builder shorter = builder_init(false), longer = builder_init(false);

	(void)state;
	assert_refused(&module, NULL, "device", "this is split BTF");
	assert_refused(&module, &module, "device", "base: this BTF is split itself");
	assert_refused(&module, &swapped, "device", "base: this BTF has another byte order");
	/* Strings of another length: the module's names shift. */
	add_int(&shorter, "int", 4);
	add_struct_of(&shorter, "p", 4, "x", 1);
	assert_refused(&module, &shorter, "device", "base: not the BTF of the kernel");
	add_int(&longer, "long int", 4);
	add_struct_of(&longer, "pair", 4, "xy", 1);
	assert_refused(&module, &longer, "device", "base: not the BTF of the kernel");
}

static void whole_btf_leaves_a_base_alone(void **state)
{
	auto_builder struct builder builder = pair(false), base = pair(true);
	auto_typeset struct typeset set = {};

	(void)state;
	assert_null(try_read(&builder, &base, NULL, &set));
	assert_int_equal(set.definitions.nr, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(byte_order_is_told_by_the_magic),
		cmocka_unit_test(longer_header_of_newer_kernels_is_skipped),
		cmocka_unit_test(file_cut_off_anywhere_is_refused),
		cmocka_unit_test(damaged_header_is_refused),
		cmocka_unit_test(last_string_must_end),
		cmocka_unit_test(unknown_kind_is_refused_as_newer),
		cmocka_unit_test(count_beyond_the_end_is_refused),
		cmocka_unit_test(count_of_more_than_16_bits_is_read),
		cmocka_unit_test(pointers_are_as_large_as_long),
		cmocka_unit_test(split_btf_continues_ids_and_names_of_its_base),
		cmocka_unit_test(everything_of_a_module_is_what_it_adds),
		cmocka_unit_test(split_btf_needs_its_own_base),
		cmocka_unit_test(whole_btf_leaves_a_base_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
