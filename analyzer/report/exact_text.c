/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/exact_text.h"

#include <inttypes.h>
#include <string.h>

#include "report/exact_costs.h"
#include "report/exact_pairs.h"

enum { LISTED_TYPES = 20, LISTED_CUTS = 10, LISTED_FUNCTIONS = 3, LISTED_LINES = 6 };

/* Per operation; of a run without operations the counts themselves. */
static double per_operation(const struct exact *exact, uint64_t nr)
{
	return exact->run.nr_operations ? (double)nr / exact->run.nr_operations : nr;
}

static void print_counts(struct text *text, const struct exact *exact,
			 const struct exact_counts *counts)
{
	text_printf(text, "%9.3f %8.3f %8.3f %8.3f %8.3f %8.3f",
		    per_operation(exact, exact_counts_transfers(counts)),
		    per_operation(exact, exact_counts_hitm(counts)),
		    per_operation(exact, counts->upgrades),
		    per_operation(exact, counts->clean_local + counts->clean_remote),
		    per_operation(exact, counts->nr_true), per_operation(exact, counts->nr_false));
}

static const char columns[] = "transfers     HITM  upgrade    clean     true    false";

static void print_run(struct text *text, const struct exact *exact)
{
	const struct exact_run *run = &exact->run;
	uint64_t transfers = exact_counts_transfers(&exact->total);

	text_printf(text, "Emulated: %" PRIu64 " operations", run->nr_operations);
	for (size_t i = 0; i < run->operations.nr; i++)
		text_printf(text, "%s%s", i ? ", " : " (", run->operations.items[i]);
	text_printf(text, "%s from the %" PRIu64 "th on\n", run->operations.nr ? ")" : "",
		    run->first_operation);
	text_printf(text,
		    "  %u CPUs in %u socket%s, lines of %u bytes, %sseed %" PRIu64
		    ", turns of %u to %u instructions%s\n",
		    run->nr_cpus, run->nr_sockets, run->nr_sockets == 1 ? "" : "s", run->line_size,
		    run->moesi ? "MOESI, " : "", run->seed, run->turn_shortest, run->turn_longest,
		    run->fast ? "; FAST: not reproducible" : "");
	if (run->nr_sets)
		text_printf(text,
			    "  caches of %u sets of %u lines: %.1f misses per operation of lines "
			    "that were evicted\n",
			    run->nr_sets, run->nr_ways,
			    per_operation(exact, exact->total.nr_evicted));
	text_printf(text,
		    "  %" PRIu64 " accesses of the kernel, all of them modelled: %.1f loads, "
		    "%.1f stores, %.1f atomics per operation\n",
		    exact_counts_accesses(&exact->total), per_operation(exact, exact->total.loads),
		    per_operation(exact, exact->total.stores),
		    per_operation(exact, exact->total.atomics));
	text_printf(text, "  %.1f %% of the transfers are of memory with a name or a type\n\n",
		    transfers ? 100.0 * exact_counts_transfers(&exact->typed) / transfers : 100.0);
}

static void print_types(struct text *text, const struct exact *exact)
{
	text_printf(text, "What CPUs fight over, per operation:\n\n  %s  objects  what\n", columns);
	text_add(text, "  ");
	print_counts(text, exact, &exact->total);
	text_add(text, "           all of the kernel\n");
	for (size_t i = 0; i < exact->types.nr && i < LISTED_TYPES; i++) {
		const struct exact_type *type = &exact->types.items[i];

		if (!exact_counts_transfers(&type->counts))
			break;
		text_add(text, "  ");
		print_counts(text, exact, &type->counts);
		text_printf(text, "  %7" PRIu64 "  %s", type->nr_objects, type->label);
		if (type->type)
			text_printf(text, " (%s)", type->origin);
		text_add(text, "\n");
	}
}

static void print_functions(struct text *text, const struct exact *exact,
			    const struct exact_field *field)
{
	for (uint32_t i = 0; i < field->nr_functions && i < LISTED_FUNCTIONS; i++) {
		const struct exact_function *function =
			&exact->functions.items[field->first_function + i];

		text_printf(text, "%s%s()", i ? ", " : "", function->name);
		if (function->context != EXACT_TASK)
			text_printf(text, " in %s", exact_context_word(function->context));
	}
	if (field->nr_functions > LISTED_FUNCTIONS)
		text_printf(text, " and %u more", field->nr_functions - LISTED_FUNCTIONS);
	text_add(text, "\n");
}

/* Less than one transfer in a hundred operations is no line worth opening. */
static bool is_worth_a_line(const struct exact *exact, const struct exact_counts *counts)
{
	return exact_counts_transfers(counts) * 100 >= exact->run.nr_operations &&
	       exact_counts_transfers(counts);
}

/* What would be a row of zeros. */
static bool is_worth_a_row(const struct exact *exact, const struct exact_counts *counts)
{
	return (exact_counts_transfers(counts) * 2000 >= exact->run.nr_operations &&
		exact_counts_transfers(counts)) ||
	       exact_counts_accesses(counts) * 100 >= exact->run.nr_operations;
}

