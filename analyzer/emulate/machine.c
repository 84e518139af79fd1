/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/machine.h"

#include <dlfcn.h>
#include <string.h>

#ifndef __x86_64__
#error "TCG keeps the guest's CPU in %rbp only on x86-64 hosts"
#endif

/* From here on QEMU counts instructions otherwise and moved what cpu_exit() ends. */
enum { FIRST_UNKNOWN_VERSION = 2 };

struct error *machine_open(const qemu_info_t *info, struct machine *ret)
{
	const struct {
		const char *name;
		void *function;
	} wanted[] = {
		{ "cpu_exit", &ret->end_turn },
		{ "qemu_get_cpu", &ret->get_cpu },
		{ "tb_flush", &ret->flush },
		{ "cpu_memory_rw_debug", &ret->debug_access },
	};

	if (!info->system_emulation || strcmp(info->target_name, "x86_64"))
		return error_create(ERROR_USAGE,
				    "runs only in qemu-system-x86_64, this QEMU emulates %s",
				    info->target_name);
	if (info->version.cur >= FIRST_UNKNOWN_VERSION)
		return error_create(ERROR_USAGE,
				    "this QEMU has version %d of the plugin interface, only QEMU "
				    "7.2 (Debian 12) is known inside",
				    info->version.cur);
	for (size_t i = 0; i < array_size(wanted); i++) {
		void *symbol = dlsym(RTLD_DEFAULT, wanted[i].name);

		if (!symbol)
			return error_create(ERROR_USAGE,
					    "this QEMU does not export %s(), which reproducible "
					    "runs need; Debian's package qemu-system-x86 7.2 does",
					    wanted[i].name);
		memcpy(wanted[i].function, &symbol, sizeof(symbol));
	}
	return NULL;
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
