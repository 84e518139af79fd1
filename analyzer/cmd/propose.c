/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline propose: changes of a struct, with what each wins and costs. */
#include <string.h>

#include "analyze/rules_symbols.h"
#include "base/file.h"
#include "cmd/command.h"
#include "cmd/types_input.h"
#include "kernel/symbols.h"
#include "patch/constraints.h"
#include "propose/propose.h"
#include "propose/survey.h"
#include "propose/uses.h"
#include "report/proposal_json.h"
#include "report/proposal_text.h"
#include "report/survey_json.h"
#include "report/survey_text.h"
#include "store/profile.h"

enum output { OUTPUT_TEXT, OUTPUT_JSON };

static const char *const outputs[] = { "text", "json", NULL };

struct propose_options {
	struct types_input input;
	unsigned int output;
	struct string_vec hot;
	struct string_vec written;
	struct string_vec read_mostly;
	bool allow_uapi;
	bool pack;
	bool all;
	const char *sweep;
	const char *sweep_member;
	const char *source;
	const char *profile;
};

static const struct option_spec specs[] = {
	{ 'o', "output", OPTION_CHOICE, offsetof(struct propose_options, output), "WHAT",
	  .choices = outputs, .help = "how to print; json is what patch reads" },
	{ 0, "hot", OPTION_STRINGS, offsetof(struct propose_options, hot), "FIELDS",
	  .help = "fields on the paths that count, with commas between" },
	{ 0, "written", OPTION_STRINGS, offsetof(struct propose_options, written), "FIELDS",
	  .help = "fields that are often written" },
	{ 0, "read-mostly", OPTION_STRINGS, offsetof(struct propose_options, read_mostly), "FIELDS",
	  .help = "fields that many CPUs read and hardly any writes" },
	{ 'a', "all", OPTION_FLAG, offsetof(struct propose_options, all),
	  .help = "show every proposal, not the best five" },
	{ 0, "pack", OPTION_FLAG, offsetof(struct propose_options, pack),
	  .help = "propose to fill holes, too" },
	{ 0, "allow-uapi", OPTION_FLAG, offsetof(struct propose_options, allow_uapi),
	  .help = "touch what user space, a disk or a peer knows" },
	{ 0, "profile", OPTION_STRING, offsetof(struct propose_options, profile), "FILE",
	  .help = "what c2c saved: how fields are used, and a modelled gain" },
	{ 0, "source", OPTION_STRING, offsetof(struct propose_options, source), "TREE",
	  .help = "search that kernel source for what forbids a change" },
	{ 0, "sweep", OPTION_STRING, offsetof(struct propose_options, sweep), "A..B/STEP",
	  .help = "a table of pad sizes instead of proposals" },
	{ 0, "sweep-member", OPTION_STRING, offsetof(struct propose_options, sweep_member), "FIELD",
	  .help = "what the sweep pads, if not the first field" },
	TYPES_INPUT_OPTIONS(struct propose_options, input),
	{},
};

/* "a,b.c" again and again: adds what is not there yet. */
static struct error *add_used(const struct string_vec *lists, unsigned int use, struct arena *arena,
			      struct used_field_vec *ret)
{
	for (size_t i = 0; i < lists->nr; i++) {
		char *rest = arena_strdup(arena, lists->items[i]);

		for (char *path; (path = strsep(&rest, ","));) {
			size_t at = 0;

			if (!*path)
				return error_create(ERROR_USAGE, "'%s' names a field of no name",
						    lists->items[i]);
			while (at < ret->nr && strcmp(ret->items[at].path, path))
				at++;
			if (at == ret->nr)
				*vec_add(ret) = (struct used_field){ .path = path };
			ret->items[at].uses |= use;
		}
	}
	return NULL;
}

static struct error *read_used(const struct propose_options *options, struct arena *arena,
			       struct used_field_vec *ret)
{
	struct error *err = add_used(&options->hot, USE_HOT, arena, ret);

