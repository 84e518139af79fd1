/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A struct taken apart into what the text printer shows one by one: fields, structs whose fields
 * follow, and the room nobody uses.
 */
#ifndef FIELDLINE_REPORT_LAYOUT_ROWS_H
#define FIELDLINE_REPORT_LAYOUT_ROWS_H

#include "base/vec.h"
#include "model/layout.h"
#include "report/layout_text.h"

enum row_kind {
	ROW_FIELD,
	ROW_OPENED, /* its own fields follow */
	ROW_HOLE,
	ROW_PADDING,
	ROW_GAP, /* unused by this alternative of a union, used by another */
};

struct row {
	enum row_kind kind;
	bool in_union; /* an alternative to its siblings */
	uint32_t depth;
	int32_t parent;		   /* index of the opened row it lies in; -1 = none */
	const struct field *field; /* NULL for holes, padding and gaps */
	uint64_t offset_bits;	   /* FIELD_OFFSET_UNKNOWN: a virtual base */
	uint64_t width_bits;
};

DEFINE_VEC(row_vec, struct row);

/*
 * Siblings come by offset, alternatives of a union in the order of declaration. False if there are
 * too many (see layout_flatten()); then some are missing.
 */
bool layout_rows_list(const struct type *type, const struct layout_text_options *options,
		      struct row_vec *ret);

/* The offset of the last byte a row touches; of an empty row, where it stands. */
uint64_t row_last_byte(const struct row *row);
/* Whether it lies on a line more than it needs; never an opened row, whose fields say so. */
bool row_wastes_line(const struct row *row, struct view view);
/* The nearest opened struct with a name that row lies in, or NULL. */
const struct row *row_embedding(const struct row_vec *rows, const struct row *row);

#endif
