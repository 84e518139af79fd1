/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hashes of definitions, straight from .debug_info, so that a layout which two thousand units
 * repeat is read by libdw once.
 *
 * Whatever changes the model's view of a type changes the hash; members by value count in full,
 * what is behind a pointer by name. The other way round is not promised: references out of the
 * unit hash by their target's place, so equal definitions may differ. type_hash() settles that.
 */
#ifndef FIELDLINE_KERNEL_DWARF_HASH_H
#define FIELDLINE_KERNEL_DWARF_HASH_H

#include "kernel/dwarf_units.h"

/* One thread's memory of types and names it has hashed: direct-mapped, newest wins. */
struct dwarf_hasher;

struct dwarf_hasher *dwarf_hasher_create(void);
void dwarf_hasher_destroy(struct dwarf_hasher *hasher);

/* The hash of the type at `die` (never 0). */
uint64_t dwarf_hash_type(struct dwarf_hasher *hasher, const struct dwarf_unit *unit,
			 const uint8_t *die);
/* The hash of a name attribute's string. */
uint64_t dwarf_hash_name(struct dwarf_hasher *hasher, const struct dwarf_unit *unit, uint16_t form,
			 const uint8_t *at);

#endif
