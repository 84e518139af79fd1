/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/fields.h"

#include <inttypes.h>
#include <string.h>

#include "model/field_path.h"
#include "model/layout.h"

/* Of memory without a type: a word at a time. */
enum { WORD = 8 };

/* What spinlocks and rwlocks are made of, down to the byte that says "locked". */
static const char *const insides[] = { ".rlock", ".raw_lock", ".counter" };

static void shorten(char *path)
{
	char *to = path;

	for (size_t i = 0; i < array_size(insides); i++) {
		char *inside = strstr(path, insides[i]);
		size_t nr = strlen(insides[i]);

		if (inside && inside != path && (!inside[nr] || inside[nr] == '.'))
			*inside = '\0';
	}
	for (const char *from = path; *from; from++) {
		*to++ = *from;
		if (*from == '[')
			from += strcspn(from, "]") - 1;
	}
	*to = '\0';
}

const char *field_name(struct arena *arena, const struct exact_type *type, uint64_t offset,
		       uint64_t size)
{
	const struct type *element = type_element(type->type, &offset);
	auto_text struct text path = {};

	if (element != type_strip(type->type))
		text_add(&path, "[]");
	if (type_is_aggregate(element)) {
		if (path.length)
			text_add_char(&path, '.');
		field_path_print(&path, element, offset, size);
	} else if (element && !path.length) {
		text_add(&path, type->label);
	}
	if (!path.length)
		text_printf(&path, "+0x%" PRIx64, offset);
	shorten(path.chars);
	return arena_strdup(arena, text_chars(&path));
}

void field_rows_add(struct field_rows *rows, struct exact *exact, const struct field_row *row)
{
	const struct exact_type *type = &exact->types.items[row->type];
	struct view view = { exact->run.line_size, row->phase };
	struct field_row added = *row;
	uint64_t inside = row->offset;
	const struct type *element = type_element(type->type, &inside);
	struct field_place place = {};

	if (type_is_aggregate(element))
		place = field_place_at(element, inside, row->size);
	if (place.field && !place.is_hole && place.size <= exact->run.line_size) {
		added.field_offset = row->offset - inside + place.offset;
		added.field_size = place.size;
	} else {
		added.field_offset = row->offset / WORD * WORD;
		added.field_size = WORD;
	}
	added.path = field_name(&exact->arena, type, added.field_offset, added.field_size);
	added.line = view_line(view, row->offset);
	*vec_add(rows) = added;
}

static int compare_u64(uint64_t left, uint64_t right)
{
	return left < right ? -1 : left > right;
}

static int compare_rows(const void *a, const void *b)
{
	const struct field_row *left = a, *right = b;
	int order = compare_u64(left->type, right->type);

	if (!order)
		order = compare_u64(left->phase, right->phase);
	if (!order)
		order = compare_u64(left->line, right->line);
	if (!order)
		order = strcmp(left->path, right->path);
	if (!order)
		order = strcmp(left->function, right->function);
	if (!order)
		order = compare_u64(left->context, right->context);
	return order ? order : compare_u64(left->cpu, right->cpu);
}

static bool same_line(const struct field_row *a, const struct field_row *b)
{
	return a->type == b->type && a->phase == b->phase && a->line == b->line;
}

static bool same_field(const struct field_row *a, const struct field_row *b)
{
	return same_line(a, b) && !strcmp(a->path, b->path);
}

static bool same_function(const struct field_row *a, const struct field_row *b)
{
	return same_field(a, b) && !strcmp(a->function, b->function) && a->context == b->context;
}

