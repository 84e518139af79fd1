/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline list: all structs of a file, filtered and sorted. */
#include "analyze/listing.h"
#include "base/file.h"
#include "cmd/command.h"
#include "cmd/types_input.h"
#include "report/list_json.h"
#include "report/list_text.h"

enum output { OUTPUT_TEXT, OUTPUT_JSON };

static const char *const outputs[] = { "text", "json", NULL };
static const char *const orders[] = {
	[LISTING_BY_NAME] = "name",
	[LISTING_BY_SIZE] = "size",
	[LISTING_BY_HOLES] = "holes",
	[LISTING_BY_HOLE_BYTES] = "hole-bytes",
	[LISTING_BY_LINES] = "lines",
	[LISTING_BY_STRADDLES] = "straddles",
	NULL,
};

struct list_options {
	struct types_input input;
	unsigned int output;
	unsigned int order;
	bool reverse;
	struct option_number min_size;
	struct option_number max_size;
	struct option_number holes;
	struct option_number straddles;
	const char *match;
	const char *contains;
};

static const struct option_spec specs[] = {
	{ 'o', "output", OPTION_CHOICE, offsetof(struct list_options, output), "WHAT",
	  .choices = outputs, .help = "how to print" },
	{ 's', "sort", OPTION_CHOICE, offsetof(struct list_options, order), "KEY",
	  .choices = orders, .help = "order, the largest first" },
	{ 'r', "reverse", OPTION_FLAG, offsetof(struct list_options, reverse),
	  .help = "turn the order round" },
	{ 0, "min-size", OPTION_NUMBER, offsetof(struct list_options, min_size), "BYTES",
	  .help = "structs of at least that size" },
	{ 0, "max-size", OPTION_NUMBER, offsetof(struct list_options, max_size), "BYTES",
	  .help = "structs of at most that size" },
	{ 0, "holes", OPTION_NUMBER, offsetof(struct list_options, holes), "NR",
	  .help = "structs with at least so many holes" },
	{ 0, "straddles", OPTION_NUMBER, offsetof(struct list_options, straddles), "NR",
	  .help = "structs with at least so many straddling fields" },
	{ 'm', "match", OPTION_STRING, offsetof(struct list_options, match), "PATTERN",
	  .help = "structs of that name: *, ? and [...] match" },
	{ 'c', "contains", OPTION_STRING, offsetof(struct list_options, contains), "TYPE",
	  .help = "where structs embed TYPE by value" },
	TYPES_INPUT_OPTIONS(struct list_options, input),
	{},
};

static struct error *print(const struct list_options *options, const struct typeset *set)
{
	struct type_query match = type_query_parse(options->match ? options->match : "");
	struct type_query contains = type_query_parse(options->contains ? options->contains : "");
	struct listing_request request = {
		.view = types_input_view(&options->input, &set->source),
		.order = options->order,
		.reverse = options->reverse,
		.min_size = options->min_size.value,
		.max_size = options->max_size.given ? options->max_size.value : UINT64_MAX,
		.min_holes = options->holes.value,
		.min_straddles = options->straddles.value,
		.match = options->match ? &match : NULL,
		.contains = options->contains ? &contains : NULL,
	};
	auto_listing struct listing listing = {};
	auto_text struct text text = {};
	struct error *err;

	err = listing_build(set, &request, &listing);
	if (err)
		return error_wrap(err, "'%s'", set->source.path);
	if (options->output == OUTPUT_JSON)
		list_json_print(&text, set, &listing);
	else
		list_text_print(&text, set, &listing);
	return file_write("-", text_chars(&text), text.length);
}

static struct error *run(void *values, const struct string_vec *operands, int *ret_status)
{
	const struct list_options *options = values;
	auto_typeset struct typeset set = {};
	struct error *err;

	(void)ret_status;
	if (operands->nr > 1)
		return error_create(ERROR_USAGE,
				    "list wants one file, not %zu; names of structs go to --match",
				    operands->nr);
	if (options->max_size.given && options->max_size.value < options->min_size.value)
		return error_create(ERROR_USAGE, "--max-size is less than --min-size");
	err = types_input_read(&options->input, operands->nr ? operands->items[0] : NULL,
			       (struct types_request){}, &set);
	return err ? err : print(options, &set);
}

const struct command command_list = {
	.name = "list",
	.synopsis = "[OPTION...] [FILE]",
	.summary = "List all structs with their sizes, holes and straddling fields",
	.options = specs,
	.options_size = sizeof(struct list_options),
	.run = run,
};
