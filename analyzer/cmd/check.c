/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline check: holds layouts against policies. */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyze/learn.h"
#include "analyze/rules.h"
#include "analyze/rules_paths.h"
#include "analyze/rules_symbols.h"
#include "base/file.h"
#include "cmd/baselines.h"
#include "cmd/command.h"
#include "cmd/outputs.h"
#include "cmd/types_input.h"
#include "kernel/symbols.h"
#include "store/net_cachelines.h"
#include "store/policy.h"

struct check_options {
	struct types_input input;
	struct outputs_options outputs;
	struct string_vec policies;
	const char *net_cachelines;
	bool symbols;
	struct string_vec symbol_names;
	const char *learn;
	const char *date;
	const char *source_root;
};

static const struct option_spec specs[] = {
	{ 'p', "policy", OPTION_STRINGS, offsetof(struct check_options, policies), "POLICY",
	  .help = "JSON that tells what to hold on to; again for another one" },
	{ 0, "net-cachelines", OPTION_STRING, offsetof(struct check_options, net_cachelines), "DIR",
	  .help = "note what a kernel's net_cachelines tables want" },
	{ 0, "symbols", OPTION_FLAG, offsetof(struct check_options, symbols),
	  .help = "look at globals: the policies', and what is aligned" },
	{ 0, "symbol", OPTION_STRINGS, offsetof(struct check_options, symbol_names), "NAME",
	  .help = "a global (or pattern) that wants its lines alone" },
	{ 0, "learn", OPTION_STRING, offsetof(struct check_options, learn), "POLICY",
	  .help = "write a policy that today's layout of STRUCT... keeps" },
	{ 0, "date", OPTION_STRING, offsetof(struct check_options, date), "YYYY-MM-DD",
	  .help = "judge exceptions as of that day, not today" },
	{ 0, "source-root", OPTION_STRING, offsetof(struct check_options, source_root), "DIR",
	  .help = "name files relative to DIR, not to the working directory" },
	OUTPUTS_OPTIONS(struct check_options, outputs),
	TYPES_INPUT_OPTIONS(struct check_options, input),
	{},
};

DEFINE_VEC(policy_vec, struct policy);

/* Everything one check reads, and the document it makes. */
struct check {
	const struct check_options *options;
	const char *path; /* NULL = the running kernel */
	uint32_t today;
	struct outputs outputs;
	struct policy_vec policies;
	struct path_tables tables;
	struct typeset set;
	struct document document;
};

static void check_deinit(struct check *check)
{
	for (size_t i = 0; i < check->policies.nr; i++)
		policy_deinit(&check->policies.items[i]);
	vec_deinit(&check->policies);
	outputs_deinit(&check->outputs);
	path_tables_deinit(&check->tables);
	typeset_deinit(&check->set);
	document_deinit(&check->document);
}

static struct error *find_today(const char *date, uint32_t *ret)
{
	time_t now = time(NULL);
	struct tm day;

	if (date && !date_parse(date, ret))
		return error_create(ERROR_USAGE, "--date wants a day such as 2027-06-30, not '%s'",
				    date);
	if (!date && gmtime_r(&now, &day))
		*ret = (uint32_t)((day.tm_year + 1900) * 10000 + (day.tm_mon + 1) * 100 +
				  day.tm_mday);
	return NULL;
}

static bool wants_symbols(const struct check_options *options)
{
	return options->symbols || options->symbol_names.nr;
}

/* Options that would change nothing are refused, not ignored. */
static struct error *check_usage(const struct check_options *options,
				 const struct string_vec *operands)
{
	const char *unused = NULL;

	if (options->learn) {
		unused = options->policies.nr	 ? "--policy" :
			 options->net_cachelines ? "--net-cachelines" :
			 wants_symbols(options)	 ? "--symbols" :
			 options->outputs.reports.nr || options->outputs.fail_on.nr ? "--report" :
										      NULL;
		if (unused)
			return error_create(ERROR_USAGE, "%s does not go with --learn", unused);
		if (operands->nr < 2)
			return error_create(ERROR_USAGE, "--learn wants FILE STRUCT...");
		return NULL;
	}
	if (!options->policies.nr && !options->net_cachelines && !wants_symbols(options))
		return error_create(ERROR_USAGE,
				    "check wants --policy, --net-cachelines, --symbols "
				    "or --learn");
	if (operands->nr > 1)
		return error_create(ERROR_USAGE, "check wants one FILE; which structs it looks at "
						 "is the policy's to tell");
	if (options->input.phase.given)
		return error_create(ERROR_USAGE, "--phase goes with --learn; else the policy tells "
						 "each struct's");
	return NULL;
}

