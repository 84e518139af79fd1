/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libFuzzer harness over the layout reader: ELF, DWARF and BTF, then everything the model computes
 * from what was read; and over the reader of symbols. The input is a whole file.
 */
#include "fuzz/input.h"
#include "kernel/symbols.h"
#include "kernel/types.h"
#include "model/layout.h"

static void use_definition(const struct definition *definition, const struct source *source)
{
	const struct view view = { .cacheline = source->arch->cacheline };
	auto_vec struct placed_vec placed = {};
	auto_vec struct hole_vec holes = {};
	auto_text struct text text = {};
	uint64_t padding_bits;

	layout_flatten(definition->type, 3, &placed);
	layout_holes(definition->type, &holes, &padding_bits);
	type_align(definition->type, source->arch);
	/* One of many is enough: printing a thousand fields teaches nothing new. */
	for (size_t i = 0; i < placed.nr; i += 1 + placed.nr / 64) {
		text_clear(&text);
		type_print(&text, placed.items[i].field->type, placed.items[i].field->name);
		view_straddles(view, placed.items[i].offset_bits, placed.items[i].width_bits);
	}
}

static void read_as(const char *path, enum types_format format, const char *name)
{
	const struct type_query query = type_query_parse(name ? name : "");
	const struct types_request request = {
		.queries = &query,
		.nr_queries = name ? 1 : 0,
		.format = format,
		.nr_threads = 1,
	};
	auto_typeset struct typeset set = {};
	auto_error struct error *err = types_read(path, &request, &set);

	for (size_t i = 0; !err && i < set.definitions.nr; i++)
		use_definition(&set.definitions.items[i], &set.source);
}

static void read_symbols(const char *path)
{
	auto_symbol_table struct symbol_table table = {};
	auto_error struct error *err = symbols_read(path, &table);

	(void)err;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input;

	if (!input_open(&input, data, size))
		return -1;
	read_as(input.path, TYPES_AUTO, NULL);
	read_as(input.path, TYPES_AUTO, "outer");
	read_as(input.path, TYPES_BTF, "out*");
	read_symbols(input.path);
	input_close(&input);
	return 0;
}
