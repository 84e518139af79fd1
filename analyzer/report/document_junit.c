/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JUnit's XML as Jenkins, GitLab and KernelCI read it: a test case for each examined struct, with
 * at most one <failure>, since consumers keep only one. Notes and excepted findings do not fail.
 */
#include <string.h>

#include "base/map.h"
#include "report/document_formats.h"

/* The findings of one struct: finding i is followed by next[i]; ends are 1 + index, 0 = none. */
struct junit_case {
	const char *type;
	const char *file;
	uint32_t line;
	size_t first;
	size_t last;
};

struct cases {
	struct junit_case *items;
	size_t nr;
	size_t *next;
};

/* XML 1.0, 2.2: most control characters can't be written at all, not even as references. */
static void add_escaped(struct text *text, const char *value)
{
	while (*value) {
		size_t length = text_utf8_length(value);
		const char *entity = *value == '&'  ? "&amp;" :
				     *value == '<'  ? "&lt;" :
				     *value == '>'  ? "&gt;" :
				     *value == '"'  ? "&quot;" :
				     *value == '\n' ? "&#10;" :
				     *value == '\t' ? "&#9;" :
						      NULL;

		if (entity)
			text_add(text, entity);
		else if (!length || (unsigned char)*value < ' ' ||
			 !strncmp(value, "\xef\xbf\xbe", 3) || !strncmp(value, "\xef\xbf\xbf", 3))
			text_add(text, "\xef\xbf\xbd");
		else
			text_add_bytes(text, value, length);
		value += length ? length : 1;
	}
}

static void add_attribute(struct text *text, const char *name, const char *value)
{
	text_printf(text, " %s=\"", name);
	add_escaped(text, value);
	text_add_char(text, '"');
}

static struct junit_case *case_of(struct cases *cases, struct map *seen, const char *type)
{
	bool is_new;
	struct map_slot *slot = map_add(seen, hash_string(0, type), &is_new);

	if (is_new) {
		slot->value = cases->nr;
		cases->items[cases->nr++] = (struct junit_case){ .type = type };
	}
	return &cases->items[slot->value];
}

static void collect(const struct document *document, struct cases *ret)
{
	auto_map struct map seen = {};

	ret->items =
		memory_alloc(document->examined.nr + document->findings.nr, sizeof(*ret->items));
	ret->next = memory_alloc(document->findings.nr, sizeof(*ret->next));
	for (size_t i = 0; i < document->examined.nr; i++) {
		const struct examined *examined = &document->examined.items[i];
		struct junit_case *one = case_of(ret, &seen, examined->type);

		one->file = examined->file;
		one->line = examined->line;
	}
	for (size_t i = 0; i < document->findings.nr; i++) {
		struct junit_case *one = case_of(ret, &seen, document->findings.items[i].type);

		if (one->last)
			ret->next[one->last - 1] = i + 1;
		else
			one->first = i + 1;
		one->last = i + 1;
	}
}

static bool fails(const struct finding *finding)
{
	return finding->severity != SEVERITY_NOTE && !finding->excepted_for;
}

static void add_finding(struct text *text, const struct finding *finding)
{
	auto_text struct text line = {};

	text_printf(&line, "%s %s: %s\n", finding_word(finding), finding->rule->id,
		    finding->message);
	if (finding->evidence)
		text_printf(&line, "  %s\n", finding->evidence);
	if (finding->cause)
		text_printf(&line, "  follows from: %s\n", finding->cause);
	if (finding->excepted_for)
		text_printf(&line, "  excepted: %s\n", finding->excepted_for);
	add_escaped(text, text_chars(&line));
}

/* Either those that fail the case or the others, inside of an element that is opened here. */
static size_t add_findings(struct text *text, const struct document *document,
			   const struct cases *cases, const struct junit_case *one, bool failing)
{
	size_t nr = 0;

	for (size_t i = one->first; i; i = cases->next[i - 1]) {
		const struct finding *finding = &document->findings.items[i - 1];

		if (fails(finding) != failing)
			continue;
		if (!nr++ && failing) {
			text_add(text, "\t\t<failure");
			add_attribute(text, "type", finding->rule->id);
			add_attribute(text, "message", finding->message);
			text_add_char(text, '>');
		} else if (nr == 1) {
			text_add(text, "\t\t<system-out>");
		}
		add_finding(text, finding);
	}
	if (nr)
		text_add(text, failing ? "</failure>\n" : "</system-out>\n");
	return nr;
}

static bool add_case(struct text *text, const struct document *document, const struct cases *cases,
		     const struct junit_case *one)
{
	size_t nr_failures;

	text_printf(text, "\t<testcase classname=\"fieldline.%s\"", document->command);
	add_attribute(text, "name", one->type);
	if (one->file)
		add_attribute(text, "file", one->file);
	if (one->line)
		text_printf(text, " line=\"%u\"", one->line);
	text_add(text, ">\n");
	nr_failures = add_findings(text, document, cases, one, true);
	add_findings(text, document, cases, one, false);
	text_add(text, "\t</testcase>\n");
	return nr_failures;
}

static void add_gaps(struct text *text, const struct document *document)
{
	text_printf(text,
		    "\t<testcase classname=\"fieldline.%s\" name=\"evidence\">\n"
		    "\t\t<error type=\"incomplete\"",
		    document->command);
	add_attribute(text, "message", document->gaps.items[0]);
	text_add_char(text, '>');
	for (size_t i = 0; i < document->gaps.nr; i++) {
		add_escaped(text, document->gaps.items[i]);
		text_add(text, "&#10;");
	}
	text_add(text, "</error>\n\t</testcase>\n");
}

void document_print_junit(struct text *text, const struct document *document)
{
	auto_text struct text body = {};
	struct cases cases = {};
	size_t nr_failures = 0, nr_errors = document->gaps.nr ? 1 : 0;

	collect(document, &cases);
	for (size_t i = 0; i < cases.nr; i++)
		nr_failures += add_case(&body, document, &cases, &cases.items[i]);
	if (nr_errors)
		add_gaps(&body, document);
	text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite");
	add_attribute(text, "name", document->title);
	text_printf(text, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\">\n",
		    cases.nr + nr_errors, nr_failures, nr_errors);
	text_add_bytes(text, text_chars(&body), body.length);
	text_add(text, "</testsuite>\n</testsuites>\n");
	free(cases.items);
	free(cases.next);
}
