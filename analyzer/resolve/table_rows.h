/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row in 16 bytes, little-endian: address from the table's base (4), type (4), offset (4),
 * size (1), rule and class (1), reason and confidence (1), flags (1).
 */
#ifndef FIELDLINE_RESOLVE_TABLE_ROWS_H
#define FIELDLINE_RESOLVE_TABLE_ROWS_H

#include "resolve/table.h"

#define ROW_BYTES 16

void row_pack(const struct row *row, uint64_t base, uint8_t *ret);
struct row row_unpack(const uint8_t *bytes, uint64_t base);

#endif