/* Rows come in order: each starts what it does not share with the one before. */
static void add_row(struct exact *exact, const struct field_row *row,
		    const struct field_row *before)
{
	if (!before || !same_line(before, row))
		*vec_add(&exact->lines) = (struct exact_line){
			.type = row->type,
			.phase = row->phase,
			.line = row->line,
			.first_field = (uint32_t)exact->fields.nr,
		};
	if (!before || !same_field(before, row))
		*vec_add(&exact->fields) = (struct exact_field){
			.line = (uint32_t)exact->lines.nr - 1,
			.offset = row->field_offset,
			.size = row->field_size,
			.path = row->path,
			.first_function = (uint32_t)exact->functions.nr,
		};
	if (!before || !same_function(before, row))
		*vec_add(&exact->functions) = (struct exact_function){
			.field = (uint32_t)exact->fields.nr - 1,
			.name = arena_strdup(&exact->arena, row->function),
			.context = row->context,
		};
}

static void count_row(struct exact *exact, const struct field_row *row)
{
	struct exact_line *line = &exact->lines.items[exact->lines.nr - 1];
	struct exact_field *field = &exact->fields.items[exact->fields.nr - 1];
	struct exact_function *function = &exact->functions.items[exact->functions.nr - 1];

	if (row->field_offset < field->offset)
		field->offset = row->field_offset;
	line->nr_fields = (uint32_t)exact->fields.nr - line->first_field;
	field->nr_functions = (uint32_t)exact->functions.nr - field->first_function;
	function->cpus |= 1ull << row->cpu % 64;
	exact_counts_add(&line->counts, &row->counts);
	exact_counts_add(&field->counts, &row->counts);
	exact_counts_add(&function->counts, &row->counts);
	exact_counts_add(&exact->types.items[row->type].counts, &row->counts);
}

static int compare_counts(const struct exact_counts *left, const struct exact_counts *right)
{
	int order = compare_u64(exact_counts_transfers(right), exact_counts_transfers(left));

	return order ? order : compare_u64(exact_counts_hitm(right), exact_counts_hitm(left));
}

struct order {
	uint32_t old;
	const struct exact_type *type;
};

static int compare_types(const void *a, const void *b)
{
	const struct order *left = a, *right = b;
	int order = compare_counts(&left->type->counts, &right->type->counts);

	if (!order)
		order = strcmp(left->type->label, right->type->label);
	return order ? order : strcmp(left->type->origin, right->type->origin);
}

static int compare_lines(const void *a, const void *b)
{
	const struct exact_line *left = a, *right = b;
	int order = compare_u64(left->type, right->type);

	if (!order)
		order = compare_counts(&left->counts, &right->counts);
	if (!order)
		order = compare_u64(left->phase, right->phase);
	return order ? order : compare_u64(left->line, right->line);
}

static int compare_functions(const void *a, const void *b)
{
	const struct exact_function *left = a, *right = b;
	int order = compare_u64(left->field, right->field);

	if (!order)
		order = compare_counts(&left->counts, &right->counts);
	if (!order)
		order = compare_u64(
			right->counts.loads + right->counts.stores + right->counts.atomics,
			left->counts.loads + left->counts.stores + left->counts.atomics);
	if (!order)
		order = strcmp(left->name, right->name);
	return order ? order : compare_u64(left->context, right->context);
}

/* The types change places; owners that hold their numbers are told by ret_numbers[old]. */
static void sort_types(struct exact *exact, uint32_t *ret_numbers)
{
	size_t nr = exact->types.nr;
	auto_free struct order *orders = memory_alloc(nr + 1, sizeof(*orders));
	auto_free struct exact_type *old = memory_alloc(nr + 1, sizeof(*old));

	for (size_t i = 0; i < nr; i++) {
		old[i] = exact->types.items[i];
		orders[i] = (struct order){ (uint32_t)i, &old[i] };
	}
	qsort(orders, nr, sizeof(*orders), compare_types);
	for (size_t i = 0; i < nr; i++) {
		exact->types.items[i] = *orders[i].type;
		ret_numbers[orders[i].old] = (uint32_t)i;
	}
}

