/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline diff: what changed between two sets of structs, and what follows for cache lines. */
#include <string.h>
#include <unistd.h>

#include "analyze/compare.h"
#include "cmd/command.h"
#include "cmd/outputs.h"
#include "cmd/types_input.h"
#include "report/diff_json.h"
#include "report/diff_text.h"

#define LINE_SIZE_MIN 8
#define LINE_SIZE_MAX 65536

struct diff_options {
	struct types_input input;
	struct outputs_options outputs;
	struct string_vec line_sizes;
	const char *source_root;
	bool all;
	bool stat;
};

static const struct option_spec specs[] = {
	{ 0, "line-size", OPTION_STRINGS, offsetof(struct diff_options, line_sizes), "BYTES",
	  .help = "judge lines of that size (64, 128); again for another one" },
	{ 'a', "all", OPTION_FLAG, offsetof(struct diff_options, all),
	  .help = "every struct in full, where else long lists are cut" },
	{ 0, "stat", OPTION_FLAG, offsetof(struct diff_options, stat),
	  .help = "as text, only the numbers of structs that changed" },
	{ 0, "source-root", OPTION_STRING, offsetof(struct diff_options, source_root), "DIR",
	  .help = "name files relative to DIR, not to the working directory" },
	OUTPUTS_OPTIONS(struct diff_options, outputs),
	TYPES_INPUT_READ_OPTIONS(struct diff_options, input),
	TYPES_INPUT_PHASE_OPTION(struct diff_options, input),
	{},
};

DEFINE_VEC(query_vec, struct type_query);
DEFINE_VEC(size_vec, uint32_t);

/* Everything one diff reads and makes. */
struct diff {
	const struct diff_options *options;
	struct outputs outputs;
	struct query_vec queries;
	struct typeset old_set;
	struct typeset new_set;
	struct size_vec line_sizes;
	struct comparison_set comparisons;
	struct document document;
};

static void diff_deinit(struct diff *diff)
{
	outputs_deinit(&diff->outputs);
	vec_deinit(&diff->queries);
	typeset_deinit(&diff->old_set);
	typeset_deinit(&diff->new_set);
	vec_deinit(&diff->line_sizes);
	comparison_set_deinit(&diff->comparisons);
	document_deinit(&diff->document);
}

static struct error *parse_line_sizes(struct diff *diff)
{
	const struct string_vec *given = &diff->options->line_sizes;

	for (size_t i = 0; i < given->nr; i++) {
		struct error *err;
		uint64_t size;

		err = options_parse_number("--line-size", given->items[i], &size);
		if (err)
			return err;
		if (size < LINE_SIZE_MIN || size > LINE_SIZE_MAX || size & (size - 1))
			return error_create(
				ERROR_USAGE,
				"--line-size wants a power of two from %d to %d, not %s",
				LINE_SIZE_MIN, LINE_SIZE_MAX, given->items[i]);
		*vec_add(&diff->line_sizes) = (uint32_t)size;
	}
	return NULL;
}

static bool has_query(const struct typeset *set, const struct type_query *query)
{
	for (size_t i = 0; i < set->definitions.nr; i++) {
		const struct definition *definition = &set->definitions.items[i];

		if (type_query_matches(query, definition->type->kind, definition_name(definition)))
			return true;
	}
	return false;
}

