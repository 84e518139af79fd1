/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline resolve: what an instruction of the kernel accesses, and how many can be told. */
#include "base/file.h"
#include "cmd/command.h"
#include "cmd/resolve_places.h"
#include "cmd/resolve_truth.h"
#include "kernel/types.h"
#include "report/accuracy_json.h"
#include "report/accuracy_text.h"
#include "report/resolution_json.h"
#include "report/resolution_text.h"
#include "resolve/coverage.h"
#include "resolve/explain.h"

enum { SHOWN_ERRORS = 20 };

enum format { FORMAT_TEXT, FORMAT_JSON };

static const char *const formats[] = { "text", "json", NULL };

struct resolve_options {
	struct string_vec ips;
	const char *list;
	const char *recording;
	bool stats;
	struct option_number sample;
	struct option_number seed;
	bool table;
	const char *truth;
	const char *modules;
	bool force;
	bool no_cache;
	unsigned int format;
};

static const struct option_spec specs[] = {
	{ 'i', "ip", OPTION_STRINGS, offsetof(struct resolve_options, ips), "PLACE",
	  .help = "explain the instruction at an address or SYMBOL+OFFSET" },
	{ 0, "ips", OPTION_STRING, offsetof(struct resolve_options, list), "FILE",
	  .help = "resolve the instructions listed there, a PLACE and maybe a weight a line" },
	{ 'r', "recording", OPTION_STRING, offsetof(struct resolve_options, recording), "FILE",
	  .help = "resolve the instructions of its samples, which weigh them" },
	{ 0, "force", OPTION_FLAG, offsetof(struct resolve_options, force),
	  .help = "take a recording of another kernel than VMLINUX" },
	{ 's', "stats", OPTION_FLAG, offsetof(struct resolve_options, stats),
	  .help = "how many instructions are resolved, and why the rest is not" },
	{ 0, "sample", OPTION_NUMBER, offsetof(struct resolve_options, sample), "N",
	  .help = "of N instructions chosen at random, not of all" },
	{ 0, "seed", OPTION_NUMBER, offsetof(struct resolve_options, seed), "N",
	  .help = "choose others" },
	{ 0, "table", OPTION_FLAG, offsetof(struct resolve_options, table),
	  .help = "resolve the whole kernel and keep that in the cache" },
	{ 0, "truth", OPTION_STRING, offsetof(struct resolve_options, truth), "DIR",
	  .help = "how right it is about what fieldline emulate --every-access ran" },
	{ 0, "modules", OPTION_STRING, offsetof(struct resolve_options, modules), "DIR",
	  .help = "where the modules of the run or recording are" },
	{ 0, "no-cache", OPTION_FLAG, offsetof(struct resolve_options, no_cache),
	  .help = "neither use nor keep what was resolved before" },
	{ 'f', "format", OPTION_CHOICE, offsetof(struct resolve_options, format), "WHAT",
	  .choices = formats, .help = "how to print" },
	{},
};

static struct error *explain(const struct resolve_options *options, struct resolver *resolver,
			     struct text *text)
{
	struct json json = { .text = text };

	if (options->format == FORMAT_JSON)
		resolution_json_begin(&json, resolver_source(resolver));
	for (size_t i = 0; i < options->ips.nr; i++) {
		auto_resolution struct resolution resolution = {};
		struct error *err;
		uint64_t ip;

		err = resolver_parse_place(resolver, options->ips.items[i], &ip);
		if (err)
			return err;
		resolver_explain(resolver, ip, &resolution);
		if (options->format == FORMAT_JSON) {
			resolution_json_add(&json, &resolution);
		} else {
			text_add(text, i ? "\n" : "");
			resolution_text_print(text, &resolution);
		}
	}
	if (options->format == FORMAT_JSON)
		resolution_json_end(&json);
	return NULL;
}

static void print_rows(const struct resolve_options *options, struct resolver *resolver,
		       const struct weighed_place_vec *places, struct text *text)
{
	struct json json = { .text = text };

	if (options->format == FORMAT_JSON)
		resolution_json_begin(&json, resolver_source(resolver));
	for (size_t i = 0; i < places->nr; i++) {
		auto_resolution struct resolution resolution = {};

		resolver_look_up(resolver, places->items[i].ip, &resolution);
		if (options->format == FORMAT_JSON)
			resolution_json_add(&json, &resolution);
		else
			resolution_text_print_row(text, &resolution);
	}
	if (options->format == FORMAT_JSON)
		resolution_json_end(&json);
}

static void print_coverage(const struct resolve_options *options, const struct resolver *resolver,
			   const struct coverage *coverage, struct text *text)
{
	struct json json = { .text = text };

	if (options->format == FORMAT_JSON)
		coverage_json_print(&json, resolver_source(resolver), coverage);
	else
		coverage_text_print(text, coverage);
}

