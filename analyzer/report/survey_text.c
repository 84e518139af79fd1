/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/survey_text.h"

#include <inttypes.h>

#define MAX_SHOWN 10
#define MAX_HOLDERS 3

static void print_cost(struct text *text, const struct surveyed *surveyed)
{
	const struct figures *before = &surveyed->before, *after = &surveyed->after;

	text_printf(text, "   %s: %" PRIu64 " bytes", surveyed->title, after->size);
	if (after->size == before->size)
		text_add(text, ", as before");
	else
		text_printf(text, ", %c%" PRIu64, after->size > before->size ? '+' : '-',
			    after->size > before->size ? after->size - before->size :
							 before->size - after->size);
	if (after->slab_object != before->slab_object)
		text_printf(text, "; %" PRIu64 " instead of %" PRIu64 " in a cache of its own",
			    after->slab_object, before->slab_object);
	else if (after->size > before->size && after->slab_object)
		text_add(text, ", free in a cache of its own");
	text_add_char(text, '\n');
}

static void print_holders(struct text *text, const struct string_vec *holders)
{
	const size_t nr = holders->nr < MAX_HOLDERS ? holders->nr : MAX_HOLDERS;

	for (size_t i = 0; i < nr; i++)
		text_printf(text, "%s%s", i ? ", " : "   and so in ", holders->items[i]);
	if (nr < holders->nr)
		text_printf(text, " and %zu more", holders->nr - nr);
	if (nr)
		text_add_char(text, '\n');
}

static void print_surveyed(struct text *text, const struct surveyed *surveyed, size_t number)
{
	const struct type *type = surveyed->definition->type;

	text_printf(text, "\n%zu. %s %s", number, type_keyword(type->kind),
		    definition_name(surveyed->definition));
	if (type->file)
		text_printf(text, " (%s:%" PRIu32 ")", type->file, type->line);
	text_add_char(text, '\n');
	for (size_t i = 0; i < surveyed->troubles.nr; i++)
		text_printf(text, " * %s\n", surveyed->troubles.items[i].message);
	print_holders(text, &surveyed->holders);
	if (surveyed->title)
		print_cost(text, surveyed);
	else
		text_add(text, "   no change is known that cures more than it breaks\n");
}

static void print_more(struct text *text, size_t nr, size_t shown)
{
	if (nr > shown)
		text_printf(text, "\n%zu more; --all shows them.\n", nr - shown);
}

static size_t nr_shown(size_t nr, bool all)
{
	return all || nr < MAX_SHOWN ? nr : MAX_SHOWN;
}

static void print_globals(struct text *text, const struct survey *survey, bool all)
{
	const struct finding_vec *findings = &survey->globals.findings;
	const size_t nr = nr_shown(findings->nr, all);

	if (survey->no_globals) {
		text_printf(text, "\nno globals: %s\n", survey->no_globals);
		return;
	}
	text_printf(text, "\n%zu globals were put on a line and share their last one:\n",
		    findings->nr);
	for (size_t i = 0; i < nr; i++)
		text_printf(text, " * %s %s\n", findings->items[i].type,
			    findings->items[i].message);
	if (nr)
		text_printf(text, "   %s\n", findings->items[0].rule->explanation);
	print_more(text, findings->nr, nr);
}

void survey_text_print(struct text *text, const struct survey *survey, bool all)
{
	const size_t nr = nr_shown(survey->found.nr, all);

	text_printf(text,
		    "%zu structs of %s, objects %" PRIu32 " bytes into a line of %" PRIu32
		    ": %zu have a lock that is cut\n",
		    survey->nr_structs, survey->path, survey->view.phase, survey->view.cacheline,
		    survey->found.nr);
	for (size_t i = 0; i < nr; i++)
		print_surveyed(text, &survey->found.items[i], i + 1);
	print_more(text, survey->found.nr, nr);
	print_globals(text, survey, all);
}
