/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * GitHub's workflow commands: "::error file=F,line=N,title=T::message" on standard output makes an
 * annotation of a line of the pull request. The runner shows ten of each severity a step.
 */
#include "report/document_formats.h"

/* As @actions/core escapes: data only what would end the line, properties their separators too. */
static void add_escaped(struct text *text, const char *value, bool property)
{
	for (; *value; value++) {
		unsigned char c = (unsigned char)*value;

		if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
			text_printf(text, "%%%02X", c);
		else
			text_add_char(text, *value);
	}
}

static void add_property(struct text *text, char separator, const char *name, const char *value)
{
	text_printf(text, "%c%s=", separator, name);
	add_escaped(text, value, true);
}

static void add_title(struct text *text, char separator, const struct finding *finding)
{
	add_property(text, separator, "title", finding->rule->id);
	text_add_char(text, ' ');
	add_escaped(text, finding->rule->title, true);
}

static void add_finding(struct text *text, const struct finding *finding)
{
	static const char *const commands[] = { "notice", "warning", "error" };

	text_printf(text, "::%s", commands[finding->severity]);
	if (finding->file) {
		add_property(text, ' ', "file", finding->file);
		if (finding->line)
			text_printf(text, ",line=%u", finding->line);
	}
	add_title(text, finding->file ? ',' : ' ', finding);
	text_add(text, "::");
	add_escaped(text, finding->type, false);
	text_add(text, ": ");
	add_escaped(text, finding->message, false);
	if (finding->evidence) {
		text_add(text, "%0A");
		add_escaped(text, finding->evidence, false);
	}
	if (finding->cause) {
		text_add(text, "%0Afollows from: ");
		add_escaped(text, finding->cause, false);
	}
	text_add_char(text, '\n');
}

void document_print_github(struct text *text, const struct document *document)
{
	for (size_t i = 0; i < document->findings.nr; i++) {
		if (!document->findings.items[i].excepted_for)
			add_finding(text, &document->findings.items[i]);
	}
	for (size_t i = 0; i < document->gaps.nr; i++) {
		text_add(text, "::warning title=evidence incomplete::");
		add_escaped(text, document->gaps.items[i], false);
		text_add_char(text, '\n');
	}
}