static struct error *read_policies(struct check *check)
{
	const struct string_vec *paths = &check->options->policies;
	struct error *err = NULL;

	for (size_t i = 0; i < paths->nr && !err; i++) {
		struct policy policy;

		err = policy_read(paths->items[i], rules_all, &policy);
		if (!err)
			*vec_add(&check->policies) = policy;
	}
	if (!err && check->options->net_cachelines)
		err = net_cachelines_read(check->options->net_cachelines, &check->tables);
	return err;
}

DEFINE_VEC(query_vec, struct type_query);

static void find_queries(const struct check *check, struct query_vec *ret)
{
	for (size_t i = 0; i < check->policies.nr; i++) {
		const struct guard_vec *guards = &check->policies.items[i].guards;

		for (size_t k = 0; k < guards->nr; k++)
			*vec_add(ret) = type_query_parse(guards->items[k].pattern);
	}
	for (size_t i = 0; i < check->tables.tables.nr; i++) {
		const struct string_vec *names = &check->tables.tables.items[i].names;

		for (size_t k = 0; k < names->nr; k++)
			*vec_add(ret) = type_query_parse(names->items[k]);
	}
}

static struct error *read_types(struct check *check)
{
	auto_vec struct query_vec queries = {};
	struct types_request request = { .allow_missing = true };

	find_queries(check, &queries);
	if (!queries.nr)
		return NULL;
	request.queries = queries.items;
	request.nr_queries = queries.nr;
	return types_input_read(&check->options->input, check->path, request, &check->set);
}

/* Reads again for that one name, since the error of that tells the nearest ones. */
static void tell_missing(struct check *check, const struct policy *policy,
			 const struct guard *guard)
{
	struct type_query query = type_query_parse(guard->pattern);
	const struct types_request request = { .queries = &query, .nr_queries = 1 };
	auto_typeset struct typeset set = {};
	struct arena *arena = &check->document.arena;
	auto_error struct error *err =
		types_input_read(&check->options->input, check->path, request, &set);

	*vec_add(&check->document.gaps) =
		arena_printf(arena, "%s: %s: %s", policy->path, guard->place,
			     err ? error_message(err) : "not found");
}

static void tell_gaps(struct check *check, const struct policy *policy)
{
	for (size_t i = 0; i < policy->guards.nr; i++) {
		const struct guard *guard = &policy->guards.items[i];
		size_t k = 0;

		while (k < check->set.definitions.nr &&
		       !rules_guard_matches(guard, &check->set.definitions.items[k]))
			k++;
		if (k == check->set.definitions.nr && !guard->optional)
			tell_missing(check, policy, guard);
	}
}

static struct error *judge_policy(struct check *check, const struct policy *policy,
				  uint32_t cacheline)
{
	auto_baselines struct baseline_vec baselines = {};
	struct error *err = baselines_read(policy, &baselines);
	const struct rules_request request = {
		.policy = policy,
		.set = &check->set,
		.cacheline = cacheline,
		.baselines = baselines.items,
		.nr_baselines = baselines.nr,
	};

	if (err)
		return err;
	rules_judge(&request, &check->document);
	tell_gaps(check, policy);
	return NULL;
}

static struct error *judge_types(struct check *check)
{
	const struct typeset *set = &check->set;
	struct error *err = NULL;
	uint32_t cacheline;

	if (!set->source.arch) /* nothing was asked for */
		return NULL;
	for (size_t i = 0; set->notes && set->notes[i]; i++)
		*vec_add(&check->document.gaps) = set->notes[i];
	cacheline = types_input_view(&check->options->input, &set->source).cacheline;
	for (size_t i = 0; i < check->policies.nr && !err; i++)
		err = judge_policy(check, &check->policies.items[i], cacheline);
	if (!err)
		rules_judge_paths(&check->tables, set, cacheline, &check->document);
	return err;
}

DEFINE_VEC(symbol_guards, struct symbol_guard);

