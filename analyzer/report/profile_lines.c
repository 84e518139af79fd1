/* SPDX-License-Identifier: GPL-2.0-only */
/* A type of a profile: its lines, each with its fields and who meets whom on it. */
#include <string.h>

#include "model/field_path.h"
#include "report/layout_printer.h"
#include "report/profile_printer.h"
#include "report/grid.h"

#define MAX_PAIRS 6
#define MAX_PHASES 4

static unsigned long long ull(uint64_t value)
{
	return value;
}

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

/* A field as its places add up. */
struct seen_field {
	uint64_t offset, size;
	struct profile_counts counts;
	struct cpu_set readers, writers;
	enum access_confidence confidence;
};

DEFINE_VEC(seen_field_vec, struct seen_field);

/* One line of a type being printed. */
struct drawn_line {
	struct profile_printer *printer;
	const struct profile_type *type;
	const struct profile_line *line;
	struct view view;
	uint64_t start, end; /* bytes of the object that are on it */
	struct seen_field_vec fields;
	struct arena arena;
};

static uint64_t place_end(const struct profile_place *place)
{
	return place->offset + (place->size ? place->size : 1);
}

/* Places of one field are one row; what is in no field stands for itself. */
static void add_field(struct drawn_line *drawn, const struct profile_place *place)
{
	struct field_place found = field_place_at(drawn->type->type, place->offset, place->size);
	struct seen_field *field = NULL;

	if (!found.field || found.is_hole) {
		found.offset = place->offset;
		found.size = place->size ? place->size : 1;
	}
	for (size_t i = 0; i < drawn->fields.nr && !field; i++) {
		if (drawn->fields.items[i].offset == found.offset &&
		    drawn->fields.items[i].size == found.size)
			field = &drawn->fields.items[i];
	}
	if (!field) {
		field = vec_add(&drawn->fields);
		*field = (struct seen_field){ .offset = found.offset,
					      .size = found.size,
					      .confidence = place->confidence };
	}
	profile_counts_add(&field->counts, &place->counts);
	cpu_set_add_all(&field->readers, &place->readers, &drawn->arena);
	cpu_set_add_all(&field->writers, &place->writers, &drawn->arena);
	if (place->confidence < field->confidence)
		field->confidence = place->confidence;
}

static int compare_fields(const void *a, const void *b)
{
	const struct seen_field *left = a, *right = b;

	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return left->size < right->size ? -1 : left->size > right->size;
}

static void list_fields(struct drawn_line *drawn)
{
	const struct profile *profile = drawn->printer->profile;

	for (uint32_t i = 0; i < drawn->type->nr_places; i++) {
		const struct profile_place *place =
			&profile->places.items[drawn->type->first_place + i];

		if (!place->inferred && place->offset < drawn->end &&
		    place_end(place) > drawn->start)
			add_field(drawn, place);
	}
	vec_sort(&drawn->fields, compare_fields);
}

static void add_cpus(struct grid *grid, const struct cpu_set *cpus)
{
	auto_text struct text text = {};

	cpu_set_print(&text, cpus);
	grid_add(grid, "%s", text_chars(&text));
}

static void add_row(struct grid *grid, const struct drawn_line *drawn,
		    const struct seen_field *field)
{
	uint64_t latency = profile_counts_latency(&field->counts);
	auto_text struct text path = {};

	field_path_print(&path, drawn->type->type, field->offset, field->size);
	grid_add(grid, "%llu", ull(field->offset));
	grid_add(grid, "+%u", view_line_offset(drawn->view, field->offset));
	grid_add(grid, "%llu", ull(field->size));
	grid_add(grid, "%s%s", text_chars(&path),
		 field->confidence == CONFIDENCE_LOW ? " (a guess)" : "");
	grid_add_number(grid, field->counts.loads);
	grid_add_number(grid, field->counts.stores);
	grid_add_number(grid, field->counts.hitm_local);
	grid_add_number(grid, field->counts.hitm_remote);
	grid_add_number(grid, field->counts.peer);
	grid_add_number(grid, latency);
	add_cpus(grid, &field->readers);
	add_cpus(grid, &field->writers);
}

