/* SPDX-License-Identifier: GPL-2.0-only */
/* What a module is called, and where its file is. */
#ifndef FIELDLINE_KERNEL_MODULE_FILE_H
#define FIELDLINE_KERNEL_MODULE_FILE_H

#include <stddef.h>

/*
 * The name in what a recording calls a module: brd in "[brd]", ".../block/brd.ko.xz", "brd". It
 * begins at *ret; returns its length, 0 = there is none.
 */
size_t module_name(const char *recorded, const char **ret);

/*
 * The first "NAME.ko" or "NAME.ko.debug" in folder or below it, to be freed; NULL = there is none.
 * name is as a recording has it; dashes in names of files are underscores in the kernel's.
 */
char *module_file_find(const char *folder, const char *name);

#endif
