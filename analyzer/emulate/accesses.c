/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/accesses.h"

#include <string.h>

static void remember_memory(struct accesses *accesses, uint64_t page)
{
	if (accesses->nr_device_mappings != accesses->guest->nr_device_mappings)
		memset(accesses->memory_pages, 0, sizeof(accesses->memory_pages));
	accesses->nr_device_mappings = accesses->guest->nr_device_mappings;
	accesses->memory_pages[page % ACCESSES_KNOWN_PAGES] = page;
}

/* Asks QEMU what is at the address, the kernel's or a user's. */
static bool look_up(struct accesses *accesses, qemu_plugin_meminfo_t info, uint64_t *address)
{
	struct qemu_plugin_hwaddr *physical = qemu_plugin_get_hwaddr(info, *address);

	if (!physical)
		return *address >> 63;
	if (qemu_plugin_hwaddr_is_io(physical)) {
		accesses->nr_io++;
		return false;
	}
	if (!(*address >> 63))
		*address = GUEST_DIRECT_MAP + qemu_plugin_hwaddr_phys_addr(physical);
	else if (*address < GUEST_FIXED)
		remember_memory(accesses, *address / ALLOCATIONS_PAGE);
	return true;
}

/* Yields false for the second half of an access of 16 bytes, and makes the first one whole. */
static bool join_halves(struct access_half *half, struct coherence_access *access)
{
	bool is_second = half->waits && half->place == access->place &&
			 half->second == access->address && half->kind == access->kind;

	half->waits = false;
	if (is_second)
		return false;
	if (access->size == 8) {
		*half = (struct access_half){ access->address + 8, access->place, access->kind,
					      true };
		access->size = 16;
	}
	return true;
}

bool accesses_make(struct accesses *accesses, uint32_t cpu, qemu_plugin_meminfo_t info,
		   uint64_t address, uintptr_t word, struct coherence_access *ret)
{
	bool is_store = qemu_plugin_mem_is_store(info);

	/*
	 * With one thread QEMU does an atomic as a load and a store, with several as one store:
	 * either way it is one access.
	 */
	if (word & ACCESS_IS_ATOMIC && is_store != accesses->fast)
		return false;
	*ret = (struct coherence_access){
		.address = address,
		.size = 1u << qemu_plugin_mem_size_shift(info),
		.place = recorder_place(access_word_place(word),
					guest_context(accesses->guest, cpu)),
		.cpu = (uint8_t)cpu,
		.kind = is_store ? COHERENCE_STORE : COHERENCE_LOAD,
	};
	if (word & ACCESS_IS_WIDE && !join_halves(&accesses->halves[cpu], ret))
		return false;
	if (word & ACCESS_IS_ATOMIC)
		ret->kind = COHERENCE_ATOMIC;
	return accesses_know(accesses, address) || look_up(accesses, info, &ret->address);
}
