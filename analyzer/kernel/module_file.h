/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the file of a module is. */
#ifndef FIELDLINE_KERNEL_MODULE_FILE_H
#define FIELDLINE_KERNEL_MODULE_FILE_H

/*
 * The first "NAME.ko" or "NAME.ko.debug" in folder or below it, to be freed; NULL = there is none.
 * name is the kernel's, which turns dashes in names of files into underscores.
 */
char *module_file_find(const char *folder, const char *name);

#endif
