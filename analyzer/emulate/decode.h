/* SPDX-License-Identifier: GPL-2.0-only */
/* What must be known of an x86-64 instruction before its accesses can be counted right. */
#ifndef FIELDLINE_EMULATE_DECODE_H
#define FIELDLINE_EMULATE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decoded {
	bool is_atomic; /* a lock prefix, or xchg with memory: reads and writes as one */
	bool is_call;
	bool is_return;
	bool is_wide; /* moves 16 bytes, which QEMU does in two accesses of 8 */
	uint8_t mark; /* what the guest says to us; 0 = no mark */
};

/*
 * The mark: nopl 0xc20c2c00 + MARK (%rax), which no compiler makes and every CPU ignores.
 *	0f 1f 80 MARK 2c 0c c2
 */
struct decoded decode(const uint8_t *bytes, size_t nr);

#endif