static void print_fields(struct drawn_line *drawn)
{
	static const char *const columns[] = { "offset", "+line",  "size",	 "field",
					       "reads",	 "writes", "HITM local", "HITM remote",
					       "peer",	 "cycles", "read by",	 "written by" };
	auto_grid struct grid grid = { .nr_columns = array_size(columns),
				       .left = 1 << 3 | 1 << 10 | 1 << 11 };

	for (size_t i = 0; i < array_size(columns); i++)
		grid_add(&grid, "%s", columns[i]);
	for (size_t i = 0; i < drawn->fields.nr; i++)
		add_row(&grid, drawn, &drawn->fields.items[i]);
	grid_print(&grid, drawn->printer->text, "    ");
}

static bool is_seen(const struct drawn_line *drawn, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < drawn->fields.nr; i++) {
		const struct seen_field *field = &drawn->fields.items[i];

		if (field->offset < end && field->offset + field->size > start)
			return true;
	}
	return false;
}

static bool is_inferred(const struct drawn_line *drawn, uint64_t start, uint64_t end)
{
	const struct profile_place *places =
		drawn->printer->profile->places.items + drawn->type->first_place;

	for (uint32_t i = 0; i < drawn->type->nr_places; i++) {
		if (places[i].inferred && places[i].offset < end && place_end(&places[i]) > start)
			return true;
	}
	return false;
}

/* Fields that no sample shows, but code that runs behind a sampled instruction touches. */
static void print_inferred(struct drawn_line *drawn)
{
	const struct profile *profile = drawn->printer->profile;
	struct layout_list list = { .text = drawn->printer->text, .title = "    inferred:" };
	auto_text struct text item = {};

	for (uint32_t i = 0; i < drawn->type->nr_places; i++) {
		const struct profile_place *place =
			&profile->places.items[drawn->type->first_place + i];

		if (!place->inferred || place->offset >= drawn->end ||
		    place_end(place) <= drawn->start ||
		    is_seen(drawn, place->offset, place_end(place)))
			continue;
		text_clear(&item);
		field_path_print(&item, drawn->type->type, place->offset, place->size);
		text_printf(&item, " (%s%s%s, %s)", place->counts.loads ? "read" : "",
			    place->counts.loads && place->counts.stores ? " and " : "",
			    place->counts.stores ? "written" : "",
			    place->function ? place->function : "unknown code");
		layout_list_add(&list, text_chars(&item));
	}
	layout_list_end(&list);
}

/* The other fields of the line: a change of the layout moves them too. */
static void print_unseen(struct drawn_line *drawn)
{
	struct layout_text_options options = { .view = drawn->view, .expand = LAYOUT_EXPAND_LARGE };
	struct layout_list list = { .text = drawn->printer->text, .title = "    not seen:" };
	struct layout_printer layout = { .type = drawn->type->type, .options = &options };
	auto_text struct text path = {};

	layout_rows_list(drawn->type->type, &options, &layout.rows);
	for (size_t i = 0; i < layout.rows.nr; i++) {
		const struct row *row = &layout.rows.items[i];
		uint64_t start = row->offset_bits / 8, end = row_last_byte(row) + 1;

		if (row->kind != ROW_FIELD || row->offset_bits == FIELD_OFFSET_UNKNOWN ||
		    start >= drawn->end || end <= drawn->start || is_seen(drawn, start, end) ||
		    is_inferred(drawn, start, end))
			continue;
		text_clear(&path);
		layout_add_path(&layout, &path, row);
		layout_list_add(&list, text_chars(&path));
	}
	layout_list_end(&list);
	vec_deinit(&layout.rows);
}

void profile_print_place(struct text *text, const struct profile *profile,
			 const struct profile_place *place)
{
	const struct profile_type *type = &profile->types.items[place->type];
	size_t start = text->length;

	if (type->type)
		field_path_print(text, type->type, place->offset, place->size);
	if (text->length > start)
		return;
	text_add(text, type->label);
	if (place->offset)
		text_printf(text, "+%llu", ull(place->offset));
}

