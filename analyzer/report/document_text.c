/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "report/document_formats.h"

static void add_heading(struct text *text, const struct finding *finding)
{
	text_printf(text, "\n%s", finding->type);
	if (finding->file)
		text_printf(text, "  %s", finding->file);
	if (finding->file && finding->line)
		text_printf(text, ":%u", finding->line);
	text_add_char(text, '\n');
}

static void add_finding(struct text *text, const struct finding *finding)
{
	text_printf(text, "  %s %s: %s\n", finding_word(finding), finding->rule->id,
		    finding->message);
	if (finding->evidence)
		text_printf(text, "    %s\n", finding->evidence);
	if (finding->cause)
		text_printf(text, "    follows from: %s\n", finding->cause);
	if (finding->excepted_for)
		text_printf(text, "    excepted: %s\n", finding->excepted_for);
}

static bool fired(const struct document *document, const struct rule_info *rule)
{
	for (size_t i = 0; i < document->findings.nr; i++) {
		const struct finding *finding = &document->findings.items[i];

		if (finding->rule == rule && !finding->excepted_for)
			return true;
	}
	return false;
}

static void add_rules(struct text *text, const struct document *document)
{
	bool any = false;

	for (size_t i = 0; document->rules[i]; i++) {
		const struct rule_info *rule = document->rules[i];

		if (!fired(document, rule))
			continue;
		text_printf(text, "%s%s: %s\n", any ? "" : "\n", rule->id, rule->explanation);
		any = true;
	}
}

void document_print_text(struct text *text, const struct document *document)
{
	const char *type = NULL;

	text_printf(text, "%s: %s\n", document->command, document->title);
	for (size_t i = 0; i < document->findings.nr; i++) {
		const struct finding *finding = &document->findings.items[i];

		if (!type || strcmp(type, finding->type))
			add_heading(text, finding);
		type = finding->type;
		add_finding(text, finding);
	}
	add_rules(text, document);
	if (document->gaps.nr)
		text_add_char(text, '\n');
	for (size_t i = 0; i < document->gaps.nr; i++)
		text_printf(text, "gap: %s\n", document->gaps.items[i]);
	text_add_char(text, '\n');
	document_add_summary(text, document);
	text_add_char(text, '\n');
}
