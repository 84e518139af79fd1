/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/document.h"

#include "report/document_formats.h"

const char *const document_formats[] = {
	[DOCUMENT_TEXT] = "text",
	[DOCUMENT_JSON] = "json",
	[DOCUMENT_MARKDOWN] = "markdown",
	[DOCUMENT_GITHUB] = "github",
	[DOCUMENT_SARIF] = "sarif",
	[DOCUMENT_JUNIT] = "junit",
	NULL,
};

void document_print(struct text *text, const struct document *document, enum document_format format)
{
	static void (*const printers[])(struct text *, const struct document *) = {
		[DOCUMENT_TEXT] = document_print_text,
		[DOCUMENT_JSON] = document_print_json,
		[DOCUMENT_MARKDOWN] = document_print_markdown,
		[DOCUMENT_GITHUB] = document_print_github,
		[DOCUMENT_SARIF] = document_print_sarif,
		[DOCUMENT_JUNIT] = document_print_junit,
	};

	printers[format](text, document);
}

const char *finding_word(const struct finding *finding)
{
	return finding->excepted_for ? "excepted" : severity_name(finding->severity);
}

static void add_count(struct text *text, const char **separator, size_t nr, const char *word,
		      const char *plural)
{
	if (!nr)
		return;
	text_printf(text, "%s%zu %s%s", *separator, nr, word, nr == 1 ? "" : plural);
	*separator = ", ";
}

void document_add_summary(struct text *text, const struct document *document)
{
	struct tally tally = document_tally(document);
	const char *separator = "";

	for (int severity = SEVERITY_ERROR; severity >= SEVERITY_NOTE; severity--)
		add_count(text, &separator, tally.nr[severity],
			  severity_name((enum severity)severity), "s");
	add_count(text, &separator, tally.nr_excepted, "excepted", "");
	if (!document->findings.nr)
		text_add(text, "nothing found");
	separator = "; ";
	add_count(text, &separator, document->examined.nr, "examined", "");
	add_count(text, &separator, document->gaps.nr, "gap", "s");
}