static void add_side(struct text *text, const struct profile *profile, uint32_t at)
{
	const struct profile_place *place = &profile->places.items[at];

	profile_print_place(text, profile, place);
	text_printf(text, " in %s", place->function ? place->function : "(unknown code)");
}

static void print_pairs(struct drawn_line *drawn)
{
	const struct profile *profile = drawn->printer->profile;
	const struct profile_line *line = drawn->line;

	for (uint32_t i = 0; i < line->nr_pairs && i < MAX_PAIRS; i++) {
		const struct profile_pair *pair = &profile->pairs.items[line->first_pair + i];
		auto_text struct text writer = {}, other = {};

		add_side(&writer, profile, pair->writer);
		add_side(&other, profile, pair->other);
		text_printf(drawn->printer->text, "    %llu %s: %s, %s %s%s\n", ull(pair->nr),
			    pair->overlaps ? "true" : "false", text_chars(&other),
			    pair->timed ? "after" : "where another CPU does", text_chars(&writer),
			    pair->neighbour ? " (another object)" : "");
	}
	if (line->nr_pairs > MAX_PAIRS)
		text_printf(drawn->printer->text, "    ... and %u more pairs\n",
			    line->nr_pairs - MAX_PAIRS);
}

/* The fields that must part: on each side of the false sharing, the most frequent first. */
static void print_parting(struct drawn_line *drawn)
{
	const struct profile *profile = drawn->printer->profile;
	const struct profile_line *line = drawn->line;

	if (line->verdict != VERDICT_FALSE && line->verdict != VERDICT_MIXED)
		return;
	for (uint32_t i = 0; i < line->nr_pairs; i++) {
		const struct profile_pair *pair = &profile->pairs.items[line->first_pair + i];
		auto_text struct text writer = {}, other = {};

		if (pair->overlaps || pair->neighbour)
			continue;
		profile_print_place(&writer, profile, &profile->places.items[pair->writer]);
		profile_print_place(&other, profile, &profile->places.items[pair->other]);
		text_printf(drawn->printer->text, "    must part: %s (written) from %s (used)\n",
			    text_chars(&writer), text_chars(&other));
		return;
	}
}

static void print_verdict(struct text *text, const struct profile_line *line)
{
	static const char *const phrases[VERDICT_NR] = {
		[VERDICT_NONE] = "no sharing seen",
		[VERDICT_UNDECIDED] = "contended, over which bytes was not seen",
		[VERDICT_TRUE] = "true sharing",
		[VERDICT_FALSE] = "false sharing",
		[VERDICT_MIXED] = "true and false sharing",
	};

	text_add(text, phrases[line->verdict]);
	if (line->certainty)
		text_printf(text, ", %s", certainty_word(line->certainty));
	if (line->nr_true + line->nr_false)
		text_printf(text, " (%llu used what another CPU wrote, %llu did not",
			    ull(line->nr_true), ull(line->nr_false));
	if (line->nr_neighbour)
		text_printf(text, ", %llu of these for a neighbouring object",
			    ull(line->nr_neighbour));
	if (line->nr_true + line->nr_false)
		text_add_char(text, ')');
}

static void print_line(struct profile_printer *printer, const struct profile_type *type,
		       const struct profile_line *line)
{
	struct view view = { printer->profile->cacheline, line->phase };
	struct drawn_line drawn = {
		.printer = printer,
		.type = type,
		.line = line,
		.view = view,
		.start = line->line ? line->line * view.cacheline - view.phase : 0,
		.end = (line->line + 1) * view.cacheline - view.phase,
	};

	if (type->size && drawn.end > type->size)
		drawn.end = type->size;
	text_printf(printer->text, "\n  line %llu: bytes %llu..%llu: ", ull(line->line),
		    ull(drawn.start), ull(drawn.end - 1));
	print_verdict(printer->text, line);
	text_add_char(printer->text, '\n');
	list_fields(&drawn);
	print_fields(&drawn);
	print_inferred(&drawn);
	print_unseen(&drawn);
	print_pairs(&drawn);
	print_parting(&drawn);
	vec_deinit(&drawn.fields);
	arena_deinit(&drawn.arena);
}

