/* SPDX-License-Identifier: GPL-2.0-only */
/* Types as C, as pahole prints them, each member with what was seen of it. */
#include "model/layout.h"
#include "report/layout_pahole.h"
#include "report/profile_printer.h"

/* Embedded structs are written out down to this depth. */
#define MAX_DEPTH 3

struct annotated {
	const struct profile *profile;
	uint32_t type;
	uint64_t base; /* of the struct being printed in that type */
};

static void annotate(void *context, struct text *text, uint64_t offset, uint64_t size)
{
	const struct annotated *annotated = context;
	struct profile_counts counts =
		profile_sum(annotated->profile, annotated->type, annotated->base + offset, size);
	uint64_t contended = profile_counts_contended(&counts);

	if (!counts.samples)
		return;
	text_printf(text, " /* r %llu, w %llu", (unsigned long long)counts.loads,
		    (unsigned long long)counts.stores);
	if (contended)
		text_printf(text, ", HITM %llu", (unsigned long long)contended);
	if (counts.nr_latency)
		text_printf(text, ", %llu cycles",
			    (unsigned long long)profile_counts_latency(&counts));
	text_add(text, " */");
}

static void print_lines(struct profile_printer *printer, const struct profile_type *type)
{
	const struct profile *profile = printer->profile;

	for (uint32_t i = 0; i < type->nr_lines; i++) {
		const struct profile_line *line = &profile->lines.items[type->first_line + i];

		if (line->verdict == VERDICT_NONE)
			continue;
		text_printf(
			printer->text,
			" * line %llu of objects at %u: %s sharing (%s), %llu true, %llu false\n",
			(unsigned long long)line->line, line->phase, verdict_word(line->verdict),
			certainty_word(line->certainty), (unsigned long long)line->nr_true,
			(unsigned long long)line->nr_false);
	}
}

/* Whether samples tell two of its fields apart, so that a sum hides something. */
static bool is_seen_inside(const struct profile *profile, const struct profile_type *type,
			   uint64_t start, uint64_t end)
{
	uint64_t seen = UINT64_MAX;

	for (uint32_t i = 0; i < type->nr_places; i++) {
		const struct profile_place *place = &profile->places.items[type->first_place + i];

		if (place->inferred || place->offset < start || place->offset >= end)
			continue;
		if (seen != UINT64_MAX && seen != place->offset)
			return true;
		seen = place->offset;
	}
	return false;
}

static void print_path(struct text *text, const struct placed_vec *fields, size_t at)
{
	const struct placed *placed = &fields->items[at];

	if (placed->parent >= 0)
		print_path(text, fields, (size_t)placed->parent);
	if (placed->field->name)
		text_printf(text, ".%s", placed->field->name);
}

/* The structs inside, which pahole names only, where more than one of their fields was seen. */
static void print_embedded(struct profile_printer *printer, uint32_t at)
{
	const struct profile_type *type = &printer->profile->types.items[at];
	struct annotated annotated = { .profile = printer->profile, .type = at };
	const struct layout_pahole_options options = {
		.cacheline = printer->profile->cacheline,
		.annotate = annotate,
		.context = &annotated,
	};
	auto_vec struct placed_vec fields = {};

	layout_flatten(type->type, MAX_DEPTH, &fields);
	for (size_t i = 0; i < fields.nr; i++) {
		const struct placed *placed = &fields.items[i];
		const struct definition definition = { .type = type_strip(placed->field->type) };

		annotated.base = placed->offset_bits / 8;
		if (placed->offset_bits == FIELD_OFFSET_UNKNOWN ||
		    field_is_transparent(placed->field) || !type_is_aggregate(definition.type) ||
		    !is_seen_inside(printer->profile, type, annotated.base,
				    annotated.base + placed->width_bits / 8))
			continue;
		text_printf(printer->text, "\n/* %s", type->label);
		print_path(printer->text, &fields, i);
		text_printf(printer->text, ", from byte %llu on; its lines as if it began one */\n",
			    (unsigned long long)annotated.base);
		layout_pahole_print(printer->text, &printer->profile->set, &definition, &options);
	}
}

static void print_type(struct profile_printer *printer, uint32_t at)
{
	const struct profile_type *type = &printer->profile->types.items[at];
	struct annotated annotated = { printer->profile, at, 0 };
	const struct layout_pahole_options options = {
		.cacheline = printer->profile->cacheline,
		.annotate = annotate,
		.context = &annotated,
	};
	const struct definition definition = { .type = type->type };

	text_printf(printer->text, "\n/*\n * %s: %llu samples, %llu objects\n", type->label,
		    (unsigned long long)type->counts.samples, (unsigned long long)type->nr_objects);
	print_lines(printer, type);
	text_add(printer->text, " */\n");
	layout_pahole_print(printer->text, &printer->profile->set, &definition, &options);
	print_embedded(printer, at);
}

void profile_c_print(struct text *text, const struct profile *profile,
		     const struct profile_text_options *options)
{
	struct profile_printer printer = { text, profile, options };
	uint32_t nr = 0;

	text_add(text, "/*\n");
	profile_print_honesty(text, profile, " * ");
	text_add(text, " */\n");
	for (uint32_t i = 0; i < profile->types.nr && nr < options->nr_shown; i++) {
		const struct profile_type *type = &profile->types.items[i];

		if (!type->type || !profile_wants_type(&printer, type))
			continue;
		print_type(&printer, i);
		nr++;
	}
}
