/* SPDX-License-Identifier: GPL-2.0-only */
/* Types from DWARF: what dwarf_scan.c finds, read by dwarf_reader.c. */
#ifndef FIELDLINE_KERNEL_DWARF_TYPES_H
#define FIELDLINE_KERNEL_DWARF_TYPES_H

#include "kernel/image.h"
#include "kernel/types.h"

/*
 * Adds to ret the definitions in image->dwarf that answer the request, and sets ret->notes to what
 * could not be read. Adding nothing is no error here.
 */
struct error *dwarf_types_read(const struct image *image, const struct types_request *request,
			       struct typeset *ret);
/* Calls add for the name of each struct, union and typedef, for the list of nearest names. */
struct error *dwarf_types_names(const struct image *image, unsigned int nr_threads,
				void (*add)(void *context, const char *name), void *context);

#endif
