/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the running kernel's types are. */
#ifndef FIELDLINE_KERNEL_RUNNING_H
#define FIELDLINE_KERNEL_RUNNING_H

#include "base/error.h"

/*
 * The first readable image of the kernel of that release below root ("" for the machine's own).
 * types_running_kernel() with what it would ask the system for.
 */
struct error *running_kernel_find(const char *root, const char *release, char **ret);

#endif
