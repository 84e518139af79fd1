/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline c2c: which fields of which objects CPUs fight over. */
#include <string.h>

#include "analyze/aggregate.h"
#include "base/file.h"
#include "cmd/c2c_stats.h"
#include "cmd/command.h"
#include "cmd/session.h"
#include "report/profile_text.h"
#include "store/profile.h"

#define NR_SHOWN 10
#define CACHELINE_MIN 16
#define CACHELINE_MAX 4096

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_C };
enum stats { STATS_NONE, STATS_TOTAL, STATS_LINES };

static const char *const formats[] = { "text", "json", "c", NULL };
static const char *const stats[] = { "none", "total", "lines", NULL };
static const char *const views[] = {
	[PROFILE_BY_TYPE] = "type", [PROFILE_BY_OBJECT] = "object",
	[PROFILE_BY_LINE] = "line", [PROFILE_BY_FUNCTION] = "function",
	[PROFILE_BY_CPU] = "cpu",   [PROFILE_BY_NODE] = "node",
	[PROFILE_BY_TIME] = "time", NULL,
};

struct c2c_options {
	const char *kernel;
	const char *modules;
	struct option_number window;
	struct option_number cacheline;
	unsigned int by; /* enum profile_by */
	struct string_vec types;
	struct option_number top;
	unsigned int format;
	const char *output;
	unsigned int stats; /* enum stats */
	bool every_access;
	bool force;
	bool no_cache;
};

static const struct option_spec specs[] = {
	{ 'k', "kernel", OPTION_STRING, offsetof(struct c2c_options, kernel), "VMLINUX",
	  .help = "the recording's kernel, with debug information" },
	{ 0, "modules", OPTION_STRING, offsetof(struct c2c_options, modules), "DIR",
	  .help = "where its modules are" },
	{ 'b', "by", OPTION_CHOICE, offsetof(struct c2c_options, by), "WHAT", .choices = views,
	  .help = "what to add up by" },
	{ 't', "type", OPTION_STRINGS, offsetof(struct c2c_options, types), "STRUCT",
	  .help = "only this struct, fought over or not" },
	{ 'n', "top", OPTION_NUMBER, offsetof(struct c2c_options, top), "N",
	  .help = "show at most N of them (10)" },
	{ 'f', "format", OPTION_CHOICE, offsetof(struct c2c_options, format), "WHAT",
	  .choices = formats, .help = "how to print" },
	{ 'o', "output", OPTION_STRING, offsetof(struct c2c_options, output), "FILE",
	  .help = "save the profile as JSON, too" },
	{ 0, "stats", OPTION_CHOICE, offsetof(struct c2c_options, stats), "WHAT", .choices = stats,
	  .optional = true, .implied = STATS_TOTAL, .help = "only what perf c2c counts, as JSON" },
	{ 0, "window", OPTION_NUMBER, offsetof(struct c2c_options, window), "NS",
	  .help = "how far apart accesses meet (10000)" },
	{ 0, "cacheline", OPTION_NUMBER, offsetof(struct c2c_options, cacheline), "BYTES",
	  .help = "size of a line, if not the machine's own" },
	{ 0, "every-access", OPTION_FLAG, offsetof(struct c2c_options, every_access),
	  .help = "the recording holds all accesses, no samples" },
	{ 0, "no-cache", OPTION_FLAG, offsetof(struct c2c_options, no_cache),
	  .help = "keep no table of the kernel" },
	{ 0, "force", OPTION_FLAG, offsetof(struct c2c_options, force),
	  .help = "take a kernel of another build" },
	{},
};

static struct error *check(const struct c2c_options *options, const struct string_vec *operands)
{
	uint64_t cacheline = options->cacheline.value;

	if (operands->nr > 1)
		return error_create(ERROR_USAGE, "c2c reads one recording; --help shows how");
	if (options->cacheline.given && (cacheline < CACHELINE_MIN || cacheline > CACHELINE_MAX ||
					 (cacheline & (cacheline - 1))))
		return error_create(ERROR_USAGE,
				    "--cacheline wants a power of two from %d to %d, not %llu",
				    CACHELINE_MIN, CACHELINE_MAX, (unsigned long long)cacheline);
	if (options->by != PROFILE_BY_TYPE && options->format != FORMAT_TEXT)
		return error_create(ERROR_USAGE, "--by %s does not go with --format %s",
				    views[options->by], formats[options->format]);
	if (options->types.nr && options->format == FORMAT_JSON)
		return error_create(ERROR_USAGE, "--type does not go with --format json");
	return NULL;
}

