/* SPDX-License-Identifier: GPL-2.0-only */
/* SARIF 2.1.0 (OASIS Standard, 27 March 2020): one run, its rules, its results. */
#include <ctype.h>
#include <string.h>

#include "base/json.h"
#include "report/document_formats.h"

static void add_message(struct json *json, const char *key, const char *message)
{
	json_open(json, key, '{');
	json_add_string(json, "text", message);
	json_close(json, '}');
}

static void add_rules(struct json *json, const struct document *document)
{
	json_open(json, "rules", '[');
	for (size_t i = 0; document->rules[i]; i++) {
		json_newline(json, 1);
		json_open(json, NULL, '{');
		json_add_string(json, "id", document->rules[i]->id);
		add_message(json, "shortDescription", document->rules[i]->title);
		add_message(json, "fullDescription", document->rules[i]->explanation);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* A path as a URI reference (RFC 3986): percent-encoded; a colon may not look like a scheme's. */
static void add_uri(struct text *text, const char *path)
{
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if (isalnum(c) || strchr("-._~/+", c))
			text_add_char(text, *path);
		else
			text_printf(text, "%%%02X", c);
	}
}

static void add_physical_location(struct json *json, const struct finding *finding)
{
	const char *file = finding->file;
	bool absolute = file[0] == '/';
	auto_text struct text uri = {};

	while (!strncmp(file, "./", 2))
		file += 2;
	text_add(&uri, absolute ? "file://" : "");
	add_uri(&uri, file);
	json_open(json, "physicalLocation", '{');
	json_open(json, "artifactLocation", '{');
	json_add_string(json, "uri", text_chars(&uri));
	if (!absolute)
		json_add_string(json, "uriBaseId", "SRCROOT");
	json_close(json, '}');
	if (finding->line) {
		json_open(json, "region", '{');
		json_add_number(json, "startLine", finding->line);
		json_close(json, '}');
	}
	json_close(json, '}');
}

static void add_location(struct json *json, const struct finding *finding)
{
	auto_text struct text name = {};

	text_add(&name, finding->type);
	if (finding->field)
		text_printf(&name, ".%s", finding->field);
	json_open(json, "locations", '[');
	json_open(json, NULL, '{');
	if (finding->file)
		add_physical_location(json, finding);
	json_open(json, "logicalLocations", '[');
	json_open(json, NULL, '{');
	json_add_string(json, "fullyQualifiedName", text_chars(&name));
	json_add_string(json, "kind", finding->field ? "member" : "type");
	json_close(json, '}');
	json_close(json, ']');
	json_close(json, '}');
	json_close(json, ']');
}

static void add_suppression(struct json *json, const char *reason)
{
	json_open(json, "suppressions", '[');
	json_open(json, NULL, '{');
	json_add_string(json, "kind", "external");
	json_add_string(json, "status", "accepted");
	json_add_string(json, "justification", reason);
	json_close(json, '}');
	json_close(json, ']');
}

static void add_result(struct json *json, const struct document *document,
		       const struct finding *finding)
{
	auto_text struct text message = {};
	char fingerprint[17];
	size_t rule = 0;

	while (document->rules[rule] && document->rules[rule] != finding->rule)
		rule++;
	text_printf(&message, "%s: %s", finding->type, finding->message);
	if (finding->evidence)
		text_printf(&message, "\n%s", finding->evidence);
	if (finding->cause)
		text_printf(&message, "\nfollows from: %s", finding->cause);
	finding_fingerprint(finding, fingerprint);
	json_newline(json, 1);
	json_open(json, NULL, '{');
	json_add_string(json, "ruleId", finding->rule->id);
	if (document->rules[rule])
		json_add_number(json, "ruleIndex", rule);
	json_add_string(json, "level", severity_name(finding->severity));
	add_message(json, "message", text_chars(&message));
	add_location(json, finding);
	json_open(json, "partialFingerprints", '{');
	json_add_string(json, "ruleTypeField/v1", fingerprint);
	json_close(json, '}');
	if (finding->excepted_for)
		add_suppression(json, finding->excepted_for);
	json_close(json, '}');
}

static void add_invocation(struct json *json, const struct document *document)
{
	json_open(json, "invocations", '[');
	json_open(json, NULL, '{');
	json_add_bool(json, "executionSuccessful", true);
	json_open(json, "toolExecutionNotifications", '[');
	for (size_t i = 0; i < document->gaps.nr; i++) {
		json_newline(json, 1);
		json_open(json, NULL, '{');
		json_add_string(json, "level", "warning");
		add_message(json, "message", document->gaps.items[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
	json_close(json, ']');
}

static void add_tool(struct json *json, const struct document *document)
{
	json_open(json, "tool", '{');
	json_open(json, "driver", '{');
	json_add_string(json, "name", "fieldline");
	json_add_string(json, "version", FIELDLINE_VERSION);
	add_rules(json, document);
	json_close(json, '}');
	json_close(json, '}');
}

/* automationDetails keeps the results of diff and check apart where both are uploaded. */
static void add_run(struct json *json, const struct document *document)
{
	auto_text struct text category = {};

	text_printf(&category, "fieldline/%s/", document->command);
	add_tool(json, document);
	json_newline(json, 0);
	json_open(json, "automationDetails", '{');
	json_add_string(json, "id", text_chars(&category));
	add_message(json, "description", document->title);
	json_close(json, '}');
	json_open(json, "originalUriBaseIds", '{');
	json_open(json, "SRCROOT", '{');
	add_message(json, "description", "the root of the sources");
	json_close(json, '}');
	json_close(json, '}');
	json_add_string(json, "columnKind", "unicodeCodePoints");
	json_newline(json, 0);
	add_invocation(json, document);
	json_newline(json, 0);
	json_open(json, "results", '[');
	for (size_t i = 0; i < document->findings.nr; i++)
		add_result(json, document, &document->findings.items[i]);
	json_close(json, ']');
}

void document_print_sarif(struct text *text, const struct document *document)
{
	struct json json = { .text = text };

	json_open(&json, NULL, '{');
	json_add_string(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	json_add_string(&json, "version", "2.1.0");
	json_newline(&json, 0);
	json_open(&json, "runs", '[');
	json_open(&json, NULL, '{');
	add_run(&json, document);
	json_close(&json, '}');
	json_close(&json, ']');
	json_close(&json, '}');
	text_add_char(text, '\n');
}