	if (!err)
		err = add_used(&options->written, USE_WRITTEN, arena, ret);
	if (!err)
		err = add_used(&options->read_mostly, USE_READ_MOSTLY, arena, ret);
	for (size_t i = 0; !err && i < ret->nr; i++) {
		if ((ret->items[i].uses & USE_WRITTEN) && (ret->items[i].uses & USE_READ_MOSTLY))
			err = error_create(ERROR_USAGE, "'%s' is both --written and --read-mostly",
					   ret->items[i].path);
	}
	return err;
}

static struct error *parse_sweep(const char *range, struct sweep_request *ret)
{
	auto_free char *copy = memory_strdup(range);
	char *dots = strstr(copy, ".."), *slash = dots ? strchr(dots, '/') : NULL;
	struct error *err;

	if (!slash)
		return error_create(ERROR_USAGE, "--sweep wants A..B/STEP, not '%s'", range);
	*dots = '\0';
	*slash = '\0';
	err = options_parse_number("--sweep", copy, &ret->from);
	if (!err)
		err = options_parse_number("--sweep", dots + 2, &ret->to);
	if (!err)
		err = options_parse_number("--sweep", slash + 1, &ret->step);
	return err;
}

static const struct definition *find_definition(const struct typeset *set,
						const struct type_query *query)
{
	for (size_t i = 0; i < set->definitions.nr; i++) {
		if (type_query_answers(query, &set->definitions.items[i]))
			return &set->definitions.items[i];
	}
	return NULL;
}

/* All structs, for those around the one asked about move too. */
static struct error *read_types(const struct propose_options *options,
				const struct string_vec *operands, struct typeset *set,
				const struct definition **ret)
{
	const struct type_query query = type_query_parse(operands->items[operands->nr - 1]);
	const char *path = operands->nr > 1 ? operands->items[0] : NULL;
	auto_typeset struct typeset unused = {};
	struct error *err = types_input_read(&options->input, path, (struct types_request){}, set);

	if (err)
		return err;
	*ret = find_definition(set, &query);
	if (*ret)
		return NULL;
	/* Asked for alone, it is missed with the nearest names. */
	err = types_input_read(&options->input, path,
			       (struct types_request){ .queries = &query, .nr_queries = 1 },
			       &unused);
	return err ? err : error_create(ERROR_NOT_FOUND, "there is no '%s'", query.text);
}

static struct error *print_proposals(const struct propose_options *options,
				     struct propose_request *request)
{
	auto_constraints struct constraints constraints = {};
	auto_proposals struct proposals proposals = {};
	auto_text struct text text = {};
	struct error *err = NULL;

	if (options->source) {
		err = constraints_find(options->source, request->definition,
				       request->set->source.arch, &constraints);
		request->constraints = &constraints;
	}
	if (!err)
		err = propose(request, &proposals);
	if (err)
		return err;
	if (options->output == OUTPUT_JSON)
		proposals_json_print(&text, request->set, &proposals);
	else
		proposals_text_print(&text, &proposals, options->all);
	return file_write("-", text_chars(&text), text.length);
}

static struct error *print_sweep(const struct propose_options *options,
				 const struct propose_request *request)
{
	struct sweep_request sweep_request = { .propose = request,
					       .member = options->sweep_member };
	auto_sweep struct sweep sweep = {};
	auto_text struct text text = {};
	struct error *err = parse_sweep(options->sweep, &sweep_request);

	if (!err)
		err = propose_sweep(&sweep_request, &sweep);
	if (err)
		return err;
	if (options->output == OUTPUT_JSON)
		sweep_json_print(&text, request->set, &sweep);
	else
		sweep_text_print(&text, &sweep);
	return file_write("-", text_chars(&text), text.length);
}

/* What a symbol table tells; of the running kernel there is none to read. */
static struct error *survey_globals(const char *path, struct survey *survey)
{
	auto_symbol_table struct symbol_table table = {};
	struct error *err = path ? symbols_read(path, &table) : NULL;

	if (!path || (err && error_kind(err) == ERROR_NOT_FOUND)) {
		survey->no_globals = err ? arena_strdup(&survey->arena, error_message(err)) :
					   "the running kernel's symbol table can't be read";
		error_destroy(err);
		return NULL;
	}
	if (!err)
		rules_judge_symbols(NULL, 0, &table, survey->view.cacheline, true,
				    &survey->globals);
	return err;
}

