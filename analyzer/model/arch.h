/* SPDX-License-Identifier: GPL-2.0-only */
/* What a machine fixes about layouts: the kernel's line size and how far scalars are aligned. */
#ifndef FIELDLINE_MODEL_ARCH_H
#define FIELDLINE_MODEL_ARCH_H

#include <stdbool.h>
#include <stdint.h>

struct arch {
	const char *name;
	/*
	 * The kernel's L1_CACHE_BYTES: what ____cacheline_aligned aligns to (Linux 6.1,
	 * arch/<arch>/include/asm/cache.h with the shift of the default config).
	 */
	uint32_t cacheline;
	/* Inside a struct no scalar is aligned further than this (the psABI of each). */
	uint32_t scalar_align;
	/* No vector is aligned further than this: s390's ABI stops at 8. */
	uint32_t vector_align;
	/* An unnamed bit-field aligns its struct as a named one does (AAPCS). */
	bool unnamed_aligns;
};

/* By name; never NULL: an unknown name yields a 64-byte-line machine called "unknown". */
const struct arch *arch_by_name(const char *name);

#endif
