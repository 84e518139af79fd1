/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/exact_costs.h"

#include <inttypes.h>
#include <string.h>

enum { LISTED_TYPES = 10, COLUMN = 12 };

bool exact_costs_known(const struct coherence_machine *machine, const struct exact *exact)
{
	return !machine->is_one_socket || exact->run.nr_sockets == 1;
}

uint64_t exact_costs_cycles(const struct coherence_machine *machine,
			    const struct exact_counts *counts)
{
	const uint64_t events[COHERENCE_NR_EVENTS] = {
		[COHERENCE_UPGRADE] = counts->upgrades,
		[COHERENCE_CLEAN_LOCAL] = counts->clean_local,
		[COHERENCE_CLEAN_REMOTE] = counts->clean_remote,
		[COHERENCE_HITM_LOCAL] = counts->hitm_local,
		[COHERENCE_HITM_REMOTE] = counts->hitm_remote,
	};

	return coherence_modelled_cycles(machine, events);
}

static bool is_listed(const struct coherence_machine *machine, const struct exact *exact,
		      const struct coherence_machine *only)
{
	return only ? machine == only : exact_costs_known(machine, exact);
}

/* Of a run without operations the cycles themselves. */
static double per_operation(const struct exact *exact, const struct coherence_machine *machine,
			    const struct exact_counts *counts)
{
	double cycles = (double)exact_costs_cycles(machine, counts);

	return exact->run.nr_operations ? cycles / exact->run.nr_operations : cycles;
}

void exact_costs_print(struct text *text, const struct exact *exact,
		       const struct exact_counts *counts, const struct coherence_machine *only)
{
	const char *separator = "";

	for (const struct coherence_machine *m = coherence_machines; m->name; m++) {
		if (!is_listed(m, exact, only))
			continue;
		text_printf(text, "%s%s %.0f", separator, m->name, per_operation(exact, m, counts));
		separator = ", ";
	}
}

static void print_row(struct text *text, const struct exact *exact,
		      const struct exact_counts *counts, const char *label,
		      const struct coherence_machine *only)
{
	text_add(text, "  ");
	for (const struct coherence_machine *m = coherence_machines; m->name; m++) {
		if (is_listed(m, exact, only))
			text_printf(text, "%*.1f", COLUMN, per_operation(exact, m, counts));
	}
	text_printf(text, "  %s\n", label);
}

void exact_costs_print_table(struct text *text, const struct exact *exact,
			     const struct coherence_machine *only)
{
	text_add(text, "\nWhat the transfers would cost, in modelled cycles per operation, not "
		       "measured ones:\n\n  ");
	for (const struct coherence_machine *m = coherence_machines; m->name; m++) {
		if (is_listed(m, exact, only))
			text_printf(text, "%*s", COLUMN, m->name);
	}
	text_add(text, "  what\n");
	print_row(text, exact, &exact->total, "all of the kernel", only);
	for (size_t i = 0; i < exact->types.nr && i < LISTED_TYPES; i++) {
		const struct exact_type *type = &exact->types.items[i];

		if (exact_counts_transfers(&type->counts))
			print_row(text, exact, &type->counts, type->label, only);
	}
	text_add(text, "\n");
	for (const struct coherence_machine *m = coherence_machines; m->name; m++) {
		if (is_listed(m, exact, only))
			text_printf(text, "  %s: %s\n", m->name, m->title);
	}
}

void exact_costs_add(struct json *json, const struct exact *exact,
		     const struct exact_counts *counts)
{
	json_open(json, "modelled_cycles", '{');
	for (const struct coherence_machine *m = coherence_machines; m->name; m++) {
		if (exact_costs_known(m, exact))
			json_add_number(json, m->name, exact_costs_cycles(m, counts));
	}
	json_close(json, '}');
}

void exact_costs_add_machines(struct json *json, const struct exact *exact)
{
	json_open(json, "machines", '[');
	for (const struct coherence_machine *m = coherence_machines; m->name; m++) {
		if (!exact_costs_known(m, exact))
			continue;
		json_newline(json, 2);
		json_open(json, NULL, '{');
		json_add_string(json, "name", m->name);
		json_add_string(json, "title", m->title);
		json_open(json, "cycles", '{');
		json_add_number(json, "upgrade", m->cycles[COHERENCE_UPGRADE]);
		json_add_number(json, "clean_local", m->cycles[COHERENCE_CLEAN_LOCAL]);
		json_add_number(json, "hitm_local", m->cycles[COHERENCE_HITM_LOCAL]);
		if (!m->is_one_socket) {
			json_add_number(json, "clean_remote", m->cycles[COHERENCE_CLEAN_REMOTE]);
			json_add_number(json, "hitm_remote", m->cycles[COHERENCE_HITM_REMOTE]);
		}
		json_close(json, '}');
		json_close(json, '}');
	}
	json_close(json, ']');
}
