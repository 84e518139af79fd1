/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads what a builder built, as tests ask for it. Include cmocka.h first. */
#ifndef FIELDLINE_TESTS_BTF_READING_H
#define FIELDLINE_TESTS_BTF_READING_H

#include "kernel/btf_types.h"

#include "btf_builder.h"

/* base NULL = whole BTF; query NULL = everything. */
static inline struct error *try_read(const struct builder *builder, const struct builder *base,
				     const char *query, struct typeset *ret)
{
	auto_text struct text blob = builder_finish(builder);
	auto_text struct text base_blob = {};
	struct type_query parsed = type_query_parse(query ? query : "");
	struct types_request request = { .queries = &parsed, .nr_queries = query != NULL };
	struct btf_input input = { .data = (const uint8_t *)blob.chars, .size = blob.length };
	struct error *err;

	if (base) {
		base_blob = builder_finish(base);
		input.base = (const uint8_t *)base_blob.chars;
		input.base_size = base_blob.length;
	}
	err = btf_types_read(&input, &request, ret);
	/* What was read must not live in the file. */
	memset(blob.chars, 0xa5, blob.length);
	return err;
}

static inline struct typeset read_types(const struct builder *builder, const char *query)
{
	struct typeset set = {};
	struct error *err = try_read(builder, NULL, query, &set);

	if (err)
		fail_msg("%s", error_message(err));
	return set;
}

static inline const struct type *only_type(const struct typeset *set)
{
	assert_int_equal(set->definitions.nr, 1);
	return set->definitions.items[0].type;
}

static inline void assert_definition(const struct typeset *set, size_t i, const char *name)
{
	assert_true(i < set->definitions.nr);
	assert_string_equal(definition_name(&set->definitions.items[i]), name);
}

static inline void assert_field(const struct type *type, uint32_t i, const char *declaration,
				uint64_t offset_bits, uint32_t size_bits)
{
	auto_text struct text text = {};

	assert_true(i < type->nr_fields);
	type_print(&text, type->fields[i].type, type->fields[i].name);
	assert_string_equal(text_chars(&text), declaration);
	assert_int_equal(type->fields[i].offset_bits, offset_bits);
	assert_int_equal(type->fields[i].size_bits, size_bits);
}

static inline void assert_refused(const struct builder *builder, const struct builder *base,
				  const char *query, const char *message)
{
	auto_typeset struct typeset set = {};
	struct error *err = try_read(builder, base, query, &set);

	if (!err)
		fail_msg("read, and not refused with '%s'", message);
	if (!strstr(error_message(err), message))
		fail_msg("'%s' does not say '%s'", error_message(err), message);
	assert_int_equal(error_kind(err), ERROR_INPUT);
	error_destroy(err);
}

#endif
