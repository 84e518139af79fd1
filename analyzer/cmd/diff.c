/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline diff: what changed between two sets of structs, and what follows for cache lines. */
#include <string.h>
#include <unistd.h>

#include "analyze/compare.h"
#include "base/map.h"
#include "cmd/command.h"
#include "cmd/outputs.h"
#include "cmd/types_input.h"
#include "report/diff_json.h"
#include "report/diff_text.h"
#include "store/snapshot.h"

#define LINE_SIZE_MIN 8
#define LINE_SIZE_MAX 65536
/* Looking for more names than that takes longer than reading all. */
#define MAX_QUERIES 64

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

static bool has_answer(const struct typeset *set, const struct type_query *query)
{
	for (size_t i = 0; i < set->definitions.nr; i++) {
		if (type_query_answers(query, &set->definitions.items[i]))
			return true;
	}
	return false;
}

static uint64_t name_hash(const struct definition *definition)
{
	return hash_string(definition->type->kind, definition_name(definition));
}

/* A name that only one side has is a finding; one that neither has is a mistake. */
static struct error *check_names(const struct diff *diff, const char *old_path)
{
	for (size_t i = 0; i < diff->queries.nr; i++) {
		const struct type_query *query = &diff->queries.items[i];
		const struct types_request request = { .queries = query, .nr_queries = 1 };
		struct typeset set = {};
		struct error *err;

		if (has_answer(&diff->old_set, query) || has_answer(&diff->new_set, query))
			continue;
		/* Fails with the nearest names. */
		err = types_input_read(&diff->options->input, old_path, request, &set);
		typeset_deinit(&set);
		if (err)
			return err;
	}
	return NULL;
}

/* Keeps of set, which has all structs, those that the snapshot has. */
static void drop_others(struct typeset *set, const struct typeset *snapshot)
{
	auto_map struct map names = {};
	size_t nr = 0;

	for (size_t i = 0; i < snapshot->definitions.nr; i++)
		map_add(&names, name_hash(&snapshot->definitions.items[i]), NULL);
	for (size_t i = 0; i < set->definitions.nr; i++) {
		if (map_find(&names, name_hash(&set->definitions.items[i])))
			set->definitions.items[nr++] = set->definitions.items[i];
	}
	set->definitions.nr = nr;
}

/* A snapshot tells which structs matter: of the other side no more are read. */
static struct error *read_beside(struct diff *diff, const char *path,
				 const struct typeset *snapshot, struct typeset *ret)
{
	auto_vec struct query_vec queries = {};
	struct types_request request = { .allow_missing = true };
	bool few = snapshot->definitions.nr <= MAX_QUERIES;
	struct error *err;

	for (size_t i = 0; few && i < snapshot->definitions.nr; i++)
		*vec_add(&queries) = type_query_parse(
			definition_label(&snapshot->definitions.items[i], &diff->document.arena));
	if (!few)
		*vec_add(&queries) = type_query_parse("*");
	request.queries = queries.items;
	request.nr_queries = queries.nr;
	err = types_input_read(&diff->options->input, path, request, ret);
	if (!err)
		drop_others(ret, snapshot);
	return err;
}

static struct error *read_all(struct diff *diff, const struct string_vec *operands)
{
	const char *paths[] = { operands->items[0], operands->items[1] };
	struct typeset *sets[] = { &diff->old_set, &diff->new_set };
	bool snapshots[] = { snapshot_is_one(paths[0]), snapshot_is_one(paths[1]) };
	int first = snapshots[1] && !snapshots[0];
	struct types_request request = {};
	struct error *err;

	err = types_input_read(&diff->options->input, paths[first], request, sets[first]);
	if (err)
		return err;
	if (snapshots[0] != snapshots[1])
		return read_beside(diff, paths[!first], sets[first], sets[!first]);
	return types_input_read(&diff->options->input, paths[!first], request, sets[!first]);
}

static struct error *read_named(struct diff *diff, const struct string_vec *operands)
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
		*vec_add(&diff->line_sizes) = diff->new_set.source.arch->cacheline;
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
		err = operands->nr > 2 ? read_named(&diff, operands) : read_all(&diff, operands);
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
