/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline list: all structs of a file, filtered and sorted. */
#include "base/file.h"
#include "cmd/command.h"
#include "cmd/types_input.h"

struct list_options {
	struct types_input input;
};

static const struct option_spec specs[] = {
	TYPES_INPUT_OPTIONS(struct list_options, input),
	{},
};

static struct error *run(void *values, const struct string_vec *operands, int *ret_status)
{
	const struct list_options *options = values;
	auto_typeset struct typeset set = {};
	auto_text struct text text = {};
	struct error *err;

	(void)ret_status;
	err = types_input_read(&options->input, operands->nr ? operands->items[0] : NULL, NULL, 0,
			       &set);
	if (err)
		return err;
	for (size_t i = 0; i < set.definitions.nr; i++)
		text_printf(&text, "%s %llu\n", definition_name(&set.definitions.items[i]),
			    (unsigned long long)type_size(set.definitions.items[i].type));
	return file_write("-", text_chars(&text), text.length);
}

const struct command command_list = {
	.name = "list",
	.synopsis = "[OPTION...] [FILE]",
	.summary = "List all structs with their sizes, holes and straddling fields",
	.options = specs,
	.options_size = sizeof(struct list_options),
	.run = run,
};
