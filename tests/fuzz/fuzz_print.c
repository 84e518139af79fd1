/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libFuzzer harness over what prints: a damaged file may yield structs that no compiler makes, and
 * every output must cope with them. The input is a file of types.
 */
#include "analyze/listing.h"
#include "fuzz/input.h"
#include "kernel/types.h"
#include "report/layout_json.h"
#include "report/layout_pahole.h"
#include "report/layout_text.h"
#include "report/list_json.h"
#include "report/list_text.h"

#define MAX_PRINTED 20

static const struct view view = { .cacheline = 64, .phase = 24 };

static void print_json(const struct typeset *set, size_t nr)
{
	auto_text struct text text = {};
	struct json json = { .text = &text };

	layout_json_begin(&json, set, view);
	for (size_t i = 0; i < nr; i++)
		layout_json_add(&json, set, &set->definitions.items[i], view, 1, 1);
	layout_json_end(&json);
}

static void print_text(const struct typeset *set, const struct definition *definition)
{
	const struct layout_pahole_options pahole = { .cacheline = 64 };
	struct layout_text_options options = { .view = view, .expand = LAYOUT_EXPAND_LARGE };
	auto_text struct text text = {};

	layout_text_print(&text, set, definition, &options);
	options.flat = true;
	options.hex = true;
	text_clear(&text);
	layout_text_print(&text, set, definition, &options);
	text_clear(&text);
	layout_pahole_print(&text, set, definition, &pahole);
}

static void print_listing(const struct typeset *set)
{
	const struct type_query contained = type_query_parse("*e*");
	const struct listing_request request = {
		.view = view,
		.max_size = UINT64_MAX,
		.contains = &contained,
	};
	auto_listing struct listing listing = {};
	auto_error struct error *err = listing_build(set, &request, &listing);
	auto_text struct text text = {};

	if (err)
		return;
	list_text_print(&text, set, &listing);
	list_json_print(&text, set, &listing);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct types_request request = { .nr_threads = 1 };
	auto_typeset struct typeset set = {};
	auto_error struct error *err = NULL;
	struct input input;
	size_t nr;

	if (!input_open(&input, data, size))
		return -1;
	err = types_read(input.path, &request, &set);
	if (!err) {
		nr = set.definitions.nr < MAX_PRINTED ? set.definitions.nr : MAX_PRINTED;
		print_json(&set, nr);
		for (size_t i = 0; i < nr; i++)
			print_text(&set, &set.definitions.items[i]);
		print_listing(&set);
	}
	input_close(&input);
	return 0;
}
