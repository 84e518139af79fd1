/* SPDX-License-Identifier: GPL-2.0-only */
/* Which types CPUs fight over: the kernel's locks, counters and reference counts, by name. */
#ifndef FIELDLINE_ANALYZE_LOCKS_H
#define FIELDLINE_ANALYZE_LOCKS_H

#include "model/type.h"

bool type_is_lock(const struct type *type);

#endif
