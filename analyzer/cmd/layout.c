/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline layout: where every field of a struct lies. */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/command.h"
#include "cmd/types_input.h"
#include "report/layout_json.h"
#include "report/layout_pahole.h"
#include "report/layout_text.h"

#define EXPAND_ALL (LAYOUT_EXPAND_LARGE - 1)

enum output { OUTPUT_TEXT, OUTPUT_PAHOLE, OUTPUT_JSON };
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

static const char *const outputs[] = { "text", "pahole", "json", NULL };
static const char *const colors[] = { "auto", "always", "never", NULL };

struct layout_options {
	struct types_input input;
	unsigned int output;
	struct option_number expand;
	unsigned int color;
	bool flat;
	bool hex;
	bool first;
};

static const struct option_spec specs[] = {
	{ 'o', "output", OPTION_CHOICE, offsetof(struct layout_options, output), "WHAT",
	  .choices = outputs, .help = "how to print" },
	{ 0, "expand", OPTION_NUMBER, offsetof(struct layout_options, expand), "DEPTH",
	  .optional = true, .implied = EXPAND_ALL,
	  .help = "open embedded structs, all or DEPTH levels" },
	{ 0, "flat", OPTION_FLAG, offsetof(struct layout_options, flat),
	  .help = "one line a field, with its full path" },
	{ 0, "hex", OPTION_FLAG, offsetof(struct layout_options, hex),
	  .help = "hexadecimal offsets and sizes" },
	{ 0, "color", OPTION_CHOICE, offsetof(struct layout_options, color), "WHEN",
	  .choices = colors, .optional = true, .implied = COLOR_ALWAYS,
	  .help = "colour holes and straddling fields" },
	{ 0, "first", OPTION_FLAG, offsetof(struct layout_options, first),
	  .help = "stop at the first definition of a name" },
	TYPES_INPUT_OPTIONS(struct layout_options, input),
	{},
};

static bool use_color(unsigned int when)
{
	const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");

	if (when != COLOR_AUTO)
		return when == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no_color && *no_color) && terminal &&
	       strcmp(terminal, "dumb");
}

/* Options that would change nothing are refused, not ignored. */
static struct error *check(const struct layout_options *options)
{
	const char *unused = NULL;

	if (options->output != OUTPUT_TEXT) {
		unused = options->expand.given		? "--expand" :
			 options->flat			? "--flat" :
			 options->color == COLOR_ALWAYS ? "--color" :
							  NULL;
	}
	if (options->output == OUTPUT_JSON && options->hex)
		unused = "--hex";
	if (options->output == OUTPUT_PAHOLE && options->input.phase.given)
		unused = "--phase";
	if (unused)
		return error_create(ERROR_USAGE, "%s does not go with --output %s", unused,
				    outputs[options->output]);
	return NULL;
}

/* [FILE] STRUCT...: sets *ret_path to NULL where the first is a struct. */
static struct error *find_file(const struct string_vec *operands, const char **ret_path)
{
	const char *first = operands->nr ? operands->items[0] : NULL;
	bool is_file;

	if (!first)
		return error_create(ERROR_USAGE,
				    "layout wants the name of a struct; --help shows how");
	is_file = types_input_is_file(first);
	if (is_file && operands->nr == 1)
		return error_create(ERROR_USAGE,
				    "'%s' is a file; name a struct after it, or write 'struct %s' "
				    "if you mean a struct of the running kernel",
				    first, first);
	*ret_path = is_file ? first : NULL;
	return NULL;
}

/* A document can be large: hands on what is there. */
static struct error *flush(struct text *text, size_t least)
{
	struct error *err;

	if (text->length < least)
		return NULL;
	err = file_write("-", text_chars(text), text->length);
	text_clear(text);
	return err;
}

struct printer {
	const struct layout_options *options;
	const struct typeset *set;
	struct view view;
	struct text text;
	struct json json;
};

static void print_definition(struct printer *printer, size_t at, size_t number, size_t nr_numbers)
{
	const struct definition *definition = &printer->set->definitions.items[at];
	const struct layout_options *options = printer->options;
	uint64_t expand = options->expand.value;
	const struct layout_pahole_options pahole = { printer->view.cacheline, options->hex };
	const struct layout_text_options text = {
		.view = printer->view,
		.expand = !options->expand.given ? LAYOUT_EXPAND_LARGE :
			  expand < EXPAND_ALL	 ? (uint32_t)expand :
						   EXPAND_ALL,
		.flat = options->flat,
		.hex = options->hex,
		.color = use_color(options->color),
		.number = number,
		.nr_numbers = nr_numbers,
	};

	switch (options->output) {
	case OUTPUT_TEXT:
		if (at)
			text_add_char(&printer->text, '\n');
		layout_text_print(&printer->text, printer->set, definition, &text);
		break;
	case OUTPUT_PAHOLE:
		layout_pahole_print(&printer->text, printer->set, definition, &pahole);
		break;
	case OUTPUT_JSON:
		layout_json_add(&printer->json, printer->set, definition, printer->view, number,
				nr_numbers);
		break;
	}
}

static bool same_name(const struct definition_vec *definitions, size_t a, size_t b)
{
	return !strcmp(definition_name(&definitions->items[a]),
		       definition_name(&definitions->items[b]));
}

static struct error *print_all(struct printer *printer)
{
	const struct definition_vec *definitions = &printer->set->definitions;
	struct error *err = NULL;
	size_t start = 0, end = 0;

	for (size_t i = 0; i < definitions->nr && !err; i++) {
		if (i == end) {
			start = i;
			while (end < definitions->nr && same_name(definitions, start, end))
				end++;
		}
		print_definition(printer, i, i - start + 1, end - start);
		err = flush(&printer->text, 1 << 20);
	}
	return err;
}

static struct error *print(const struct layout_options *options, const struct typeset *set)
{
	struct printer printer = {
		.options = options,
		.set = set,
		.view = types_input_view(&options->input, &set->source),
	};
	struct error *err;

	printer.json.text = &printer.text;
	if (options->output == OUTPUT_JSON)
		layout_json_begin(&printer.json, set, printer.view);
	err = print_all(&printer);
	if (options->output == OUTPUT_JSON)
		layout_json_end(&printer.json);
	if (!err)
		err = flush(&printer.text, 0);
	text_deinit(&printer.text);
	return err;
}

static struct error *run(void *values, const struct string_vec *operands, int *ret_status)
{
	const struct layout_options *options = values;
	auto_typeset struct typeset set = {};
	auto_free struct type_query *queries = NULL;
	struct types_request request = { .first_only = options->first };
	const char *path = NULL;
	struct error *err;
	size_t first;

	(void)ret_status;
	err = check(options);
	if (!err)
		err = find_file(operands, &path);
	if (err)
		return err;
	first = path ? 1 : 0;
	request.nr_queries = operands->nr - first;
	queries = memory_alloc(request.nr_queries, sizeof(*queries));
	for (size_t i = 0; i < request.nr_queries; i++)
		queries[i] = type_query_parse(operands->items[first + i]);
	request.queries = queries;
	err = types_input_read(&options->input, path, request, &set);
	if (err)
		return err;
	return print(options, &set);
}

const struct command command_layout = {
	.name = "layout",
	.synopsis = "[OPTION...] [FILE] STRUCT...",
	.summary = "Show where every field of a struct lies, line by line",
	.options = specs,
	.options_size = sizeof(struct layout_options),
	.run = run,
};
