/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what QEMU tells of an access to what the model is given. Accesses to devices are left out; a
 * user's address becomes the kernel's of its page; QEMU's two halves of an access of 16 bytes
 * become one.
 */
#ifndef FIELDLINE_EMULATE_ACCESSES_H
#define FIELDLINE_EMULATE_ACCESSES_H

#include "emulate/address_space.h"
#include "emulate/guest.h"
#include "emulate/qemu_plugin.h"

/* The first half of an access of 16 bytes: the second is not another one. */
struct access_half {
	uint64_t second;
	uint32_t place;
	uint8_t kind;
	bool waits; /* for the second */
};

enum { ACCESSES_KNOWN_PAGES = 64 };

/* Ready with its guest and whether CPUs run on several threads, the rest zeroed. */
struct accesses {
	const struct guest *guest;
	bool fast;
	uint64_t nr_io; /* left out */
	/*
	 * Pages of vmalloc's area, by number, that are no device's: stacks for the most part. QEMU
	 * is slow to tell. They hold until the guest maps a device again.
	 */
	uint64_t memory_pages[ACCESSES_KNOWN_PAGES];
	uint32_t nr_device_mappings; /* when they were known */
	struct access_half halves[COHERENCE_MAX_CPUS];
};

/* An instruction, in a word that QEMU hands back: nothing needs to be looked up for it. */
enum access_word { ACCESS_IS_WIDE = 1, ACCESS_IS_ATOMIC = 2, ACCESS_PLACE_SHIFT = 2 };

static inline uintptr_t access_word(const struct place *place)
{
	return (uintptr_t)place->number << ACCESS_PLACE_SHIFT |
	       (place->is_wide ? ACCESS_IS_WIDE : 0) | (place->is_atomic ? ACCESS_IS_ATOMIC : 0);
}

static inline uint32_t access_word_place(uintptr_t word)
{
	return (uint32_t)(word >> ACCESS_PLACE_SHIFT);
}

/* Whether the address is one of the kernel's memory for which QEMU need not be asked. */
static inline bool accesses_know(const struct accesses *accesses, uint64_t address)
{
	uint64_t page = address / ALLOCATIONS_PAGE;

	if (!(address >> 63) || address >= GUEST_FIXED)
		return false;
	if (address < GUEST_VMALLOC || address >= GUEST_VMALLOC_END)
		return true;
	return accesses->memory_pages[page % ACCESSES_KNOWN_PAGES] == page &&
	       accesses->nr_device_mappings == accesses->guest->nr_device_mappings;
}

/* Yields false for what is no access of its own, or none to memory. */
bool accesses_make(struct accesses *accesses, uint32_t cpu, qemu_plugin_meminfo_t info,
		   uint64_t address, uintptr_t word, struct coherence_access *ret);

#endif