static struct error *judge_symbols(struct check *check)
{
	const struct check_options *options = check->options;
	auto_symbol_table struct symbol_table table = {};
	auto_vec struct symbol_guards guards = {};
	struct error *err;

	for (size_t i = 0; i < options->symbol_names.nr; i++)
		*vec_add(&guards) = (struct symbol_guard){ options->symbol_names.items[i], NULL };
	for (size_t i = 0; i < check->policies.nr; i++) {
		for (size_t k = 0; k < check->policies.items[i].symbols.nr; k++)
			*vec_add(&guards) = check->policies.items[i].symbols.items[k];
	}
	if (!wants_symbols(options) && !guards.nr)
		return NULL;
	if (!check->path)
		return error_create(ERROR_USAGE, "the running kernel's own symbol table can't be "
						 "read: name its vmlinux");
	err = symbols_read(check->path, &table);
	if (!err)
		rules_judge_symbols(guards.items, guards.nr, &table,
				    options->input.cacheline.given ?
					    (uint32_t)options->input.cacheline.value :
					    table.arch->cacheline,
				    options->symbols, &check->document);
	return err;
}

static const char *make_title(struct check *check)
{
	auto_text struct text text = {};

	text_add(&text, check->path ? check->path : check->set.source.path);
	for (size_t i = 0; i < check->policies.nr; i++)
		text_printf(&text, "%s%s", i ? ", " : " against ", check->policies.items[i].path);
	return arena_strdup(&check->document.arena, text_chars(&text));
}

/* Continuous integration runs in the sources: that is where files are named from. */
static void strip_root(struct check *check)
{
	auto_free char *here = check->options->source_root ?
				       memory_strdup(check->options->source_root) :
				       getcwd(NULL, 0);

	if (here)
		document_strip_root(&check->document, here);
}

static struct error *run_check(struct check *check, int *ret_status)
{
	struct error *err = read_policies(check);

	check->document.command = "check";
	check->document.rules = rules_all;
	if (!err)
		err = read_types(check);
	if (!err)
		err = judge_types(check);
	if (!err)
		err = judge_symbols(check);
	if (err)
		return err;
	for (size_t i = 0; i < check->policies.nr; i++)
		rules_except(&check->policies.items[i], check->today, &check->document);
	check->document.title = make_title(check);
	strip_root(check);
	err = outputs_write(&check->outputs, &check->document, NULL);
	if (!err)
		*ret_status = outputs_status(&check->outputs, &check->document);
	return err;
}

static uint32_t one_year_after(uint32_t day)
{
	return day + 10000 - (day % 10000 == 229);
}

static struct error *learn(struct check *check, const struct string_vec *operands)
{
	auto_vec struct query_vec queries = {};
	auto_policy struct policy policy = {};
	auto_text struct text text = {};
	struct types_request request = {};
	struct error *err;

	for (size_t i = 1; i < operands->nr; i++)
		*vec_add(&queries) = type_query_parse(operands->items[i]);
	request.queries = queries.items;
	request.nr_queries = queries.nr;
	err = types_input_read(&check->options->input, check->path, request, &check->set);
	if (err)
		return err;
	policy.path = check->options->learn;
	policy_learn(&check->set, types_input_view(&check->options->input, &check->set.source),
		     one_year_after(check->today), &policy);
	policy_print(&text, &policy);
	return file_write(check->options->learn, text_chars(&text), text.length);
}

static struct error *run(void *values, const struct string_vec *operands, int *ret_status)
{
	const struct check_options *options = values;
	struct check check __attribute__((cleanup(check_deinit))) = {
		.options = options,
		.path = operands->nr ? operands->items[0] : NULL,
	};
	struct error *err = check_usage(options, operands);

	if (!err)
		err = find_today(options->date, &check.today);
	if (!err)
		err = outputs_parse(&options->outputs, rules_all, &check.outputs);
	if (err)
		return err;
	return options->learn ? learn(&check, operands) : run_check(&check, ret_status);
}

const struct command command_check = {
	.name = "check",
	.synopsis = "[OPTION...] [FILE], or --learn=POLICY FILE STRUCT...",
	.summary = "Hold layouts against a policy, with an exit code for continuous integration",
	.options = specs,
	.options_size = sizeof(struct check_options),
	.run = run,
};
