/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Was this kernel built with randomized structs (CONFIG_RANDSTRUCT; before Linux 5.19
 * CONFIG_GCC_PLUGIN_RANDSTRUCT)? gcc's plugin shuffles members after the debug information has
 * taken their order.
 */
#ifndef FIELDLINE_KERNEL_RANDSTRUCT_H
#define FIELDLINE_KERNEL_RANDSTRUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Whether the bytes of a vmlinux's .rodata or a module's .modinfo say so. The version string that
 * modules are matched by names the seed's hash (include/linux/vermagic.h), and the configuration
 * may be embedded (CONFIG_IKCONFIG). A kernel with neither modules nor that says nothing.
 */
bool randstruct_in_bytes(const uint8_t *data, size_t size);

#endif
