/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libFuzzer harness over the resolver: sections, symbols, relocations, functions, locations and
 * shapes of an image, the tables of what is patched at boot, and the flow of types through all
 * that. The input is a whole file.
 */
#include <stdlib.h>

#include "fuzz/input.h"
#include "resolve/coverage.h"

static void resolve_all(const char *path)
{
	const struct resolver_request request = { .vmlinux = path, .no_cache = true };
	auto_resolver struct resolver *resolver = NULL;
	auto_error struct error *err = resolver_open(&request, &resolver);
	auto_coverage struct coverage coverage = {};
	struct address_list list = {};

	if (err)
		return;
	err = resolver_build_table(resolver, false);
	resolver_list(resolver, &list);
	for (size_t i = 0; i < list.nr; i++) {
		coverage_add(resolver, list.items[i], 1, &coverage);
		resolver_function(resolver, list.items[i]);
	}
	free(list.items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input;

	if (!input_open(&input, data, size))
		return -1;
	resolve_all(input.path);
	input_close(&input);
	return 0;
}
