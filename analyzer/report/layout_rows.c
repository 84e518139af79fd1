/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/layout_rows.h"

struct sibling {
	size_t at; /* index among the placed fields */
	uint64_t offset_bits;
};

DEFINE_VEC(sibling_vec, struct sibling);

struct builder {
	const struct layout_text_options *options;
	struct placed_vec placed;
	struct row_vec *rows;
};

/* Unused bits still to be listed between the fields of a struct. */
struct unused {
	enum row_kind kind;
	struct hole_vec holes;
	size_t next;
	uint64_t offset_bits;  /* of the struct in the outermost one */
	int32_t row;	       /* of the struct */
	struct unused *around; /* ROW_GAP: the holes of the struct that the union is in */
};

static void list_fields(struct builder *builder, size_t parent, const struct type *type,
			int32_t parent_row, uint32_t named_depth, struct unused *unused);

static size_t end_of_subtree(const struct placed_vec *placed, size_t at)
{
	uint32_t depth = placed->items[at].depth;

	for (at++; at < placed->nr && placed->items[at].depth > depth; at++)
		;
	return at;
}

static uint32_t depth_below(const struct builder *builder, int32_t row)
{
	return row < 0 ? 0 : builder->rows->items[row].depth + 1;
}

/* A hole of the whole struct is shown once, as that, and not as a gap of each alternative. */
static bool is_hole_around(const struct unused *gaps, uint64_t start, uint64_t end)
{
	for (const struct unused *around = gaps->around; around; around = around->around) {
		for (size_t i = 0; i < around->holes.nr; i++) {
			const struct hole *hole = &around->holes.items[i];
			uint64_t from = around->offset_bits + hole->offset_bits;

			if (from <= start && end <= from + hole->size_bits)
				return true;
		}
	}
	return false;
}

/* What comes before an offset, shown among the fields of the row `parent`. */
static void list_unused(struct builder *builder, struct unused *unused, uint64_t before_bits,
			int32_t parent)
{
	for (; unused->next < unused->holes.nr; unused->next++) {
		const struct hole *hole = &unused->holes.items[unused->next];
		uint64_t start = unused->offset_bits + hole->offset_bits;

		if (start >= before_bits)
			break;
		if (is_hole_around(unused, start, start + hole->size_bits))
			continue;
		*vec_add(builder->rows) = (struct row){
			.kind = unused->kind,
			.depth = depth_below(builder, parent),
			.parent = parent,
			.offset_bits = start,
			.width_bits = hole->size_bits,
		};
	}
	if (unused->around && before_bits != UINT64_MAX)
		list_unused(builder, unused->around, before_bits, parent);
}

/* All of one struct: its fields between its holes, then its padding. */
static void list_struct(struct builder *builder, size_t parent, const struct type *type,
			struct unused unused, uint32_t named_depth)
{
	uint64_t padding_bits;

	layout_holes(type, &unused.holes, &padding_bits);
	list_fields(builder, parent, type, unused.row, named_depth, &unused);
	list_unused(builder, &unused, UINT64_MAX, unused.row);
	if (padding_bits && unused.kind == ROW_HOLE)
		*vec_add(builder->rows) = (struct row){
			.kind = ROW_PADDING,
			.depth = depth_below(builder, unused.row),
			.parent = unused.row,
			.offset_bits = unused.offset_bits + type_size(type) * 8 - padding_bits,
			.width_bits = padding_bits,
		};
	vec_deinit(&unused.holes);
}

static bool is_opened(const struct builder *builder, const struct placed *placed,
		      uint32_t named_depth)
{
	const struct layout_text_options *options = builder->options;

	if (!placed->has_inside)
		return false;
	if (field_is_transparent(placed->field))
		return true;
	if (options->expand != LAYOUT_EXPAND_LARGE)
		return named_depth < options->expand;
	return options->flat || placed->width_bits > 8 * (uint64_t)options->view.cacheline;
}

static void list_field(struct builder *builder, size_t at, bool in_union, int32_t parent_row,
		       uint32_t named_depth, struct unused *unused)
{
	const struct placed *placed = &builder->placed.items[at];
	const struct type *inner = type_strip(placed->field->type);
	bool opened = is_opened(builder, placed, named_depth);
	struct row row = {
		.kind = opened ? ROW_OPENED : ROW_FIELD,
		.in_union = in_union,
		.depth = depth_below(builder, parent_row),
		.parent = parent_row,
		.field = placed->field,
		.offset_bits = placed->offset_bits,
		.width_bits = placed->width_bits,
	};
	struct unused own = {
		.kind = ROW_HOLE,
		.offset_bits = row.offset_bits,
		.row = (int32_t)builder->rows->nr,
	};

	*vec_add(builder->rows) = row;
	if (!opened)
		return;
	if (!field_is_transparent(placed->field)) {
		list_struct(builder, at, inner, own, named_depth + 1);
	} else if (in_union && inner->kind != TYPE_UNION) {
		own.kind = ROW_GAP;
		own.around = unused;
		list_struct(builder, at, inner, own, named_depth);
	} else {
		list_fields(builder, at, inner, own.row, named_depth, unused);
	}
}

static int compare_siblings(const void *a, const void *b)
{
	const struct sibling *left = a, *right = b;

	if (left->offset_bits != right->offset_bits)
		return left->offset_bits < right->offset_bits ? -1 : 1;
	return left->at < right->at ? -1 : left->at > right->at;
}

/* The members below placed[parent]; SIZE_MAX stands for the outermost struct. */
static void list_fields(struct builder *builder, size_t parent, const struct type *type,
			int32_t parent_row, uint32_t named_depth, struct unused *unused)
{
	const struct placed_vec *placed = &builder->placed;
	size_t end = parent == SIZE_MAX ? placed->nr : end_of_subtree(placed, parent);
	auto_vec struct sibling_vec siblings = {};
	bool in_union = type->kind == TYPE_UNION;

	for (size_t i = parent + 1; i < end; i = end_of_subtree(placed, i))
		*vec_add(&siblings) = (struct sibling){ i, placed->items[i].offset_bits };
	if (!in_union)
		vec_sort(&siblings, compare_siblings);
	for (size_t i = 0; i < siblings.nr; i++) {
		list_unused(builder, unused, siblings.items[i].offset_bits, parent_row);
		list_field(builder, siblings.items[i].at, in_union, parent_row, named_depth,
			   unused);
	}
}

bool layout_rows_list(const struct type *type, const struct layout_text_options *options,
		      struct row_vec *ret)
{
	bool by_depth = options->expand != LAYOUT_EXPAND_LARGE;
	struct builder builder = { .options = options, .rows = ret };
	bool complete =
		layout_flatten(type, by_depth ? options->expand : UINT32_MAX, &builder.placed);

	list_struct(&builder, SIZE_MAX, type, (struct unused){ .kind = ROW_HOLE, .row = -1 }, 0);
	vec_deinit(&builder.placed);
	return complete;
}

uint64_t row_last_byte(const struct row *row)
{
	return (row->offset_bits + (row->width_bits ? row->width_bits - 1 : 0)) / 8;
}

bool row_wastes_line(const struct row *row, struct view view)
{
	return row->kind == ROW_FIELD && view_wastes_line(view, row->offset_bits, row->width_bits);
}

const struct row *row_embedding(const struct row_vec *rows, const struct row *row)
{
	while (row->parent >= 0) {
		row = &rows->items[row->parent];
		if (!field_is_transparent(row->field))
			return row;
	}
	return NULL;
}