static void print_line(struct text *text, const struct exact *exact, const struct exact_line *line,
		       const struct exact_text_options *options)
{
	text_printf(text, "\n  line %" PRIu64, line->line);
	if (line->phase)
		text_printf(text, " (objects start %u bytes into a line)", line->phase);
	text_add(text, "; modelled cycles per operation: ");
	exact_costs_print(text, exact, &line->counts, options->machine);
	text_printf(text, "\n  %s    loads   stores  atomics  offset  field and functions\n  ",
		    columns);
	print_counts(text, exact, &line->counts);
	text_printf(text, " %8.2f %8.2f %8.2f\n", per_operation(exact, line->counts.loads),
		    per_operation(exact, line->counts.stores),
		    per_operation(exact, line->counts.atomics));
	for (uint32_t i = 0; i < line->nr_fields; i++) {
		const struct exact_field *field = &exact->fields.items[line->first_field + i];

		if (!is_worth_a_row(exact, &field->counts))
			continue;
		text_add(text, "  ");
		print_counts(text, exact, &field->counts);
		text_printf(text, " %8.2f %8.2f %8.2f %7" PRIu64 "  %s: ",
			    per_operation(exact, field->counts.loads),
			    per_operation(exact, field->counts.stores),
			    per_operation(exact, field->counts.atomics), field->offset,
			    field->path);
		print_functions(text, exact, field);
	}
}

static bool is_asked_for(const struct exact_type *type, const char *only)
{
	size_t nr = strcspn(type->label, " ");

	return !strcmp(type->label, only) ||
	       (!strncmp(type->label, "struct ", 7) && !strcmp(type->label + nr + 1, only));
}

static void print_type(struct text *text, const struct exact *exact, const struct exact_type *type,
		       const struct exact_text_options *options)
{
	uint32_t nr = 0;

	text_printf(text, "\n%s, %s", type->label, type->origin);
	if (type->size)
		text_printf(text, ", %" PRIu64 " bytes", type->size);
	if (type->nr_touched)
		text_printf(text, ", %u lines of an object touched, %u in every tenth operation",
			    type->nr_touched, type->nr_hot);
	text_add(text, "\n");
	for (uint32_t i = 0; i < type->nr_lines; i++) {
		const struct exact_line *line = &exact->lines.items[type->first_line + i];

		if (!is_worth_a_line(exact, &line->counts))
			break;
		if (nr == LISTED_LINES) {
			text_printf(text, "\n  and %u lines that are less fought over\n",
				    type->nr_lines - nr);
			break;
		}
		print_line(text, exact, line, options);
		nr++;
	}
}

static void print_cut(struct text *text, const struct exact *exact, const struct exact_cut *cut,
		      const struct exact_text_options *options)
{
	const struct exact_field *first = &exact->fields.items[cut->first];
	const struct exact_field *second = &exact->fields.items[cut->second];
	const struct exact_line *line = &exact->lines.items[first->line];

	text_printf(text,
		    "  %s: %s (line %" PRIu64 ") and %s (line %" PRIu64 ") are both written by "
		    "%s(), %.2f times per operation, and lie on two lines.\n"
		    "    %s costs %.3f transfers and %.3f HITM per operation, %s %.3f and %.3f; on "
		    "one line the second comes with the first.\n",
		    exact->types.items[line->type].label, first->path, line->line, second->path,
		    line->line + 1, cut->function, per_operation(exact, cut->nr), first->path,
		    per_operation(exact, exact_counts_transfers(&first->counts)),
		    per_operation(exact, exact_counts_hitm(&first->counts)), second->path,
		    per_operation(exact, exact_counts_transfers(&second->counts)),
		    per_operation(exact, exact_counts_hitm(&second->counts)));
	text_printf(text, "    Modelled cycles per operation of %s alone: ", second->path);
	exact_costs_print(text, exact, &second->counts, options->machine);
	text_add(text, "\n");
}

static void print_cuts(struct text *text, const struct exact *exact,
		       const struct exact_text_options *options)
{
	if (exact->cuts.nr)
		text_add(text, "\nWritten together, but on two lines:\n\n");
	for (size_t i = 0; i < exact->cuts.nr && i < LISTED_CUTS; i++)
		print_cut(text, exact, &exact->cuts.items[i], options);
}

static void print_limits(struct text *text, const struct exact *exact)
{
	text_add(text, "\nWhat this model leaves out:\n\n");
	for (size_t i = 0; i < exact->limits.nr; i++)
		text_printf(text, "  - %s\n", exact->limits.items[i]);
}

void exact_text_print(struct text *text, const struct exact *exact,
		      const struct exact_text_options *options)
{
	uint32_t nr = 0;

	print_run(text, exact);
	print_types(text, exact);
	exact_costs_print_table(text, exact, options->machine);
	for (size_t i = 0; i < exact->types.nr; i++) {
		const struct exact_type *type = &exact->types.items[i];

		if (options->only ?
			    is_asked_for(type, options->only) :
			    nr < options->nr_types && is_worth_a_line(exact, &type->counts)) {
			print_type(text, exact, type, options);
			nr++;
		}
	}
	print_cuts(text, exact, options);
	exact_pairs_print(text, exact);
	print_limits(text, exact);
}
