/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/json.h"
#include "report/document_formats.h"

static void add_line(struct json *json, uint32_t line)
{
	if (line)
		json_add_number(json, "line", line);
	else
		json_add_null(json, "line");
}

static void add_summary(struct json *json, const struct document *document)
{
	struct tally tally = document_tally(document);

	json_open(json, "summary", '{');
	json_add_number(json, "errors", tally.nr[SEVERITY_ERROR]);
	json_add_number(json, "warnings", tally.nr[SEVERITY_WARNING]);
	json_add_number(json, "notes", tally.nr[SEVERITY_NOTE]);
	json_add_number(json, "excepted", tally.nr_excepted);
	json_add_number(json, "examined", document->examined.nr);
	json_add_number(json, "gaps", document->gaps.nr);
	json_close(json, '}');
}

static void add_rules(struct json *json, const struct document *document)
{
	json_open(json, "rules", '[');
	for (size_t i = 0; document->rules[i]; i++) {
		json_newline(json, 1);
		json_open(json, NULL, '{');
		json_add_string(json, "id", document->rules[i]->id);
		json_add_string(json, "title", document->rules[i]->title);
		json_add_string(json, "explanation", document->rules[i]->explanation);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_finding(struct json *json, const struct finding *finding)
{
	char fingerprint[17];

	finding_fingerprint(finding, fingerprint);
	json_newline(json, 1);
	json_open(json, NULL, '{');
	json_add_string(json, "rule", finding->rule->id);
	json_add_string(json, "severity", severity_name(finding->severity));
	json_add_string(json, "type", finding->type);
	json_add_string(json, "field", finding->field);
	json_add_string(json, "file", finding->file);
	add_line(json, finding->line);
	json_add_string(json, "message", finding->message);
	json_add_string(json, "evidence", finding->evidence);
	json_add_string(json, "cause", finding->cause);
	json_add_string(json, "excepted_for", finding->excepted_for);
	json_add_string(json, "fingerprint", fingerprint);
	json_close(json, '}');
}

static void add_examined(struct json *json, const struct examined *examined)
{
	json_newline(json, 1);
	json_open(json, NULL, '{');
	json_add_string(json, "type", examined->type);
	json_add_string(json, "file", examined->file);
	add_line(json, examined->line);
	json_close(json, '}');
}

void document_print_json(struct text *text, const struct document *document)
{
	struct json json = { .text = text };

	json_open(&json, NULL, '{');
	json_add_string(&json, "schema", "fieldline.findings/1");
	json_add_string(&json, "command", document->command);
	json_add_string(&json, "title", document->title);
	json_newline(&json, 0);
	add_summary(&json, document);
	json_newline(&json, 0);
	add_rules(&json, document);
	json_newline(&json, 0);
	json_open(&json, "findings", '[');
	for (size_t i = 0; i < document->findings.nr; i++)
		add_finding(&json, &document->findings.items[i]);
	json_close(&json, ']');
	json_newline(&json, 0);
	json_open(&json, "examined", '[');
	for (size_t i = 0; i < document->examined.nr; i++)
		add_examined(&json, &document->examined.items[i]);
	json_close(&json, ']');
	json_newline(&json, 0);
	json_open(&json, "gaps", '[');
	for (size_t i = 0; i < document->gaps.nr; i++) {
		json_newline(&json, 1);
		json_add_string(&json, NULL, document->gaps.items[i]);
	}
	json_close(&json, ']');
	json_close(&json, '}');
	text_add_char(text, '\n');
}
