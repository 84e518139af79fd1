/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether what an instruction is said to access is what it did access. */
#ifndef FIELDLINE_RESOLVE_AGREEMENT_H
#define FIELDLINE_RESOLVE_AGREEMENT_H

#include "model/access.h"
#include "model/accuracy.h"

/* access is by instruction alone. Without a type of the memory the agreement is open. */
enum agreement agreement_of(const struct truth *truth, const struct access *access);

#endif
