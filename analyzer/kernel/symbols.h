/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the variables, or the functions, in the symbol table of an ELF file. */
#ifndef FIELDLINE_KERNEL_SYMBOLS_H
#define FIELDLINE_KERNEL_SYMBOLS_H

#include "base/error.h"
#include "model/symbol.h"

/* A file without a symbol table, or with no variable in it, is an error. */
struct error *symbols_read(const char *path, struct symbol_table *ret);
/* Functions and labels in code; those of assembly may have no size. */
struct error *symbols_read_functions(const char *path, struct symbol_table *ret);

#endif
