/* SPDX-License-Identifier: GPL-2.0-only */
#include "coherence/machines.h"

#include <string.h>

#include "base/text.h"

const struct coherence_machine coherence_machines[] = {
	/*
	 * Latencies in ns are those that Intel's own metrics multiply with: perf vendor events
	 * intel, skylakex, TMA 4.5 and the version before it (linux v6.3 and v6.2, tools/perf/
	 * pmu-events/arch/x86/skylakex/skx-metrics.json). Cycles are at 2.5 GHz, the base of a
	 * Xeon Platinum 8180.
	 *
	 *	hit		4 cycles: anandtech.com/show/11544/13, L1
	 *	memory		80 ns: tma_local_dram, 59.5 beyond the 20.5 of an L3 hit; a Memory
	 *			Latency Checker on Cascade Lake says 80.8
	 *	clean local	44 ns: tma_data_sharing
	 *	clean remote	110 ns: tma_remote_cache, REMOTE_FWD
	 *	HITM local	47.5 ns: tma_false_sharing, HITM_OTHER_CORE
	 *	HITM remote	110 ns: tma_false_sharing and tma_remote_cache, REMOTE_HITM
	 *	upgrade		no number of its own: the way to the other copies and back is that
	 *			of a clean local transfer
	 *	write-back	0: nothing waits for it
	 */
	{
		.name = "skylake-sp",
		.title = "Intel Skylake-SP, 2.5 GHz",
		.cycles = {
			[COHERENCE_HIT] = 4,
			[COHERENCE_UPGRADE] = 110,
			[COHERENCE_MEMORY] = 200,
			[COHERENCE_CLEAN_LOCAL] = 110,
			[COHERENCE_CLEAN_REMOTE] = 275,
			[COHERENCE_HITM_LOCAL] = 119,
			[COHERENCE_HITM_REMOTE] = 275,
			[COHERENCE_WRITE_BACK] = 0,
		},
	},
	{},
};

struct error *coherence_find_machine(const char *name, const struct coherence_machine **ret)
{
	const struct coherence_machine *machine;
	auto_text struct text known = {};

	for (machine = coherence_machines; machine->name; machine++) {
		if (!strcmp(machine->name, name)) {
			*ret = machine;
			return NULL;
		}
		text_printf(&known, "%s%s", known.length ? ", " : "", machine->name);
	}
	return error_create(ERROR_USAGE, "no costs are known for machine '%s', only for: %s", name,
			    text_chars(&known));
}

uint64_t coherence_modelled_cycles(const struct coherence_machine *machine,
				   const uint64_t events[COHERENCE_NR_EVENTS])
{
	uint64_t cycles = 0;

	for (unsigned int i = 0; i < COHERENCE_NR_EVENTS; i++)
		cycles += events[i] * machine->cycles[i];
	return cycles;
}
