/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects compiled with -fdebug-types-section hold each type unit in a section of its own, in a
 * group that a linker will merge. libdw sees only the first section of each name, so such an
 * object is first made into one whose sections of one name are joined.
 */
#ifndef FIELDLINE_KERNEL_IMAGE_MERGE_H
#define FIELDLINE_KERNEL_IMAGE_MERGE_H

#include <libelf.h>
#include <stdbool.h>

#include "base/error.h"

/* Whether elf has several .debug_info or .debug_types sections. */
bool image_needs_merge(Elf *elf);
/*
 * Writes elf's debug sections, already relocated, to an ELF file in memory. *ret_fd is its file
 * descriptor; the caller opens and closes it.
 */
struct error *image_merge(Elf *elf, int *ret_fd);

#endif
