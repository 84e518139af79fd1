/* SPDX-License-Identifier: GPL-2.0-only */
/* Which struct holds which, and where: by value, through arrays and unions. */
#ifndef FIELDLINE_RESOLVE_EMBEDDING_H
#define FIELDLINE_RESOLVE_EMBEDDING_H

#include <stdbool.h>
#include <stdint.h>

#include "model/type.h"

/* Structs of one name and size are taken for the same, whichever unit they come from. */
bool type_is_same(const struct type *a, const struct type *b);
/* Whether an inner one lies at offset in outer; at 0 a type holds itself. */
bool type_holds(const struct type *outer, uint64_t offset, const struct type *inner);
/* Hash by which types that are the same are equal. */
uint64_t type_identity(const struct type *type);

#endif
