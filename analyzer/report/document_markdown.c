/* SPDX-License-Identifier: GPL-2.0-only */
/* GitHub-flavoured Markdown for a comment on a pull request or a job's summary. */
#include <ctype.h>
#include <string.h>

#include "report/document_formats.h"

/* GitHub refuses a comment of more than 65,536 characters. */
#define MAX_LENGTH 60000

/* A backslash may stand before any punctuation (CommonMark 0.31, 2.4); a newline ends the row. */
static void add_escaped(struct text *text, const char *value)
{
	for (; *value; value++) {
		if (strchr("\\`*_{}[]<>()#+!|~&@", *value))
			text_add_char(text, '\\');
		text_add_char(text, iscntrl((unsigned char)*value) ? ' ' : *value);
	}
}

/* Code that holds no backtick; in a table | is escaped even inside of code (GFM, 4.10). */
static void add_code(struct text *text, const char *value)
{
	text_add_char(text, '`');
	for (; *value; value++) {
		if (*value == '|')
			text_add_char(text, '\\');
		text_add_char(text, *value == '`' || iscntrl((unsigned char)*value) ? ' ' : *value);
	}
	text_add_char(text, '`');
}

static void add_remark(struct text *text, const char *before, const char *value)
{
	if (!value)
		return;
	text_printf(text, "<br>%s", before);
	add_escaped(text, value);
}

static void add_row(struct text *text, const struct finding *finding)
{
	text_printf(text, "| %s | ", finding_word(finding));
	add_code(text, finding->type);
	text_printf(text, " | %s | ", finding->rule->id);
	add_escaped(text, finding->message);
	add_remark(text, "", finding->evidence);
	add_remark(text, "follows from: ", finding->cause);
	add_remark(text, "excepted: ", finding->excepted_for);
	if (finding->file) {
		text_add(text, "<br>");
		add_code(text, finding->file);
		if (finding->line)
			text_printf(text, " line %u", finding->line);
	}
	text_add(text, " |\n");
}

static void add_table(struct text *text, const struct document *document, size_t start)
{
	size_t nr = document->findings.nr;

	text_add(text, "\n| | struct | rule | what |\n|---|---|---|---|\n");
	for (size_t i = 0; i < nr; i++) {
		size_t before = text->length;

		add_row(text, &document->findings.items[i]);
		if (text->length - start <= MAX_LENGTH)
			continue;
		text->length = before;
		text_printf(text, "\n%zu more findings are left out here\n", nr - i);
		break;
	}
}

void document_print_markdown(struct text *text, const struct document *document)
{
	size_t start = text->length;

	text_printf(text, "### fieldline %s: ", document->command);
	add_escaped(text, document->title);
	text_add(text, "\n\n");
	document_add_summary(text, document);
	text_add_char(text, '\n');
	if (document->findings.nr)
		add_table(text, document, start);
	if (document->gaps.nr)
		text_add(text, "\nNot all could be examined:\n\n");
	for (size_t i = 0; i < document->gaps.nr; i++) {
		text_add(text, "- ");
		add_escaped(text, document->gaps.items[i]);
		text_add_char(text, '\n');
	}
}
