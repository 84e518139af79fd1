/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guest's CPUs, seen from inside QEMU: the only place that knows one QEMU from another, and
 * that goes beyond the public plugin interface. No QEMU lets a plugin end a CPU's turn; Debian's
 * exports its own functions (it loads parts of itself as modules), and these do it:
 *
 *	cpu_exit(), qemu_get_cpu(), tb_flush(), cpu_memory_rw_debug()
 *
 * They are looked up at run time, and machine_open() refuses a QEMU that lacks one.
 *
 * Registers: QEMU 9 and later have public functions to read them. Before, this helps: code that TCG
 * makes on an x86-64 host keeps the address of the guest CPU's state in %rbp, which starts with its
 * general registers, and at the start of a translation block all of them are in memory.
 * MACHINE_ENTRY makes a callback that is handed them. machine_check_registers() holds either
 * against what must be true of a kernel function's entry.
 */
#ifndef FIELDLINE_EMULATE_MACHINE_H
#define FIELDLINE_EMULATE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "emulate/qemu_plugin.h"

/* In the order of the guest's encoding, as TCG keeps them. */
enum machine_register {
	MACHINE_RAX,
	MACHINE_RCX,
	MACHINE_RDX,
	MACHINE_RBX,
	MACHINE_RSP,
	MACHINE_RBP,
	MACHINE_RSI,
	MACHINE_RDI,
	MACHINE_R8,
	MACHINE_R9,
	MACHINE_NR_REGISTERS,
};

struct qemu_plugin_register;

/* GLib's arrays, which the public functions hand out. */
struct machine_array {
	void *data;
	unsigned int nr;
};

struct machine_registers {
	struct machine_array *(*list)(void);
	int (*read)(struct qemu_plugin_register *handle, struct machine_array *bytes);
	struct machine_array *(*set_size)(struct machine_array *bytes, unsigned int size);
	struct machine_array *bytes;
	struct qemu_plugin_register *handles[MACHINE_NR_REGISTERS];
};

struct machine {
	void (*end_turn)(void *cpu);
	void *(*get_cpu)(int number);
	void (*flush)(void *cpu);
	int (*debug_access)(void *cpu, uint64_t address, void *buffer, size_t size, bool write);
	/* One of the two: QEMU 9.1 began to copy. */
	const void *(*code)(const struct qemu_plugin_insn *insn);
	size_t (*copy_code)(const struct qemu_plugin_insn *insn, void *buffer, size_t size);
	bool reads_registers; /* by the public functions */
	struct machine_registers registers;
};

/* The version of the plugin interface to ask this QEMU for. */
int machine_plugin_version(void);
struct error *machine_open(const qemu_info_t *info, struct machine *ret);
/* When a CPU comes up: QEMU tells of registers only then. */
void machine_add_cpu(struct machine *machine);
/* What QEMU must be told of a callback that reads registers. */
int machine_register_flag(const struct machine *machine);
/* The registers of the CPU that runs now; from is what MACHINE_ENTRY was handed. */
const uint64_t *machine_registers(struct machine *machine, const uint64_t *from,
				  uint64_t buffer[MACHINE_NR_REGISTERS]);
/* The instruction's first bytes; it has as many. */
void machine_read_code(const struct machine *machine, const struct qemu_plugin_insn *insn,
		       void *buffer, size_t size);
/* False where nothing is mapped there; the buffer is then zeroed. */
bool machine_read(const struct machine *machine, void *cpu, uint64_t address, void *buffer,
		  size_t size);
/* Nothing happens where nothing is mapped. */
void machine_write(const struct machine *machine, void *cpu, uint64_t address, const void *buffer,
		   size_t size);
uint64_t machine_read_u64(const struct machine *machine, void *cpu, uint64_t address);
uint32_t machine_read_u32(const struct machine *machine, void *cpu, uint64_t address);
/* A string of less than size bytes; cut where it is longer. */
void machine_read_string(const struct machine *machine, void *cpu, uint64_t address, char *buffer,
			 size_t size);
/* At the entry of a kernel function: the stack is a kernel's, and a return address is on it. */
bool machine_check_registers(const struct machine *machine, void *cpu, const uint64_t *registers);

/*
 * Defines void name(unsigned int vcpu, void *userdata), to be registered for the execution of a
 * translation block, and only for that; it calls
 * void name_with_registers(unsigned int vcpu, void *userdata, const uint64_t *registers).
 */
#define MACHINE_ENTRY(name)                                                                       \
	void name(unsigned int vcpu, void *userdata);                                             \
	void name##_with_registers(unsigned int vcpu, void *userdata, const uint64_t *registers); \
	__asm__(".text\n"                                                                         \
		".globl " #name "\n"                                                              \
		".hidden " #name "\n"                                                             \
		".type " #name ", @function\n" #name ":\n"                                        \
		"\tmovq %rbp, %rdx\n"                                                             \
		"\tjmp " #name "_with_registers\n"                                                \
		".size " #name ", . - " #name "\n")

#endif
