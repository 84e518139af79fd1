/* SPDX-License-Identifier: GPL-2.0-only */
/* Searching bytes at the speed of memory. */
#ifndef FIELDLINE_KERNEL_BYTE_SEARCH_H
#define FIELDLINE_KERNEL_BYTE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the four bytes of value, as they lie in memory, occur in [at, end) at any place. */
bool bytes_hold_u32(const uint8_t *at, const uint8_t *end, uint32_t value);

#endif
