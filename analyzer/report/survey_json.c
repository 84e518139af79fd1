/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/survey_json.h"

#include "report/layout_json.h"
#include "report/proposal_json.h"

static void add_surveyed(struct json *json, const struct surveyed *surveyed)
{
	json_newline(json, 1);
	json_open(json, NULL, '{');
	layout_json_identity(json, surveyed->definition, 1, 1);
	proposal_json_troubles(json, "troubles", &surveyed->troubles);
	json_open(json, "holders", '[');
	for (size_t i = 0; i < surveyed->holders.nr; i++)
		json_add_string(json, NULL, surveyed->holders.items[i]);
	json_close(json, ']');
	proposal_json_figures(json, "figures", &surveyed->before);
	json_add_string(json, "proposal", surveyed->title);
	if (surveyed->title)
		proposal_json_figures(json, "figures_after", &surveyed->after);
	else
		json_add_null(json, "figures_after");
	json_close(json, '}');
}

static void add_globals(struct json *json, const struct survey *survey)
{
	json_newline(json, 0);
	json_open(json, "globals", '[');
	for (size_t i = 0; i < survey->globals.findings.nr; i++) {
		const struct finding *finding = &survey->globals.findings.items[i];

		json_newline(json, 1);
		json_open(json, NULL, '{');
		json_add_string(json, "rule", finding->rule->id);
		json_add_string(json, "type", finding->type);
		json_add_string(json, "message", finding->message);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_add_string(json, "no_globals", survey->no_globals);
}

void survey_json_print(struct text *text, const struct typeset *set, const struct survey *survey)
{
	struct json json = { text, false };

	json_open(&json, NULL, '{');
	json_add_string(&json, "schema", "fieldline.survey/1");
	layout_json_source(&json, set, survey->view);
	json_add_number(&json, "nr_structs", survey->nr_structs);
	json_newline(&json, 0);
	json_open(&json, "structs", '[');
	for (size_t i = 0; i < survey->found.nr; i++)
		add_surveyed(&json, &survey->found.items[i]);
	json_close(&json, ']');
	add_globals(&json, survey);
	json_close(&json, '}');
	text_add_char(text, '\n');
}
