/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Builds BTF a word at a time, in either byte order:
 *
 *	struct builder builder = builder_init(big_endian);
 *	uint32_t id = add_int(&builder, "int", 4);
 *	add_type(&builder, "point", BTF_KIND_STRUCT, 2, 8);
 *	add_member(&builder, "x", id, 0);
 *	add_member(&builder, "y", id, 32);
 *	struct text blob = builder_finish(&builder);
 */
#ifndef FIELDLINE_TESTS_BTF_BUILDER_H
#define FIELDLINE_TESTS_BTF_BUILDER_H

#include <endian.h>
#include <linux/btf.h>
#include <string.h>

#include "base/text.h"

struct builder {
	bool big_endian;
	struct text types;
	struct text strings;
	uint32_t last_id;
	uint32_t first_string; /* offset of strings: those of the base come before */
};

static inline void add_u32_to(struct text *text, uint32_t value, bool big_endian)
{
	value = big_endian ? htobe32(value) : htole32(value);
	text_add_bytes(text, (const char *)&value, sizeof(value));
}

static inline void add_word(struct builder *builder, uint32_t value)
{
	add_u32_to(&builder->types, value, builder->big_endian);
}

static inline struct builder builder_init(bool big_endian)
{
	struct builder builder = { .big_endian = big_endian };

	text_add_char(&builder.strings, '\0');
	return builder;
}

/* What a module adds to base. */
static inline struct builder builder_init_split(const struct builder *base)
{
	return (struct builder){
		.big_endian = base->big_endian,
		.last_id = base->last_id,
		.first_string = (uint32_t)base->strings.length,
	};
}

static inline uint32_t add_string(struct builder *builder, const char *chars)
{
	uint32_t at = builder->first_string + (uint32_t)builder->strings.length;

	if (!*chars)
		return 0;
	text_add_bytes(&builder->strings, chars, strlen(chars) + 1);
	return at;
}

#define KIND_FLAG 0x80000000u

/* flags is KIND_FLAG or 0; value a size or the id of another type. */
static inline uint32_t add_flagged_type(struct builder *builder, const char *name, uint32_t kind,
					uint32_t nr, uint32_t value, uint32_t flags)
{
	add_word(builder, add_string(builder, name));
	add_word(builder, flags | kind << 24 | nr);
	add_word(builder, value);
	return ++builder->last_id;
}

static inline uint32_t add_type(struct builder *builder, const char *name, uint32_t kind,
				uint32_t nr, uint32_t value)
{
	return add_flagged_type(builder, name, kind, nr, value, 0);
}

static inline uint32_t add_bits_int(struct builder *builder, const char *name, uint32_t size,
				    uint32_t offset_bits, uint32_t nr_bits)
{
	uint32_t id = add_type(builder, name, BTF_KIND_INT, 0, size);

	add_word(builder, offset_bits << 16 | nr_bits);
	return id;
}

static inline uint32_t add_int(struct builder *builder, const char *name, uint32_t size)
{
	return add_bits_int(builder, name, size, 0, 8 * size);
}

static inline uint32_t add_array(struct builder *builder, uint32_t element, uint32_t count)
{
	uint32_t id = add_type(builder, "", BTF_KIND_ARRAY, 0, 0);

	add_word(builder, element);
	add_word(builder, element); /* of the index: any int */
	add_word(builder, count);
	return id;
}

static inline void add_member(struct builder *builder, const char *name, uint32_t type,
			      uint32_t offset)
{
	add_word(builder, add_string(builder, name));
	add_word(builder, type);
	add_word(builder, offset);
}

static inline uint32_t add_struct_of(struct builder *builder, const char *name, uint32_t size,
				     const char *member, uint32_t type)
{
	uint32_t id = add_type(builder, name, BTF_KIND_STRUCT, 1, size);

	add_member(builder, member, type, 0);
	return id;
}

/* The whole as bytes; the builder stays as it is. */
static inline struct text builder_finish(const struct builder *builder)
{
	bool big_endian = builder->big_endian;
	struct text blob = {};

	text_add_bytes(&blob, big_endian ? "\xeb\x9f\1" : "\x9f\xeb\1", 4);
	add_u32_to(&blob, 24, big_endian);
	add_u32_to(&blob, 0, big_endian);
	add_u32_to(&blob, (uint32_t)builder->types.length, big_endian);
	add_u32_to(&blob, (uint32_t)builder->types.length, big_endian);
	add_u32_to(&blob, (uint32_t)builder->strings.length, big_endian);
	text_add_bytes(&blob, text_chars(&builder->types), builder->types.length);
	text_add_bytes(&blob, text_chars(&builder->strings), builder->strings.length);
	return blob;
}

static inline void builder_deinit(struct builder *builder)
{
	text_deinit(&builder->types);
	text_deinit(&builder->strings);
}

#define auto_builder __attribute__((cleanup(builder_deinit)))

#endif
