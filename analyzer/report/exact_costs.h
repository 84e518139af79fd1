/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the transfers of an emulated run would cost on kinds of machines (coherence/machines.h):
 * cycles that are modelled, never measured. Only of what went from CPU to CPU: hits and first
 * touches are much the same for each layout.
 */
#ifndef FIELDLINE_REPORT_EXACT_COSTS_H
#define FIELDLINE_REPORT_EXACT_COSTS_H

#include "base/json.h"
#include "coherence/machines.h"
#include "model/exact.h"

/* Whether the machine can be the one of the run, which may have several sockets. */
bool exact_costs_known(const struct coherence_machine *machine, const struct exact *exact);
uint64_t exact_costs_cycles(const struct coherence_machine *machine,
			    const struct exact_counts *counts);
/* "k10 213, zen4 88": per operation. only: NULL = all machines. */
void exact_costs_print(struct text *text, const struct exact *exact,
		       const struct exact_counts *counts, const struct coherence_machine *only);
/* A table: all of the kernel, and the first types. */
void exact_costs_print_table(struct text *text, const struct exact *exact,
			     const struct coherence_machine *only);
/* An object "modelled_cycles", by machine, of the whole region. */
void exact_costs_add(struct json *json, const struct exact *exact,
		     const struct exact_counts *counts);
/* An array "machines": what the cycles were computed with. */
void exact_costs_add_machines(struct json *json, const struct exact *exact);

#endif