static struct error *run_survey(const struct propose_options *options, const char *path)
{
	auto_typeset struct typeset set = {};
	auto_survey struct survey survey = {};
	auto_text struct text text = {};
	struct error *err = types_input_read(&options->input, path, (struct types_request){}, &set);

	if (!err)
		err = propose_survey(&set, types_input_view(&options->input, &set.source), &survey);
	if (!err)
		err = survey_globals(path, &survey);
	if (err)
		return err;
	if (options->output == OUTPUT_JSON)
		survey_json_print(&text, &set, &survey);
	else
		survey_text_print(&text, &survey, options->all);
	return file_write("-", text_chars(&text), text.length);
}

/* [FILE] alone: all of its structs. */
static bool wants_survey(const struct string_vec *operands)
{
	return !operands->nr || (operands->nr == 1 && types_input_is_file(operands->items[0]));
}

static struct error *check(const struct propose_options *options, const struct string_vec *operands)
{
	if (operands->nr > 2)
		return error_create(ERROR_USAGE, "propose wants [FILE] [STRUCT]; --help shows how");
	if (wants_survey(operands) &&
	    (options->hot.nr || options->written.nr || options->read_mostly.nr || options->pack ||
	     options->allow_uapi || options->sweep || options->source || options->profile))
		return error_create(ERROR_USAGE, "without a STRUCT only what is certain is told: "
						 "no other option goes with that");
	if (options->sweep_member && !options->sweep)
		return error_create(ERROR_USAGE, "--sweep-member goes with --sweep");
	if (options->sweep && (options->pack || options->all || options->source))
		return error_create(ERROR_USAGE, "%s does not go with --sweep",
				    options->pack ? "--pack" :
				    options->all  ? "--all" :
						    "--source");
	if (options->all && options->output == OUTPUT_JSON)
		return error_create(ERROR_USAGE, "--all does not go with --output json");
	return NULL;
}

/* What the user said of a field stands; the rest is the profile's. */
static struct error *read_profile(const struct propose_options *options, struct arena *arena,
				  struct propose_request *request, struct touches *ret)
{
	auto_profile struct profile profile = {};
	struct error *err = profile_read(options->profile, &profile);

	if (!err)
		err = uses_find(&profile, request->definition, arena, &request->used, ret);
	if (err)
		return error_wrap(err, "'%s'", options->profile);
	ret->profile = options->profile;
	request->touches = ret;
	if (!options->input.phase.given)
		request->view.phase = ret->phase % request->view.cacheline;
	return NULL;
}

static void touches_deinit(struct touches *touches)
{
	vec_deinit(&touches->items);
}

static struct error *run(void *values, const struct string_vec *operands, int *ret_status)
{
	const struct propose_options *options = values;
	auto_arena struct arena arena = {};
	auto_typeset struct typeset set = {};
	auto_vec struct used_field_vec used = {};
	struct touches touches __attribute__((cleanup(touches_deinit))) = {};
	struct propose_request request = { .set = &set,
					   .allow_uapi = options->allow_uapi,
					   .randomized = options->input.force,
					   .pack = options->pack };
	struct error *err = check(options, operands);

	(void)ret_status;
	if (!err && wants_survey(operands))
		return run_survey(options, operands->nr ? operands->items[0] : NULL);
	if (!err)
		err = read_used(options, &arena, &used);
	if (!err)
		err = read_types(options, operands, &set, &request.definition);
	if (err)
		return err;
	request.view = types_input_view(&options->input, &set.source);
	request.used = used;
	if (options->profile)
		err = read_profile(options, &arena, &request, &touches);
	used = request.used; /* grown, and this function's to free */
	if (err)
		return err;
	return options->sweep ? print_sweep(options, &request) : print_proposals(options, &request);
}

const struct command command_propose = {
	.name = "propose",
	.synopsis = "[OPTION...] [FILE] [STRUCT]",
	.summary = "Propose padding, alignment and order, with gains and costs",
	.options = specs,
	.options_size = sizeof(struct propose_options),
	.run = run,
};
