/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/machine.h"

#include <dlfcn.h>
#include <string.h>

#ifndef __x86_64__
#error "TCG keeps the guest's CPU in %rbp only on x86-64 hosts"
#endif

/*
 * Version 2 is QEMU 9.0's, the first whose registers can be read, and all later ones take a plugin
 * that asks for it; QEMU 7.2 knows version 1.
 */
enum { OLD_VERSION = 1, VERSION_WITH_REGISTERS = 2, FIRST_VERSION_THAT_COPIES = 3 };

/* As struct qemu_plugin_reg_descriptor of the public interface. */
struct register_descriptor {
	struct qemu_plugin_register *handle;
	const char *name;
	const char *feature;
};

struct wanted {
	const char *name;
	void *function; /* the place for its address */
};

int machine_plugin_version(void)
{
	return dlsym(RTLD_DEFAULT, "qemu_plugin_read_register") ? VERSION_WITH_REGISTERS :
								  OLD_VERSION;
}

static struct error *look_up(const struct wanted *wanted, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		void *symbol = dlsym(RTLD_DEFAULT, wanted[i].name);

		if (!symbol)
			return error_create(ERROR_USAGE,
					    "this QEMU does not export %s(), which reproducible "
					    "runs need; Debian's qemu-system-x86 7.2 and 10.0 do",
					    wanted[i].name);
		memcpy(wanted[i].function, &symbol, sizeof(symbol));
	}
	return NULL;
}

static struct error *look_up_registers(struct machine *machine)
{
	struct machine_registers *registers = &machine->registers;
	struct machine_array *(*create)(void) = NULL;
	const struct wanted wanted[] = {
		{ "qemu_plugin_get_registers", &registers->list },
		{ "qemu_plugin_read_register", &registers->read },
		{ "g_byte_array_new", &create },
		{ "g_byte_array_set_size", &registers->set_size },
	};
	struct error *err = look_up(wanted, array_size(wanted));

	if (err)
		return err;
	registers->bytes = create();
	machine->reads_registers = true;
	return NULL;
}

struct error *machine_open(const qemu_info_t *info, struct machine *ret)
{
	bool copies = info->version.cur >= FIRST_VERSION_THAT_COPIES;
	const struct wanted wanted[] = {
		{ "cpu_exit", &ret->end_turn },
		{ "qemu_get_cpu", &ret->get_cpu },
		{ "tb_flush", &ret->flush },
		{ "cpu_memory_rw_debug", &ret->debug_access },
		{ "qemu_plugin_insn_data", copies ? (void *)&ret->copy_code : (void *)&ret->code },
	};
	struct error *err;

	if (!info->system_emulation || strcmp(info->target_name, "x86_64"))
		return error_create(ERROR_USAGE,
				    "runs only in qemu-system-x86_64, this QEMU emulates %s",
				    info->target_name);
	err = look_up(wanted, array_size(wanted));
	if (!err && info->version.cur >= VERSION_WITH_REGISTERS)
		err = look_up_registers(ret);
	return err;
}

void machine_add_cpu(struct machine *machine)
{
	static const char *const names[MACHINE_NR_REGISTERS] = {
		[MACHINE_RAX] = "rax", [MACHINE_RCX] = "rcx", [MACHINE_RDX] = "rdx",
		[MACHINE_RBX] = "rbx", [MACHINE_RSP] = "rsp", [MACHINE_RBP] = "rbp",
		[MACHINE_RSI] = "rsi", [MACHINE_RDI] = "rdi", [MACHINE_R8] = "r8",
		[MACHINE_R9] = "r9",
	};
	const struct register_descriptor *all;
	struct machine_array *list;

	/* All CPUs are alike. */
	if (!machine->reads_registers || machine->registers.handles[MACHINE_RSP])
		return;
	list = machine->registers.list();
	all = list->data;
	for (unsigned int i = 0; i < list->nr; i++)
		for (size_t j = 0; j < MACHINE_NR_REGISTERS; j++)
			if (!strcmp(all[i].name, names[j]))
				machine->registers.handles[j] = all[i].handle;
}

int machine_register_flag(const struct machine *machine)
{
	return machine->reads_registers ? QEMU_PLUGIN_CB_R_REGS : QEMU_PLUGIN_CB_NO_REGS;
}

const uint64_t *machine_registers(struct machine *machine, const uint64_t *from,
				  uint64_t buffer[MACHINE_NR_REGISTERS])
{
	struct machine_registers *registers = &machine->registers;

	if (!machine->reads_registers)
		return from;
	memset(buffer, 0, MACHINE_NR_REGISTERS * sizeof(*buffer));
	for (size_t i = 0; i < MACHINE_NR_REGISTERS; i++) {
		registers->set_size(registers->bytes, 0);
		if (registers->handles[i])
			registers->read(registers->handles[i], registers->bytes);
		if (registers->bytes->nr == sizeof(*buffer))
			memcpy(&buffer[i], registers->bytes->data, sizeof(*buffer));
	}
	return buffer;
}

void machine_read_code(const struct machine *machine, const struct qemu_plugin_insn *insn,
		       void *buffer, size_t size)
{
	if (machine->copy_code)
		machine->copy_code(insn, buffer, size);
	else
		memcpy(buffer, machine->code(insn), size);
}

bool machine_read(const struct machine *machine, void *cpu, uint64_t address, void *buffer,
		  size_t size)
{
	if (!machine->debug_access(cpu, address, buffer, size, false))
		return true;
	memset(buffer, 0, size);
	return false;
}

void machine_write(const struct machine *machine, void *cpu, uint64_t address, const void *buffer,
		   size_t size)
{
	machine->debug_access(cpu, address, (void *)buffer, size, true);
}

uint64_t machine_read_u64(const struct machine *machine, void *cpu, uint64_t address)
{
	uint64_t value;

	machine_read(machine, cpu, address, &value, sizeof(value));
	return value;
}

uint32_t machine_read_u32(const struct machine *machine, void *cpu, uint64_t address)
{
	uint32_t value;

	machine_read(machine, cpu, address, &value, sizeof(value));
	return value;
}

void machine_read_string(const struct machine *machine, void *cpu, uint64_t address, char *buffer,
			 size_t size)
{
	size_t i = 0;

	/* Byte by byte: the string may end right before memory that is not mapped. */
	while (i + 1 < size && machine_read(machine, cpu, address + i, &buffer[i], 1) && buffer[i])
		i++;
	buffer[i] = '\0';
}

bool machine_check_registers(const struct machine *machine, void *cpu, const uint64_t *registers)
{
	uint64_t stack = registers[MACHINE_RSP];

	return stack >> 63 && stack % 8 == 0 &&
	       machine_read_u64(machine, cpu, stack) >> 31 == UINT64_MAX >> 31;
}
