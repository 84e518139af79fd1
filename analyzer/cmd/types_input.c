/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/types_input.h"

#define CACHELINE_MIN 8
#define CACHELINE_MAX 65536

const char *const types_input_formats[] = {
	[TYPES_AUTO] = "auto",
	[TYPES_DWARF] = "dwarf",
	[TYPES_BTF] = "btf",
	NULL,
};

static struct error *check(const struct types_input *input)
{
	uint64_t cacheline = input->cacheline.value;

	if (input->btf_base && input->format == TYPES_DWARF)
		return error_create(ERROR_USAGE, "--btf-base does not go with --format dwarf");
	if (input->cacheline.given && (cacheline < CACHELINE_MIN || cacheline > CACHELINE_MAX ||
				       (cacheline & (cacheline - 1))))
		return error_create(ERROR_USAGE,
				    "--cacheline wants a power of two from %d to %d, not %llu",
				    CACHELINE_MIN, CACHELINE_MAX, (unsigned long long)cacheline);
	return NULL;
}

struct error *types_input_read(const struct types_input *input, const char *path,
			       struct types_request request, struct typeset *ret)
{
	auto_free char *running = NULL;
	struct error *err = check(input);

	request.format = input->format;
	request.btf_base = input->btf_base;
	request.allow_randomized = input->force;
	if (!err && !path)
		err = types_running_kernel(&running);
	if (err)
		return err;
	return types_read(path ? path : running, &request, ret);
}

struct view types_input_view(const struct types_input *input, const struct source *source)
{
	uint64_t cacheline =
		input->cacheline.given ? input->cacheline.value : source->arch->cacheline;

	return (struct view){ (uint32_t)cacheline, (uint32_t)(input->phase.value % cacheline) };
}