/* A name that only one side has is a finding; one that neither has is a mistake. */
static struct error *check_names(const struct diff *diff, const char *old_path)
{
	for (size_t i = 0; i < diff->queries.nr; i++) {
		const struct type_query *query = &diff->queries.items[i];
		const struct types_request request = { .queries = query, .nr_queries = 1 };
		struct typeset set = {};
		struct error *err;

		if (has_query(&diff->old_set, query) || has_query(&diff->new_set, query))
			continue;
		/* Fails with the nearest names. */
		err = types_input_read(&diff->options->input, old_path, request, &set);
		typeset_deinit(&set);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *read_both(struct diff *diff, const struct string_vec *operands)
{
	const struct types_request request = {
		.queries = diff->queries.items,
		.nr_queries = diff->queries.nr,
		.allow_missing = true,
	};
	struct error *err;

	err = types_input_read(&diff->options->input, operands->items[0], request, &diff->old_set);
	if (!err)
		err = types_input_read(&diff->options->input, operands->items[1], request,
				       &diff->new_set);
	return err ? err : check_names(diff, operands->items[0]);
}

static void compare(struct diff *diff)
{
	struct compare_options options = { .phase = (uint32_t)diff->options->input.phase.value };
	auto_free char *here = NULL;

	if (!diff->line_sizes.nr)
		*vec_add(&diff->line_sizes) = diff->old_set.source.arch->cacheline;
	options.line_sizes = diff->line_sizes.items;
	options.nr_line_sizes = diff->line_sizes.nr;
	compare_sets(&diff->old_set, &diff->new_set, &options, &diff->comparisons);
	here = diff->options->source_root ? memory_strdup(diff->options->source_root) :
					    getcwd(NULL, 0);
	if (here)
		comparison_set_strip_root(&diff->comparisons, here);
}

static void add_findings(struct document *document, const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->findings.nr; i++)
		*vec_add(&document->findings) = comparison->findings.items[i];
	if (comparison->truncated)
		*vec_add(&document->gaps) =
			arena_printf(&document->arena, "%s has more members than were looked at",
				     comparison->name);
}

static void add_gaps(struct document *document, const struct typeset *set)
{
	for (size_t i = 0; set->notes && set->notes[i]; i++)
		*vec_add(&document->gaps) =
			arena_printf(&document->arena, "%s: %s", set->source.path, set->notes[i]);
}

/* Structs that changed by themselves come before those that only follow. */
static void make_document(struct diff *diff)
{
	const struct comparison_set *comparisons = &diff->comparisons;
	struct document *document = &diff->document;

	document->command = "diff";
	document->title = arena_printf(&document->arena, "%s against %s", diff->old_set.source.path,
				       diff->new_set.source.path);
	document->rules = compare_rules;
	for (int roots = 1; roots >= 0; roots--) {
		for (size_t i = 0; i < comparisons->comparisons.nr; i++) {
			const struct comparison *comparison = &comparisons->comparisons.items[i];

			if (comparison_is_root(comparison) == roots)
				add_findings(document, comparison);
		}
	}
	for (size_t i = 0; i < comparisons->examined.nr; i++)
		*vec_add(&document->examined) = comparisons->examined.items[i];
	add_gaps(document, &diff->old_set);
	add_gaps(document, &diff->new_set);
}

static bool print_own(struct text *text, const void *context, enum document_format format)
{
	const struct diff *diff = context;
	const struct diff_text_options text_options = {
		.old_source = &diff->old_set.source,
		.new_source = &diff->new_set.source,
		.all = diff->options->all,
		.summary = diff->options->stat,
	};
	const struct diff_json_options json_options = {
		.old_set = &diff->old_set,
		.new_set = &diff->new_set,
		.line_sizes = diff->line_sizes.items,
		.nr_line_sizes = diff->line_sizes.nr,
		.phase = (uint32_t)diff->options->input.phase.value,
	};

	if (format == DOCUMENT_TEXT)
		diff_text_print(text, &diff->comparisons, &text_options);
	else if (format == DOCUMENT_JSON)
		diff_json_print(text, &diff->comparisons, &json_options);
	else
		return false;
	return true;
}

static struct error *run(void *values, const struct string_vec *operands, int *ret_status)
{
	const struct diff_options *options = values;
	struct diff diff __attribute__((cleanup(diff_deinit))) = { .options = options };
	const struct outputs_printer own = { print_own, &diff };
	struct error *err;

	if (operands->nr < 2)
		return error_create(ERROR_USAGE, "diff wants two files, OLD and NEW");
	err = parse_line_sizes(&diff);
	if (!err)
		err = outputs_parse(&options->outputs, compare_rules, &diff.outputs);
	for (size_t i = 2; i < operands->nr; i++)
		*vec_add(&diff.queries) = type_query_parse(operands->items[i]);
	if (!err)
		err = read_both(&diff, operands);
	if (err)
		return err;
	compare(&diff);
	make_document(&diff);
	err = outputs_write(&diff.outputs, &diff.document, &own);
	if (!err)
		*ret_status = outputs_status(&diff.outputs, &diff.document);
	return err;
}

const struct command command_diff = {
	.name = "diff",
	.synopsis = "[OPTION...] OLD NEW [STRUCT...]",
	.summary = "Show what changed between two files, and what follows for cache lines",
	.options = specs,
	.options_size = sizeof(struct diff_options),
	.run = run,
};
