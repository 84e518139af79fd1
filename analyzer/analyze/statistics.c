/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/statistics.h"

static void add_bits(struct statistics *statistics, const struct hole *hole)
{
	statistics->nr_bit_holes += hole->size_bits != 0;
	statistics->bit_hole_bits += hole->size_bits;
}

static void add_holes(struct statistics *statistics, const struct type *type)
{
	auto_vec struct hole_vec holes = {};
	uint64_t padding_bits;

	layout_holes(type, &holes, &padding_bits);
	for (size_t i = 0; i < holes.nr; i++) {
		struct hole before, bytes, behind;

		hole_split(&holes.items[i], &before, &bytes, &behind);
		add_bits(statistics, &before);
		add_bits(statistics, &behind);
		statistics->nr_holes += bytes.size_bits != 0;
		statistics->hole_bytes += bytes.size_bits / 8;
	}
	statistics->padding = padding_bits / 8;
	statistics->bit_padding_bits = padding_bits % 8;
}

static uint32_t count_straddles(const struct type *type, struct view view)
{
	auto_vec struct placed_vec fields = {};
	uint32_t nr = 0;

	layout_flatten(type, 0, &fields);
	for (size_t i = 0; i < fields.nr; i++) {
		const struct placed *field = &fields.items[i];

		nr += !field->has_inside &&
		      view_wastes_line(view, field->offset_bits, field->width_bits);
	}
	return nr;
}

struct statistics statistics_of(const struct type *type, struct view view)
{
	uint64_t size = type_size(type);
	struct statistics statistics = {
		.size = size == TYPE_SIZE_UNKNOWN ? 0 : size,
	};

	statistics.nr_lines = view_nr_lines(view, 0, statistics.size);
	statistics.nr_straddles = count_straddles(type, view);
	add_holes(&statistics, type);
	return statistics;
}
