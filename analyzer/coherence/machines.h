/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the events would cost on a kind of machine: cycles that are modelled, never measured, and
 * to be printed with that word. Latencies of a machine at rest, added up as if nothing overlapped:
 * good to weigh one layout against another, not to foretell a running time.
 *
 * A machine is here only if each number has a source that is named beside it.
 */
#ifndef FIELDLINE_COHERENCE_MACHINES_H
#define FIELDLINE_COHERENCE_MACHINES_H

#include "coherence/coherence.h"

struct coherence_machine {
	const char *name; /* as given on a command line; NULL ends the table */
	const char *title;
	bool is_one_socket; /* there is no other: remote events have no cost */
	uint32_t cycles[COHERENCE_NR_EVENTS];
};

extern const struct coherence_machine coherence_machines[];

/* ERROR_USAGE that lists the known names. */
struct error *coherence_find_machine(const char *name, const struct coherence_machine **ret);

uint64_t coherence_modelled_cycles(const struct coherence_machine *machine,
				   const uint64_t events[COHERENCE_NR_EVENTS]);

#endif
