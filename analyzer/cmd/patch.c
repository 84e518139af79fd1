/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline patch: a saved proposal as patches of the source, proved by a build. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/command.h"
#include "cmd/patch_proof.h"
#include "patch/assertion.h"
#include "patch/message.h"
#include "patch/series.h"
#include "patch/tree.h"
#include "store/proposal.h"

struct patch_options {
	const char *source;
	const char *output;
	struct option_number candidate;
	bool assert;
	const char *build;
	struct string_vec targets;
	struct string_vec make;
};

static const struct option_spec specs[] = {
	{ 0, "source", OPTION_STRING, offsetof(struct patch_options, source), "TREE",
	  .help = "the source that the image was built from, under git" },
	{ 'o', "output", OPTION_STRING, offsetof(struct patch_options, output), "DIR",
	  .help = "where to write the patches, if not here" },
	{ 0, "candidate", OPTION_NUMBER, offsetof(struct patch_options, candidate), "N",
	  .help = "which proposal of the file, if not the first" },
	{ 0, "assert", OPTION_FLAG, offsetof(struct patch_options, assert),
	  .help = "add a patch that asserts what is won" },
	{ 0, "build", OPTION_STRING, offsetof(struct patch_options, build), "DIR",
	  .help = "build in a view of this directory, and prove the prediction" },
	{ 0, "target", OPTION_STRINGS, offsetof(struct patch_options, targets), "TARGET",
	  .help = "what to build, if not what the file goes into" },
	{ 0, "make", OPTION_STRINGS, offsetof(struct patch_options, make), "ARGUMENT",
	  .help = "an argument for make, such as 'CC=ccache gcc'" },
	{},
};

/* From a proposal to patches: what each step found. */
struct patching {
	const struct patch_options *options;
	struct arena arena;
	struct saved_proposals saved;
	const struct proposal *proposal;
	struct tree tree;
	const char *file; /* below the tree */
	const char *before;
	const char *changed;
	const char *asserted; /* NULL = not asked for */
	struct text proved;   /* what was built and is as predicted; empty = nothing was */
	struct series series;
};

static void patching_deinit(struct patching *patching)
{
	vec_deinit(&patching->series.patches);
	text_deinit(&patching->proved);
	saved_proposals_deinit(&patching->saved);
	tree_close(&patching->tree);
	arena_deinit(&patching->arena);
}

/* Numbers are those that propose prints: what is forbidden comes behind the rest. */
static struct error *choose(struct patching *patching, const char *path)
{
	const struct proposals *proposals = &patching->saved.proposals;
	const struct option_number *number = &patching->options->candidate;
	const size_t at = number->given ? number->value - 1 : 0;
	const size_t nr = proposals->made.nr + proposals->forbidden.nr;
	const struct proposal *forbidden;

	if (at < proposals->made.nr) {
		patching->proposal = &proposals->made.items[at];
		return NULL;
	}
	if (at >= nr)
		return error_create(ERROR_NOT_FOUND, "'%s' holds %zu proposals, no number %" PRIu64,
				    path, nr, number->given ? number->value : 1);
	forbidden = &proposals->forbidden.items[at - proposals->made.nr];
	for (size_t i = 0; i < forbidden->cautions.nr; i++) {
		if (forbidden->cautions.items[i].forbids)
			return error_create(ERROR_INPUT, "'%s': proposal %zu is forbidden: %s",
					    path, at + 1, forbidden->cautions.items[i].message);
	}
	return error_create(ERROR_INPUT, "'%s': proposal %zu is forbidden", path, at + 1);
}

static struct error *read_source(struct patching *patching)
{
	const struct type *type = patching->saved.definition.type;
	struct error *err;

	if (!type->file || !type->line)
		return error_create(ERROR_INPUT,
				    "the proposal does not tell where the struct is declared: BTF "
				    "has no lines, so make it from an image with DWARF");
	err = tree_open(patching->options->source, &patching->tree);
	if (!err)
		err = tree_find(&patching->tree, type->file, &patching->file);
	if (!err)
		err = tree_check_clean(&patching->tree, patching->file);
	return err ? err : tree_read(&patching->tree, patching->file, &patching->before);
}

static struct error *change_source(struct patching *patching)
{
	const struct dialect dialect =
		dialect_of(patching->tree.path, patching->saved.source.arch->cacheline);
	const struct rewrite_request request = { patching->before, patching->file,
						 &patching->saved.definition, patching->proposal,
						 &dialect };
	struct rewriting rewriting;
	struct error *err = rewrite(&request, &rewriting);

	if (err)
		return err;
	patching->changed = arena_strdup(&patching->arena, text_chars(&rewriting.text));
	if (patching->options->assert) {
		err = assertion_add(&request, &rewriting);
		patching->asserted = arena_strdup(&patching->arena, text_chars(&rewriting.text));
	}
	rewriting_deinit(&rewriting);
	return err;
}

static struct error *prove(struct patching *patching)
{
	const struct patch_options *options = patching->options;
	auto_vec struct string_vec targets = {};
	struct proof_request request = {
		.build = { .tree = patching->tree.path,
			   .file = patching->file,
			   .text = patching->asserted ? patching->asserted : patching->changed,
			   .targets = options->targets,
			   .arguments = options->make },
		.saved = &patching->saved,
		.proposal = patching->proposal,
	};
	char directory[PATH_MAX];

