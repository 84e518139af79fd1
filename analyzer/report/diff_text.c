/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/diff_text.h"

#include <inttypes.h>
#include <string.h>

#define MAX_FOLLOWERS 8	    /* told with what follows for them */
#define MAX_NAMES 12	    /* of the rest */
#define MAX_LONE_STRUCTS 12 /* new ones, and gone ones */

struct printer {
	struct text *text;
	const struct comparison_set *set;
	const struct diff_text_options *options;
};

/* Numbers of structs, and of findings about all of them. */
struct sums {
	size_t nr_roots;
	size_t nr_followers;
	size_t nr_added;
	size_t nr_removed;
	size_t nr_warnings;
	size_t nr_notes;
};

static void print_count(struct text *text, const char **separator, size_t nr, const char *what)
{
	if (!nr)
		return;
	text_printf(text, "%s%zu %s", *separator, nr, what);
	*separator = ", ";
}

static void print_source(struct text *text, const char *side, const struct source *source)
{
	text_printf(text, "%s: %s (%s, %s, %s)\n", side, source->path, source->kind, source->format,
		    source->arch->name);
}

/* Raw BTF does not tell the machine. */
static bool is_known(const struct arch *arch)
{
	return arch != arch_by_name("unknown");
}

static void print_sources(struct printer *printer)
{
	const struct source *before = printer->options->old_source;
	const struct source *after = printer->options->new_source;

	print_source(printer->text, "old", before);
	print_source(printer->text, "new", after);
	if (before->arch != after->arch && is_known(before->arch) && is_known(after->arch))
		text_printf(printer->text,
			    "These are different machines: some differences are %s's against %s's, "
			    "not an edit's.\n",
			    before->arch->name, after->arch->name);
	else if (strcmp(before->format, after->format))
		text_printf(printer->text,
			    "BTF keeps no stated alignment and only the product of an "
			    "array's counts: neither is compared.\n");
}

static void print_size(struct printer *printer, const struct comparison *comparison)
{
	uint64_t before = comparison->before.size, after = comparison->after.size;

	text_printf(printer->text, "%" PRIu64, before);
	if (before != after)
		text_printf(printer->text, " to %" PRIu64 " bytes (%c%" PRIu64 ")", after,
			    before < after ? '+' : '-',
			    before < after ? after - before : before - after);
	else
		text_printf(printer->text, " bytes as before");
}

static void print_finding(struct printer *printer, const struct finding *finding, int indent)
{
	text_printf(printer->text, "%*s%c %s", indent, "",
		    finding->severity == SEVERITY_NOTE ? ' ' : '!', finding->message);
	if (finding->cause && !strcmp(finding->rule->id, "DIFF-RIPPLE"))
		text_printf(printer->text, ": %s", finding->cause);
	if (finding->evidence)
		text_printf(printer->text, " (%s)", finding->evidence);
	text_add_char(printer->text, '\n');
}

/* The struct that the follower holds and that changed, and where. */
static void print_embedded(struct printer *printer, const struct comparison *comparison)
{
	const struct embedded_change *embedded = comparison->embedded.items;

	for (size_t i = 0; i < comparison->embedded.nr && i < 2; i++)
		text_printf(printer->text, "%s'%s' is %s", i ? ", " : "", embedded[i].path,
			    printer->set->comparisons.items[embedded[i].comparison].name);
	if (comparison->embedded.nr > 2)
		text_printf(printer->text, " and %zu more", comparison->embedded.nr - 2);
}

static void print_follower(struct printer *printer, const struct comparison *comparison)
{
	text_printf(printer->text, "    %s, ", comparison->name);
	print_size(printer, comparison);
	text_add(printer->text, ": ");
	print_embedded(printer, comparison);
	text_add_char(printer->text, '\n');
	for (size_t i = 0; i < comparison->findings.nr; i++) {
		const struct finding *finding = &comparison->findings.items[i];

		if (finding->severity != SEVERITY_NOTE || printer->options->all)
			print_finding(printer, finding, 6);
	}
}

