/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline snapshot: keeps layouts in a file, to compare with and to check against. */
#include <unistd.h>

#include "base/file.h"
#include "cmd/command.h"
#include "cmd/types_input.h"
#include "store/snapshot.h"

struct snapshot_options {
	struct types_input input;
	const char *output;
	const char *source_root;
};

static const struct option_spec specs[] = {
	{ 'o', "output", OPTION_STRING, offsetof(struct snapshot_options, output), "FILE",
	  .help = "write there, not to standard output" },
	{ 0, "source-root", OPTION_STRING, offsetof(struct snapshot_options, source_root), "DIR",
	  .help = "name files relative to DIR, not to the working directory" },
	TYPES_INPUT_READ_OPTIONS(struct snapshot_options, input),
	{},
};

DEFINE_VEC(query_vec, struct type_query);

static struct error *run(void *values, const struct string_vec *operands, int *ret_status)
{
	const struct snapshot_options *options = values;
	auto_vec struct query_vec queries = {};
	auto_typeset struct typeset set = {};
	auto_text struct text text = {};
	auto_free char *here =
		options->source_root ? memory_strdup(options->source_root) : getcwd(NULL, 0);
	struct types_request request = {};
	struct error *err;

	(void)ret_status;
	if (operands->nr < 2)
		return error_create(ERROR_USAGE,
				    "snapshot wants FILE STRUCT...; '*' is every struct");
	for (size_t i = 1; i < operands->nr; i++)
		*vec_add(&queries) = type_query_parse(operands->items[i]);
	request.queries = queries.items;
	request.nr_queries = queries.nr;
	err = types_input_read(&options->input, operands->items[0], request, &set);
	if (err)
		return err;
	snapshot_print(&text, &set, here ? here : "");
	return file_write(options->output ? options->output : "-", text_chars(&text), text.length);
}

const struct command command_snapshot = {
	.name = "snapshot",
	.synopsis = "[OPTION...] FILE STRUCT... -o FILE",
	.summary = "Keep layouts in a small file, as a baseline",
	.options = specs,
	.options_size = sizeof(struct snapshot_options),
	.run = run,
};
