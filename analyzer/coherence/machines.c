/* SPDX-License-Identifier: GPL-2.0-only */
#include "coherence/machines.h"

#include <string.h>

#include "base/text.h"

const struct coherence_machine coherence_machines[] = {
	/*
	 * Opteron 6172 (Magny-Cours, K10 revision D1), 2.1 GHz, in cycles: David, Guerraoui and
	 * Trigonakis, "Everything you always wanted to know about synchronization but were afraid
	 * to ask", SOSP 2013, tables 2 and 3. The model's socket is a die of six cores there;
	 * another socket is one hop away.
	 *
	 *	hit		3: L1
	 *	memory		136: load of an Invalid line, same die
	 *	clean local	83: load of an Exclusive or Shared line, same die
	 *	clean remote	176: load of a Shared line, one hop
	 *	HITM local	81: load of a Modified line, same die
	 *	HITM remote	172: the same, one hop
	 *	upgrade		246: store to a Shared line, same die; its probe goes to all dies
	 *	write-back	0: nothing waits for it
	 */
	{
		.name = "k10",
		.title = "AMD K10, Opteron 6172, 2.1 GHz",
		.cycles = {
			[COHERENCE_HIT] = 3,
			[COHERENCE_UPGRADE] = 246,
			[COHERENCE_MEMORY] = 136,
			[COHERENCE_CLEAN_LOCAL] = 83,
			[COHERENCE_CLEAN_REMOTE] = 176,
			[COHERENCE_HITM_LOCAL] = 81,
			[COHERENCE_HITM_REMOTE] = 172,
			[COHERENCE_WRITE_BACK] = 0,
		},
	},
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
	/*
	 * Ryzen 9 7950X, two dies of eight cores; the model's socket is a die. Cycles are at 4.5
	 * GHz, its base. Between cores: Viennot, core-to-core-latency, "AMD Ryzen 9 7950X.csv",
	 * half a round trip of compare-and-exchange, mean over the pairs of cores; it does not
	 * tell clean from modified.
	 *
	 *	hit		4 cycles: Software Optimization Guide for the AMD Zen 4
	 *			Microarchitecture, L1
	 *	memory		63.6 ns: AIDA64 with DDR5-6000 and a 2 GHz fabric, published by
	 *			Chiphell in 2022
	 *	local		17.0 ns: cores of a die
	 *	remote		70.5 ns: cores of two dies
	 *	upgrade		no number of its own: that of a local transfer
	 *	write-back	0: nothing waits for it
	 */
	{
		.name = "zen4",
		.title = "AMD Zen 4, Ryzen 9 7950X, 4.5 GHz, a die for a socket",
		.cycles = {
			[COHERENCE_HIT] = 4,
			[COHERENCE_UPGRADE] = 76,
			[COHERENCE_MEMORY] = 286,
			[COHERENCE_CLEAN_LOCAL] = 76,
			[COHERENCE_CLEAN_REMOTE] = 317,
			[COHERENCE_HITM_LOCAL] = 76,
			[COHERENCE_HITM_REMOTE] = 317,
			[COHERENCE_WRITE_BACK] = 0,
		},
	},
	/*
	 * Graviton2, 64 cores in its only socket, 2.5 GHz. Between cores: Viennot,
	 * core-to-core-latency, "AWS Graviton2.csv", as above.
	 *
	 *	hit		4 cycles: Frumusanu, "Amazon's Arm-based Graviton2 Against AMD and
	 *			Intel", AnandTech 2020, L1
	 *	memory		81 ns: the same, structural estimate
	 *	local		47.6 ns: any two cores
	 *	upgrade		no number of its own: that of a local transfer
	 *	write-back	0: nothing waits for it
	 */
	{
		.name = "neoverse-n1",
		.title = "Arm Neoverse N1, Graviton2, 2.5 GHz",
		.is_one_socket = true,
		.cycles = {
			[COHERENCE_HIT] = 4,
			[COHERENCE_UPGRADE] = 119,
			[COHERENCE_MEMORY] = 203,
			[COHERENCE_CLEAN_LOCAL] = 119,
			[COHERENCE_HITM_LOCAL] = 119,
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
