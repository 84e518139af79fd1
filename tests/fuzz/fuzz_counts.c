/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libFuzzer harness over an emulated run's counts, what is made of them for people, and what the
 * resolver is held against by them. The input is a file of counts, over a kernel made from
 * seed_code.c.
 */
#include "exact/exact.h"
#include "exact/truth.h"
#include "fuzz/input.h"
#include "report/accuracy_text.h"
#include "report/exact_text.h"
#include "resolve/accuracy.h"

static void tell_exact(const char *path, struct resolver *resolver)
{
	const struct string_vec operations = {};
	const struct exact_request request = {
		.counts = path,
		.vmlinux = SEED_KERNEL,
		.operations = &operations,
		.resolver = resolver,
	};
	auto_exact struct exact exact = {};
	auto_text struct text text = {};
	auto_error struct error *err = exact_read(&request, &exact);

	if (!err)
		exact_text_print(&text, &exact, &(struct exact_text_options){ .nr_types = 9 });
}

static void measure(const char *path, struct resolver *resolver)
{
	auto_vec struct truth_image_vec images = {};
	auto_accuracy struct accuracy accuracy = {};
	auto_counts struct counts counts = {};
	auto_truths struct truths truths = {};
	auto_text struct text text = {};
	auto_error struct error *err = counts_read(path, &counts);

	if (err)
		return;
	*vec_add(&images) = (struct truth_image){ resolver_code(resolver), NULL };
	truths_find(&counts, &images, resolver, &truths);
	accuracy_measure(resolver, &truths.all, &accuracy);
	accuracy_text_print(&text, &accuracy, 10);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct resolver_request request = { .vmlinux = SEED_KERNEL, .no_cache = true };
	auto_resolver struct resolver *resolver = NULL;
	auto_error struct error *err = resolver_open(&request, &resolver);
	struct input input;

	if (err || !input_open(&input, data, size))
		return -1;
	tell_exact(input.path, resolver);
	measure(input.path, resolver);
	input_close(&input);
	return 0;
}
