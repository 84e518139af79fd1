/* SPDX-License-Identifier: GPL-2.0-only */
/* libFuzzer harness over saved profiles: what is read without an error is printed in every way. */
#include "fuzz/input.h"
#include "report/profile_text.h"
#include "store/profile.h"

static void print_all(const struct profile *profile)
{
	const struct string_vec none = {};
	struct profile_text_options options = { .nr_shown = 20, .types = &none };
	struct text text = {};

	for (options.by = PROFILE_BY_TYPE; options.by <= PROFILE_BY_TIME; options.by++) {
		text_clear(&text);
		profile_text_print(&text, profile, &options);
	}
	profile_c_print(&text, profile, &options);
	text_clear(&text);
	profile_print(&text, profile, NULL, NULL);
	text_deinit(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile profile = {};
	struct error *err;
	struct input input;

	if (!input_open(&input, data, size))
		return -1;
	err = profile_read(input.path, &profile);
	if (!err)
		print_all(&profile);
	error_destroy(err);
	profile_deinit(&profile);
	input_close(&input);
	return 0;
}