/* Behind this each type knows its lines; fields find theirs again. */
static void sort_lines(struct exact *exact, const uint32_t *numbers)
{
	for (size_t i = 0; i < exact->lines.nr; i++)
		exact->lines.items[i].type = numbers[exact->lines.items[i].type];
	vec_sort(&exact->lines, compare_lines);
	for (size_t i = 0; i < exact->lines.nr; i++) {
		const struct exact_line *line = &exact->lines.items[i];
		struct exact_type *type = &exact->types.items[line->type];

		if (!type->nr_lines++)
			type->first_line = (uint32_t)i;
		for (uint32_t k = 0; k < line->nr_fields; k++)
			exact->fields.items[line->first_field + k].line = (uint32_t)i;
	}
}

static int compare_meetings(const void *a, const void *b)
{
	const struct exact_pair *left = a, *right = b;
	int order = compare_u64(left->reader_type, right->reader_type);

	if (!order)
		order = compare_u64(left->writer_type, right->writer_type);
	if (!order)
		order = strcmp(left->writer_path, right->writer_path);
	if (!order)
		order = strcmp(left->reader_path, right->reader_path);
	if (!order)
		order = strcmp(left->writer_function, right->writer_function);
	return order ? order : strcmp(left->reader_function, right->reader_function);
}

static int compare_pairs(const void *a, const void *b)
{
	const struct exact_pair *left = a, *right = b;
	int order = compare_u64(right->nr_true + right->nr_false, left->nr_true + left->nr_false);

	return order ? order : compare_meetings(a, b);
}

/* Several instructions of a function are one. */
static void sort_pairs(struct exact *exact, const uint32_t *numbers)
{
	struct exact_pair *pairs = exact->pairs.items;
	size_t nr = 0;

	for (size_t i = 0; i < exact->pairs.nr; i++) {
		pairs[i].writer_type = numbers[pairs[i].writer_type];
		pairs[i].reader_type = numbers[pairs[i].reader_type];
	}
	vec_sort(&exact->pairs, compare_meetings);
	for (size_t i = 0; i < exact->pairs.nr; i++) {
		if (nr && !compare_meetings(&pairs[nr - 1], &pairs[i])) {
			pairs[nr - 1].nr_true += pairs[i].nr_true;
			pairs[nr - 1].nr_false += pairs[i].nr_false;
		} else {
			pairs[nr++] = pairs[i];
		}
	}
	exact->pairs.nr = nr;
	vec_sort(&exact->pairs, compare_pairs);
}

static int compare_fields(const void *a, const void *b)
{
	const struct exact_field *left = a, *right = b;
	int order = compare_u64(left->line, right->line);

	if (!order)
		order = compare_u64(left->offset, right->offset);
	return order ? order : strcmp(left->path, right->path);
}

/* By line and offset, which were by path; lines and functions find their fields again. */
static void sort_fields(struct exact *exact)
{
	vec_sort(&exact->fields, compare_fields);
	for (size_t i = exact->fields.nr; i-- > 0;) {
		const struct exact_field *field = &exact->fields.items[i];

		exact->lines.items[field->line].first_field = (uint32_t)i;
		for (uint32_t k = 0; k < field->nr_functions; k++)
			exact->functions.items[field->first_function + k].field = (uint32_t)i;
	}
	vec_sort(&exact->functions, compare_functions);
	for (size_t i = exact->functions.nr; i-- > 0;) {
		const struct exact_function *function = &exact->functions.items[i];

		exact->fields.items[function->field].first_function = (uint32_t)i;
	}
}

void field_rows_build(struct field_rows *rows, struct exact *exact)
{
	auto_free uint32_t *numbers = NULL;

	vec_sort(rows, compare_rows);
	for (size_t i = 0; i < rows->nr; i++) {
		add_row(exact, &rows->items[i], i ? &rows->items[i - 1] : NULL);
		count_row(exact, &rows->items[i]);
	}
	numbers = memory_alloc(exact->types.nr + 1, sizeof(*numbers));
	sort_types(exact, numbers);
	sort_lines(exact, numbers);
	sort_pairs(exact, numbers);
	sort_fields(exact);
}
