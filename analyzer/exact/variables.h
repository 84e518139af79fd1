/* SPDX-License-Identifier: GPL-2.0-only */
/* The types of variables, by their symbols. */
#ifndef FIELDLINE_EXACT_VARIABLES_H
#define FIELDLINE_EXACT_VARIABLES_H

#include "kernel/code.h"
#include "model/symbol.h"

/*
 * Of the kernel's own variables, and of what each module has. code: vmlinux's, as long as which the
 * type lives. NULL = debug information does not know a variable of that start and size.
 */
const struct type *variable_type(struct code *code, const struct symbol *symbol);

#endif