static void print_cut(struct profile_printer *printer, const struct profile_type *type,
		      const struct profile_cut *cut)
{
	struct view view = { printer->profile->cacheline, cut->phase };
	auto_text struct text first = {}, second = {};

	field_path_print(&first, type->type, cut->first_offset, cut->first_size);
	field_path_print(&second, type->type, cut->second_offset, cut->second_size);
	text_printf(printer->text,
		    "  cut pair, %s: %s | %s: %s writes both, and the boundary of lines %llu and "
		    "%llu parts them\n",
		    certainty_word(cut->certainty), text_chars(&first), text_chars(&second),
		    cut->function, ull(view_line(view, cut->first_offset)),
		    ull(view_line(view, cut->second_offset)));
}

static bool is_worth_drawing(const struct profile_line *line, bool is_named)
{
	return is_named || line->verdict != VERDICT_NONE;
}

/* Lines that matter, of objects that start at this phase. */
static void print_phase(struct profile_printer *printer, const struct profile_type *type,
			const struct profile_phase *phase)
{
	const struct profile *profile = printer->profile;
	bool is_named = printer->options->types->nr;

	text_printf(printer->text, "\n %llu object%s at %u bytes behind a line boundary\n",
		    ull(phase->nr_objects), plural(phase->nr_objects), phase->phase);
	for (uint32_t i = 0; i < type->nr_cuts; i++) {
		const struct profile_cut *cut = &profile->cuts.items[type->first_cut + i];

		if (cut->phase == phase->phase)
			print_cut(printer, type, cut);
	}
	for (uint32_t i = 0; i < type->nr_lines; i++) {
		const struct profile_line *line = &profile->lines.items[type->first_line + i];

		if (line->phase == phase->phase && is_worth_drawing(line, is_named))
			print_line(printer, type, line);
	}
}

bool profile_wants_type(const struct profile_printer *printer, const struct profile_type *type)
{
	const struct string_vec *wanted = printer->options->types;
	const struct profile *profile = printer->profile;

	for (size_t i = 0; i < wanted->nr; i++) {
		if (profile_find_type(profile, wanted->items[i]) ==
		    (uint32_t)(type - profile->types.items))
			return true;
	}
	for (uint32_t i = 0; i < type->nr_lines && !wanted->nr; i++) {
		if (profile->lines.items[type->first_line + i].verdict != VERDICT_NONE)
			return true;
	}
	return false;
}

static void print_title(struct text *text, const struct profile_type *type)
{
	const struct profile_counts *counts = &type->counts;

	text_printf(text, "\n%s", type->label);
	if (type->size)
		text_printf(text, " (%llu byte%s)", ull(type->size), plural(type->size));
	text_printf(text, ": %llu samples, %llu reads, %llu writes; HITM %llu local, %llu remote",
		    ull(counts->samples), ull(counts->loads), ull(counts->stores),
		    ull(counts->hitm_local), ull(counts->hitm_remote));
	if (counts->peer)
		text_printf(text, "; %llu from peers", ull(counts->peer));
	if (counts->nr_latency)
		text_printf(text, "; %llu cycles in the mean", ull(profile_counts_latency(counts)));
	text_printf(text, "; %llu object%s seen\n", ull(type->nr_objects),
		    plural(type->nr_objects));
}

void profile_print_type(struct profile_printer *printer, uint32_t at)
{
	const struct profile_type *type = &printer->profile->types.items[at];

	print_title(printer->text, type);
	if (!type->type)
		return;
	for (uint32_t i = 0; i < type->nr_phases && i < MAX_PHASES; i++)
		print_phase(printer, type, &printer->profile->phases.items[type->first_phase + i]);
	if (type->nr_phases > MAX_PHASES)
		text_printf(printer->text, "\n ... and %u more phases\n",
			    type->nr_phases - MAX_PHASES);
}
