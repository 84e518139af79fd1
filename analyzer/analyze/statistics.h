/* SPDX-License-Identifier: GPL-2.0-only */
/* What a struct wastes, in numbers. */
#ifndef FIELDLINE_ANALYZE_STATISTICS_H
#define FIELDLINE_ANALYZE_STATISTICS_H

#include "model/listing.h"

struct statistics statistics_of(const struct type *type, struct view view);

#endif