/* Only the recording is read. */
static struct error *run_stats(const struct c2c_options *options, const char *path)
{
	const char *unused = options->kernel		 ? "--kernel" :
			     options->by		 ? "--by" :
			     options->types.nr		 ? "--type" :
			     options->output		 ? "--output" :
			     options->format == FORMAT_C ? "--format c" :
							   NULL;
	auto_text struct text text = {};
	struct error *err;

	if (unused)
		return error_create(ERROR_USAGE, "%s does not go with --stats", unused);
	err = c2c_stats_print(&text, path, options->stats == STATS_LINES);
	return err ? err : file_write("-", text_chars(&text), text.length);
}

/* Of a saved profile the recording's options say nothing. */
static struct error *check_saved(const struct c2c_options *options, const char *path)
{
	const char *unused = options->kernel	      ? "--kernel" :
			     options->modules	      ? "--modules" :
			     options->window.given    ? "--window" :
			     options->cacheline.given ? "--cacheline" :
			     options->every_access    ? "--every-access" :
							NULL;

	if (unused)
		return error_create(ERROR_USAGE, "'%s' is a profile: %s does not go with it", path,
				    unused);
	return NULL;
}

static struct error *check_types(const struct profile *profile, const struct string_vec *types)
{
	for (size_t i = 0; i < types->nr; i++) {
		if (profile_find_type(profile, types->items[i]) == PROFILE_NONE)
			return error_create(ERROR_NOT_FOUND, "no sample touched a '%s'",
					    types->items[i]);
	}
	return NULL;
}

static struct error *save(const char *path, const struct profile *profile)
{
	auto_text struct text text = {};

	profile_print(&text, profile, NULL, NULL);
	return file_write(path, text_chars(&text), text.length);
}

static struct error *print(const struct c2c_options *options, const struct profile *profile)
{
	const struct profile_text_options shown = {
		.by = options->by,
		.nr_shown = options->top.given && options->top.value < UINT32_MAX ?
				    (uint32_t)options->top.value :
			    options->top.given ? UINT32_MAX :
						 NR_SHOWN,
		.types = &options->types,
	};
	auto_text struct text text = {};
	struct error *err = check_types(profile, &options->types);

	if (!err && options->output)
		err = save(options->output, profile);
	if (err)
		return err;
	if (options->format == FORMAT_JSON)
		profile_print(&text, profile, NULL, NULL);
	else if (options->format == FORMAT_C)
		profile_c_print(&text, profile, &shown);
	else
		profile_text_print(&text, profile, &shown);
	return file_write("-", text_chars(&text), text.length);
}

static struct error *run_saved(const struct c2c_options *options, const char *path)
{
	auto_profile struct profile profile = {};
	struct error *err = check_saved(options, path);

	if (!err)
		err = profile_read(path, &profile);
	return err ? err : print(options, &profile);
}

static struct error *run(void *values, const struct string_vec *operands, int *ret_status)
{
	const struct c2c_options *options = values;
	const char *path = operands->nr ? operands->items[0] : "perf.data";
	const struct session_request request = {
		.recording = path,
		.vmlinux = options->kernel,
		.modules = options->modules,
		.window_ns = options->window.given ? options->window.value : AGGREGATE_WINDOW_NS,
		.cacheline = (uint32_t)options->cacheline.value,
		.every_access = options->every_access,
		.force = options->force,
		.no_cache = options->no_cache,
	};
	auto_session struct session *session = NULL;
	struct error *err = check(options, operands);

	(void)ret_status;
	if (!err && options->stats)
		return run_stats(options, path);
	if (!err && strcmp(path, "-") && profile_is_one(path))
		return run_saved(options, path);
	if (!err)
		err = session_run(&request, &session);
	return err ? err : print(options, session_profile(session));
}

const struct command command_c2c = {
	.name = "c2c",
	.synopsis = "[OPTION...] [FILE]",
	.summary = "Show which fields CPUs fight over, who does, and why",
	.options = specs,
	.options_size = sizeof(struct c2c_options),
	.run = run,
};
