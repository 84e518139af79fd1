/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Questions about the layout of a struct: where its fields fall, over which lines, with which
 * holes. All is computed from the type and never stored.
 *
 * Which line a field is on depends on where the object starts, so every such question takes a
 * view: the size of a line and the phase, the object's base modulo that size.
 */
#ifndef FIELDLINE_MODEL_LAYOUT_H
#define FIELDLINE_MODEL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/type.h"

struct view {
	uint32_t cacheline; /* bytes; a power of two */
	uint32_t phase;	    /* bytes; below cacheline */
};

/* A field of the outermost struct or of one embedded in it. */
struct placed {
	const struct field *field;
	uint64_t offset_bits; /* from the start of the outermost object; FIELD_OFFSET_UNKNOWN */
	uint64_t width_bits;
	uint32_t depth;	 /* nesting, anonymous levels included; 0 = a direct member */
	int32_t parent;	 /* index of the field it lies in; -1 for a direct member */
	bool has_inside; /* its own members follow */
};

DEFINE_VEC(placed_vec, struct placed);

/* Bits that belong to no field. */
struct hole {
	uint64_t offset_bits;
	uint64_t size_bits;
};

DEFINE_VEC(hole_vec, struct hole);

/*
 * Lists the fields of type, outer before inner, in the order of declaration. Anonymous structs
 * and unions are always opened; embedded named ones down to max_depth levels (0 = none). Arrays
 * are not opened. False if there are more than can be listed (200,000, or 32 levels deep): then the
 * others are missing.
 */
bool layout_flatten(const struct type *type, uint32_t max_depth, struct placed_vec *ret);
/*
 * The gaps between fields, by offset, and the padding behind the last one (in bits). Anonymous
 * members are looked into, embedded named structs count as full. In a union a bit is unused only
 * if every alternative leaves it unused. Where a virtual base lies in what looks like padding,
 * none is told.
 */
void layout_holes(const struct type *type, struct hole_vec *ret, uint64_t *ret_padding_bits);

/* The whole bytes of a hole, and the bits before and behind them (size 0 = none). */
void hole_split(const struct hole *hole, struct hole *ret_before, struct hole *ret_bytes,
		struct hole *ret_behind);

/* Lines touched by bytes [offset, offset + size); 0 for size 0. */
uint64_t view_nr_lines(struct view view, uint64_t offset, uint64_t size);
uint64_t view_line(struct view view, uint64_t offset);
/* Offset inside its line. */
uint32_t view_line_offset(struct view view, uint64_t offset);
/* Whether the bits lie on more than one line. */
bool view_straddles(struct view view, uint64_t offset_bits, uint64_t width_bits);
/*
 * Whether they lie on one line more than so many bytes need: a field of at most a line's size on
 * two, or a larger one whose start makes it reach one further.
 */
bool view_wastes_line(struct view view, uint64_t offset_bits, uint64_t width_bits);

/*
 * The kernel's zero-length group markers (include/linux/cache.h, since Linux 6.8):
 * __cacheline_group_begin__NAME and __cacheline_group_end__NAME. Yields NAME, or NULL.
 */
const char *field_group_begin(const struct field *field);
const char *field_group_end(const struct field *field);

#endif
