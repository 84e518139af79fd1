/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the guest's kernel does, learned where its functions start and return: who got which
 * memory, which task and which kind of context each CPU runs.
 *
 * A return is known by its address and the stack pointer there. Where functions of interest call
 * each other, the outermost has the last word: its caller is the one that wanted the memory.
 */
#ifndef FIELDLINE_EMULATE_GUEST_H
#define FIELDLINE_EMULATE_GUEST_H

#include "emulate/machine.h"
#include "emulate/recorder.h"
#include "emulate/settings.h"

struct guest_cpu {
	void *cpu; /* QEMU's */
	uint32_t pid;
	uint32_t tgid;
	uint8_t nr_hardirqs; /* nested */
	uint8_t nr_softirqs;
	uint8_t nr_exceptions;
};

struct guest_module {
	uint64_t start;
	uint64_t size;
	char name[56]; /* MODULE_NAME_LEN of a 64-bit kernel */
};

struct guest_section {
	uint64_t address;
	uint32_t module; /* index */
	char name[48];
};

struct guest_call {
	enum function_role role;
	uint64_t return_address; /* 0 = it has returned */
	uint64_t arguments[4];
	uint64_t site; /* behind the call */
};

DEFINE_VEC(guest_call_vec, struct guest_call);
DEFINE_VEC(guest_module_vec, struct guest_module);
DEFINE_VEC(guest_section_vec, struct guest_section);

struct guest {
	const struct machine *machine;
	const struct settings *settings;
	struct recorder *recorder;
	struct guest_cpu cpus[COHERENCE_MAX_CPUS];
	uint32_t nr_cpus;
	uint32_t nr_device_mappings; /* so far */
	struct guest_call_vec calls;
	struct map call_numbers; /* by stack pointer behind the return */
	struct guest_module_vec modules;
	struct guest_section_vec sections;
	/* May be NULL: a CPU runs another task. */
	void (*on_switch)(void *context, uint32_t cpu, const char *comm);
	/* May be NULL: an object was handed out, or is free now. */
	void (*on_allocation)(void *context, uint32_t cpu, const struct allocation *allocation);
	void *context;
};

/* A function of that role starts. Yields its return address where the return matters, else 0. */
uint64_t guest_enter(struct guest *guest, uint32_t cpu, enum function_role role,
		     const uint64_t *registers);
/* A block at a return address runs; nothing happens unless one of our calls returns there. */
void guest_return(struct guest *guest, uint32_t cpu, uint64_t address, const uint64_t *registers);
/* The per-CPU areas of all CPUs, once they are set up. */
void guest_add_percpu_areas(struct guest *guest);

/* What the CPU runs: of what is nested the innermost counts. */
static inline enum counts_context guest_context(const struct guest *guest, uint32_t cpu)
{
	const struct guest_cpu *state = &guest->cpus[cpu];

	if (state->nr_hardirqs)
		return COUNTS_HARDIRQ;
	if (state->nr_softirqs)
		return COUNTS_SOFTIRQ;
	return state->nr_exceptions ? COUNTS_EXCEPTION : COUNTS_TASK;
}

#endif
