/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/outputs.h"

#include <string.h>

#include "base/file.h"
#include "cmd/command.h"

static const char *const outcomes[] = { "differs", "violation", "incomplete", NULL };

static bool is_outcome(const char *word)
{
	for (size_t i = 0; outcomes[i]; i++) {
		if (!strcmp(outcomes[i], word))
			return true;
	}
	return false;
}

static struct error *find_format(const char *name, enum document_format *ret)
{
	auto_text struct text known = {};

	for (unsigned int i = 0; document_formats[i]; i++) {
		if (!strcmp(document_formats[i], name)) {
			*ret = i;
			return NULL;
		}
		text_printf(&known, "%s%s", i ? ", " : "", document_formats[i]);
	}
	return error_create(ERROR_USAGE, "--report wants one of %s, not '%s'", text_chars(&known),
			    name);
}

/* Lines of text, and the workflow commands a runner picks out of them. */
static bool may_share(enum document_format format)
{
	return format == DOCUMENT_TEXT || format == DOCUMENT_GITHUB;
}

static struct error *check_place(const struct outputs *outputs, const struct output *added)
{
	for (size_t i = 0; i < outputs->outputs.nr; i++) {
		const struct output *other = &outputs->outputs.items[i];

		if (strcmp(other->path, added->path))
			continue;
		if (!strcmp(added->path, "-") && other->format != added->format &&
		    may_share(other->format) && may_share(added->format))
			continue;
		return error_create(
			ERROR_USAGE,
			"both --report %s and --report %s go to %s; name a file: %s=FILE",
			document_formats[other->format], document_formats[added->format],
			strcmp(added->path, "-") ? added->path : "standard output",
			document_formats[added->format]);
	}
	return NULL;
}

static struct error *add_report(struct outputs *outputs, const char *report)
{
	char *format = arena_strdup(&outputs->arena, report);
	char *equals = strchr(format, '=');
	struct output output = { .path = "-" };
	struct error *err;

	if (equals) {
		*equals = '\0';
		output.path = equals + 1;
		if (!*output.path)
			return error_create(ERROR_USAGE, "--report %s names no file", report);
	}
	err = find_format(format, &output.format);
	if (!err)
		err = check_place(outputs, &output);
	if (!err)
		*vec_add(&outputs->outputs) = output;
	return err;
}

static bool names_rule(const char *word, const struct rule_info *const *rules)
{
	for (; *rules; rules++) {
		if (text_matches(word, (*rules)->id))
			return true;
	}
	return false;
}

static struct error *add_words(struct outputs *outputs, const char *list,
			       const struct rule_info *const *rules)
{
	char *rest = arena_strdup(&outputs->arena, list);
	auto_text struct text known = {};
	char *word;

	while ((word = strsep(&rest, ","))) {
		if (is_outcome(word) || names_rule(word, rules)) {
			*vec_add(&outputs->fail_on) = word;
			continue;
		}
		for (size_t i = 0; outcomes[i]; i++)
			text_printf(&known, "%s, ", outcomes[i]);
		for (size_t i = 0; rules[i]; i++)
			text_printf(&known, "%s%s", rules[i]->id, rules[i + 1] ? ", " : "");
		return error_create(ERROR_USAGE, "--fail-on knows %s, not '%s'", text_chars(&known),
				    word);
	}
	return NULL;
}

struct error *outputs_parse(const struct outputs_options *options,
			    const struct rule_info *const *rules, struct outputs *ret)
{
	struct outputs outputs = { .exit_zero = options->exit_zero };
	struct error *err = NULL;

	for (size_t i = 0; i < options->reports.nr && !err; i++)
		err = add_report(&outputs, options->reports.items[i]);
	for (size_t i = 0; i < options->fail_on.nr && !err; i++)
		err = add_words(&outputs, options->fail_on.items[i], rules);
	if (err) {
		outputs_deinit(&outputs);
		return err;
	}
	if (!outputs.outputs.nr)
		*vec_add(&outputs.outputs) = (struct output){ DOCUMENT_TEXT, "-" };
	*ret = outputs;
	return NULL;
}

void outputs_deinit(struct outputs *outputs)
{
	vec_deinit(&outputs->outputs);
	vec_deinit(&outputs->fail_on);
	arena_deinit(&outputs->arena);
}

struct error *outputs_write(const struct outputs *outputs, const struct document *document,
			    const struct outputs_printer *own)
{
	size_t nr = outputs->outputs.nr;
	struct text *texts = memory_alloc(nr, sizeof(*texts));
	struct error *err = NULL;

	for (size_t i = 0; i < nr; i++) {
		enum document_format format = outputs->outputs.items[i].format;

		if (!own || !own->print(&texts[i], own->context, format))
			document_print(&texts[i], document, format);
	}
	for (size_t i = 0; i < nr; i++) {
		if (!err)
			err = file_write(outputs->outputs.items[i].path, text_chars(&texts[i]),
					 texts[i].length);
		text_deinit(&texts[i]);
	}
	free(texts);
	return err;
}

static bool counts(const struct outputs *outputs, const char *outcome)
{
	for (size_t i = 0; i < outputs->fail_on.nr; i++) {
		if (!strcmp(outputs->fail_on.items[i], outcome))
			return true;
	}
	return !outputs->fail_on.nr;
}

static bool rule_counts(const struct outputs *outputs, const struct rule_info *rule)
{
	for (size_t i = 0; i < outputs->fail_on.nr; i++) {
		const char *word = outputs->fail_on.items[i];

		if (!is_outcome(word) && text_matches(word, rule->id))
			return true;
	}
	return false;
}

static int finding_status(const struct outputs *outputs, const struct finding *finding)
{
	bool named = rule_counts(outputs, finding->rule);

	if (finding->excepted_for)
		return 0;
	if (finding->severity == SEVERITY_ERROR && (named || counts(outputs, "violation")))
		return EXIT_CODE_VIOLATION | EXIT_CODE_DIFFERS;
	if (named || (finding->severity != SEVERITY_NOTE && counts(outputs, "differs")))
		return EXIT_CODE_DIFFERS;
	return 0;
}

int outputs_status(const struct outputs *outputs, const struct document *document)
{
	int status = 0;

	if (outputs->exit_zero)
		return 0;
	for (size_t i = 0; i < document->findings.nr; i++)
		status |= finding_status(outputs, &document->findings.items[i]);
	if (document->gaps.nr && counts(outputs, "incomplete"))
		status |= EXIT_CODE_INCOMPLETE;
	return status;
}