/* Instructions that were named, all at once: each by a row, or all of them by numbers. */
static struct error *resolve_many(const struct resolve_options *options, struct resolver *resolver,
				  struct text *text)
{
	auto_vec struct weighed_place_vec places = {};
	auto_coverage struct coverage coverage = {};
	struct error *err = options->list ? places_read_list(resolver, options->list, &places) :
					    places_read_recording(resolver, options->recording,
								  options->force, &places);

	if (err)
		return err;
	places_prepare(resolver, &places);
	if (!options->stats) {
		print_rows(options, resolver, &places, text);
		return NULL;
	}
	for (size_t i = 0; i < places.nr; i++)
		coverage_add(resolver, places.items[i].ip, places.items[i].weight, &coverage);
	print_coverage(options, resolver, &coverage, text);
	return NULL;
}

static struct error *measure(const struct resolve_options *options, struct resolver *resolver,
			     struct text *text)
{
	auto_coverage struct coverage coverage = {};
	struct address_list list;
	struct error *err = NULL;

	resolver_list(resolver, &list);
	if (options->sample.given) {
		address_list_sample(&list, options->sample.value, options->seed.value);
		resolver_prepare(resolver, list.items, list.nr);
	} else {
		err = resolver_build_table(resolver, !options->no_cache);
	}
	for (size_t i = 0; !err && i < list.nr; i++)
		coverage_add(resolver, list.items[i], 1, &coverage);
	free(list.items);
	if (err)
		return err;
	print_coverage(options, resolver, &coverage, text);
	return NULL;
}

static struct error *compare(const struct resolve_options *options, struct resolver *resolver,
			     struct text *text)
{
	auto_truth_run struct truth_run run = {};
	struct json json = { .text = text };
	struct error *err = truth_run_measure(resolver, options->truth, &run);

	if (err)
		return err;
	if (options->format == FORMAT_JSON)
		accuracy_json_print(&json, resolver_source(resolver), &run.accuracy);
	else
		accuracy_text_print(text, &run.accuracy, SHOWN_ERRORS);
	return NULL;
}

static struct error *check(const struct resolve_options *options, const struct string_vec *operands)
{
	if (operands->nr > 1)
		return error_create(ERROR_USAGE, "resolve wants one kernel, not %zu", operands->nr);
	if (!options->stats && !options->ips.nr && !options->list && !options->recording &&
	    !options->table && !options->truth)
		return error_create(ERROR_USAGE,
				    "resolve wants --ip PLACE, or --ips or --recording FILE, or "
				    "--stats, or --table, or --truth DIR");
	if ((options->list != NULL) + (options->recording != NULL) + (options->ips.nr > 0) +
		    options->sample.given >
	    1)
		return error_create(ERROR_USAGE, "--ip, --ips, --recording and --sample each tell "
						 "which instructions: give one");
	if ((options->stats || options->list || options->recording) + (options->ips.nr > 0) +
		    (options->truth != NULL) >
	    1)
		return error_create(ERROR_USAGE,
				    "--ip, --stats and --truth are different questions");
	if (options->modules && !options->truth && !options->recording)
		return error_create(ERROR_USAGE, "--modules is for --recording and --truth");
	if (options->force && !options->recording)
		return error_create(ERROR_USAGE, "--force is for --recording");
	if ((options->sample.given || options->seed.given) && !options->stats)
		return error_create(ERROR_USAGE, "--sample and --seed are for --stats");
	if (options->table && options->no_cache)
		return error_create(ERROR_USAGE, "--table keeps what --no-cache would not");
	return NULL;
}

static struct error *run(void *values, const struct string_vec *operands, int *ret_status)
{
	const struct resolve_options *options = values;
	struct resolver_request request = {
		.modules = options->modules,
		.no_cache = options->no_cache,
	};
	auto_resolver struct resolver *resolver = NULL;
	auto_free char *running = NULL;
	auto_text struct text text = {};
	struct error *err;

	(void)ret_status;
	err = check(options, operands);
	if (!err && !operands->nr)
		err = types_running_kernel(&running);
	if (err)
		return err;
	request.vmlinux = running ? running : operands->items[0];
	err = resolver_open(&request, &resolver);
	if (!err && options->table)
		err = resolver_build_table(resolver, true);
	if (!err && (options->list || options->recording))
		err = resolve_many(options, resolver, &text);
	else if (!err && options->stats)
		err = measure(options, resolver, &text);
	if (!err && options->truth)
		err = compare(options, resolver, &text);
	if (!err && options->ips.nr)
		err = explain(options, resolver, &text);
	return err ? err : file_write("-", text_chars(&text), text.length);
}

const struct command command_resolve = {
	.name = "resolve",
	.synopsis = "[OPTION...] [VMLINUX]",
	.summary = "Tell which field of which struct an instruction accesses",
	.options = specs,
	.options_size = sizeof(struct resolve_options),
	.run = run,
};
