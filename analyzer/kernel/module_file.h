/* SPDX-License-Identifier: GPL-2.0-only */
/* What a module is called, and where its file is. */
#ifndef FIELDLINE_KERNEL_MODULE_FILE_H
#define FIELDLINE_KERNEL_MODULE_FILE_H

/*
 * The kernel's name of what a recording calls "[nf_tables]", ".../netfilter/nf-tables.ko.xz" or
 * "nf_tables": nf_tables, to be freed; "" = there is none.
 */
char *module_name(const char *recorded);

/*
 * The first "NAME.ko" or "NAME.ko.debug" in folder or below it, to be freed; NULL = there is none.
 * name is as a recording has it.
 */
char *module_file_find(const char *folder, const char *name);

#endif