	if (!realpath(options->build, directory))
		return error_from_errno(errno, "cannot open '%s'", options->build);
	request.build.directory = directory;
	if (!options->targets.nr) {
		*vec_add(&targets) = build_target(patching->file, &patching->arena);
		request.build.targets = targets;
	}
	return patch_prove(&request, &patching->proved);
}

static struct error *add_patch(struct patching *patching, const char *subject, const char *body,
			       const char *before, const char *after)
{
	auto_text struct text diff = {};
	struct patch patch = { .subject = subject, .body = body };
	struct error *err = diff_print(&diff, patching->file, before, after, &patch.stat);

	if (!err && !diff.length)
		err = error_create(ERROR_INPUT, "'%s' is already as proposed", patching->file);
	if (err)
		return err;
	patch.diff = arena_strdup(&patching->arena, text_chars(&diff));
	*vec_add(&patching->series.patches) = patch;
	return NULL;
}

/* "block: ..." before what print adds. */
static const char *print_subject(struct patching *patching, const char *subsystem,
				 const char *before, const struct message_request *request)
{
	auto_text struct text text = {};

	text_printf(&text, "%s: %s", subsystem, before);
	message_print_subject(&text, request);
	return arena_strdup(&patching->arena, text_chars(&text));
}

static struct error *make_series(struct patching *patching)
{
	const struct message_request request = {
		&patching->saved.proposals, patching->proposal, &patching->saved.source,
		patching->proved.length ? text_chars(&patching->proved) : NULL
	};
	const char *label = definition_label(&patching->saved.definition, &patching->arena);
	struct series *series = &patching->series;
	auto_text struct text body = {}, assertion = {};
	const char *subsystem;
	struct error *err = tree_subsystem(&patching->tree, patching->file, &subsystem);

	if (!err)
		err = tree_author(&patching->tree, &series->author);
	if (err)
		return err;
	series->file = patching->file;
	series->subject = print_subject(patching, subsystem, "", &request);
	message_print_body(&body, &request);
	series->body = arena_strdup(&patching->arena, text_chars(&body));
	err = add_patch(patching, series->subject, series->body, patching->before,
			patching->changed);
	if (err || !patching->asserted)
		return err;
	message_add_paragraph(
		&assertion, "",
		arena_printf(&patching->arena,
			     "What the layout of %s was changed for gets lost without "
			     "a sign when somebody adds a field. Let the build fail "
			     "instead.",
			     label));
	return add_patch(
		patching,
		arena_printf(&patching->arena, "%s: assert the layout of %s", subsystem, label),
		arena_strdup(&patching->arena, text_chars(&assertion)), patching->changed,
		patching->asserted);
}

static struct error *write_patch(struct patching *patching, size_t number, const char *path)
{
	auto_text struct text text = {};

	series_print(&text, &patching->series, number);
	return file_write(path, text_chars(&text), text.length);
}

/* All patches or none. */
static struct error *write_series(struct patching *patching)
{
	const char *directory = patching->options->output;
	auto_vec struct string_vec paths = {};
	auto_text struct text report = {};
	struct error *err = NULL;

	if (directory && mkdir(directory, 0777) < 0 && errno != EEXIST)
		return error_from_errno(errno, "cannot make '%s'", directory);
	for (size_t i = 0; !err && i <= patching->series.patches.nr; i++) {
		auto_text struct text name = {};

		series_print_name(&name, &patching->series, i);
		*vec_add(&paths) =
			arena_printf(&patching->arena, "%s%s%s", directory ? directory : "",
				     directory ? "/" : "", text_chars(&name));
		err = write_patch(patching, i, paths.items[i]);
		text_printf(&report, "%s\n", paths.items[i]);
	}
	for (size_t i = 0; err && i + 1 < paths.nr; i++)
		unlink(paths.items[i]);
	if (patching->proved.length)
		text_printf(&report, "proved: %s has the layout that was predicted\n",
			    text_chars(&patching->proved));
	return err ? err : file_write("-", text_chars(&report), report.length);
}

static struct error *check(const struct patch_options *options, const struct string_vec *operands)
{
	if (operands->nr != 1)
		return error_create(ERROR_USAGE,
				    "patch wants PROPOSAL, saved by 'fieldline propose --output "
				    "json'; --help shows how");
	if (!options->source)
		return error_create(ERROR_USAGE, "patch wants --source TREE");
	if (!options->build && (options->targets.nr || options->make.nr))
		return error_create(ERROR_USAGE, "--target and --make go with --build");
	if (options->candidate.given && !options->candidate.value)
		return error_create(ERROR_USAGE, "proposals are counted from 1");
	return NULL;
}

static struct error *run(void *values, const struct string_vec *operands, int *ret_status)
{
	struct patching patching __attribute__((cleanup(patching_deinit))) = { .options = values };
	struct error *err = check(patching.options, operands);

	(void)ret_status;
	if (!err)
		err = proposals_read(operands->items[0], &patching.saved);
	if (err)
		return err;
	patching.saved.proposals.definition = &patching.saved.definition;
	err = choose(&patching, operands->items[0]);
	if (!err)
		err = read_source(&patching);
	if (!err)
		err = change_source(&patching);
	if (!err && patching.options->build)
		err = prove(&patching);
	if (!err)
		err = make_series(&patching);
	return err ? err : write_series(&patching);
}

const struct command command_patch = {
	.name = "patch",
	.synopsis = "[OPTION...] --source TREE PROPOSAL",
	.summary = "Write a proposal as patches of the source, and prove them",
	.options = specs,
	.options_size = sizeof(struct patch_options),
	.run = run,
};