static void print_followers(struct printer *printer, size_t root)
{
	const struct comparison_vec *comparisons = &printer->set->comparisons;
	size_t nr = 0;

	for (size_t i = 0; i < comparisons->nr; i++) {
		if (comparisons->items[i].cause != root)
			continue;
		if (!nr++)
			text_add(printer->text, "  changed because of it:\n");
		if (nr <= MAX_FOLLOWERS || printer->options->all)
			print_follower(printer, &comparisons->items[i]);
		else if (nr <= MAX_FOLLOWERS + MAX_NAMES)
			text_printf(printer->text, "%s%s", nr == MAX_FOLLOWERS + 1 ? "    " : ", ",
				    comparisons->items[i].name);
	}
	if (nr <= MAX_FOLLOWERS || printer->options->all)
		return;
	if (nr > MAX_FOLLOWERS + MAX_NAMES)
		text_printf(printer->text, " and %zu more", nr - MAX_FOLLOWERS - MAX_NAMES);
	text_add(printer->text, " (--all tells what follows for them)\n");
}

static void print_root(struct printer *printer, size_t at)
{
	const struct comparison *comparison = &printer->set->comparisons.items[at];

	text_printf(printer->text, "\n%s", comparison->name);
	if (strcmp(comparison->name, comparison->old_name))
		text_printf(printer->text, ", %s before", comparison->old_name);
	if (comparison->file)
		text_printf(printer->text, " (%s:%u)", comparison->file, comparison->line);
	text_add(printer->text, ": ");
	print_size(printer, comparison);
	text_add_char(printer->text, '\n');
	for (size_t i = 0; i < comparison->findings.nr; i++)
		print_finding(printer, &comparison->findings.items[i], 0);
	if (comparison->truncated)
		text_add(printer->text, "  it has more members than were looked at\n");
	print_followers(printer, at);
}

static bool is_lone(const struct comparison *comparison)
{
	return !comparison->before.type || !comparison->after.type;
}

/* Structs that only one side has. */
static void print_lone(struct printer *printer, bool added)
{
	const struct comparison_vec *comparisons = &printer->set->comparisons;
	size_t nr = 0;

	for (size_t i = 0; i < comparisons->nr; i++) {
		const struct comparison *comparison = &comparisons->items[i];

		if (added ? comparison->before.type : comparison->after.type)
			continue;
		if (!nr++)
			text_printf(printer->text, "\n%s:\n", added ? "new" : "gone");
		if (nr > MAX_LONE_STRUCTS && !printer->options->all)
			continue;
		text_printf(printer->text, "  %s", comparison->name);
		if (comparison->file)
			text_printf(printer->text, " (%s:%u)", comparison->file, comparison->line);
		text_printf(printer->text, ", %" PRIu64 " bytes\n",
			    added ? comparison->after.size : comparison->before.size);
	}
	if (nr > MAX_LONE_STRUCTS && !printer->options->all)
		text_printf(printer->text, "  and %zu more (--all lists them)\n",
			    nr - MAX_LONE_STRUCTS);
}

static struct sums sum_up(const struct comparison_set *set)
{
	struct sums sums = {};

	for (size_t i = 0; i < set->comparisons.nr; i++) {
		const struct comparison *comparison = &set->comparisons.items[i];

		if (!comparison->before.type)
			sums.nr_added++;
		else if (!comparison->after.type)
			sums.nr_removed++;
		else if (comparison_is_root(comparison))
			sums.nr_roots++;
		else
			sums.nr_followers++;
		for (size_t j = 0; j < comparison->findings.nr; j++) {
			if (comparison->findings.items[j].severity == SEVERITY_NOTE)
				sums.nr_notes++;
			else
				sums.nr_warnings++;
		}
	}
	return sums;
}

static void print_summary(struct printer *printer)
{
	struct sums sums = sum_up(printer->set);
	const char *separator = "";

	print_count(printer->text, &separator, sums.nr_roots, "changed");
	print_count(printer->text, &separator, sums.nr_followers, "changed because of these");
	print_count(printer->text, &separator, sums.nr_added, "new");
	print_count(printer->text, &separator, sums.nr_removed, "gone");
	print_count(printer->text, &separator, printer->set->nr_equal, "as before");
	separator = "; ";
	print_count(printer->text, &separator, sums.nr_warnings, "warnings");
	print_count(printer->text, &separator, sums.nr_notes, "notes");
	text_add_char(printer->text, '\n');
}

void diff_text_print(struct text *text, const struct comparison_set *set,
		     const struct diff_text_options *options)
{
	struct printer printer = { text, set, options };

	if (!options->summary) {
		print_sources(&printer);
		for (size_t i = 0; i < set->comparisons.nr; i++) {
			const struct comparison *comparison = &set->comparisons.items[i];

			if (comparison_is_root(comparison) && !is_lone(comparison))
				print_root(&printer, i);
		}
		print_lone(&printer, true);
		print_lone(&printer, false);
		text_add_char(text, '\n');
	}
	print_summary(&printer);
}
