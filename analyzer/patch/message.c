/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/message.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/layout.h"

#define COLUMNS 72
#define MAX_FIELDS 16
/* Of a build-id; longer ones look like commits to checkpatch.pl. */
#define SHOWN_BUILD_ID 11

void message_add_paragraph(struct text *text, const char *mark, const char *paragraph)
{
	const size_t indent = strlen(mark);
	size_t column = indent;
	bool first = true;

	text_add(text, mark);
	while (*(paragraph += strspn(paragraph, " \n"))) {
		size_t length = strcspn(paragraph, " \n");

		if (!first && column + 1 + length > COLUMNS) {
			text_add_char(text, '\n');
			text_pad(text, ' ', text->length + indent);
			column = indent;
		} else if (!first) {
			text_add_char(text, ' ');
			column++;
		}
		text_add_bytes(text, paragraph, length);
		column += length;
		paragraph += length;
		first = false;
	}
	text_add_char(text, '\n');
}

__attribute__((format(printf, 3, 4))) static void add_paragraph(struct text *text, const char *mark,
								const char *format, ...)
{
	auto_arena struct arena arena = {};
	char *paragraph;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	paragraph = arena_alloc(&arena, 1, (size_t)length + 1);
	va_start(args, format);
	vsnprintf(paragraph, (size_t)length + 1, format, args);
	va_end(args);
	message_add_paragraph(text, mark, paragraph);
}

static void print_aligned(struct text *text, const char *what, uint32_t align, uint32_t cacheline)
{
	if (align == cacheline)
		text_printf(text, "align %s to a cache line", what);
	else
		text_printf(text, "align %s to %" PRIu32 " bytes", what, align);
}

static void print_edit(struct text *text, const struct edit *edit, const char *label,
		       uint32_t cacheline)
{
	switch (edit->kind) {
	case EDIT_WRAP:
		if (edit->round_to)
			text_printf(text, "pad %s to whole cache lines in %s", edit->member, label);
		else
			text_printf(text, "pad %s to %" PRIu64 " bytes in %s", edit->member,
				    edit->bytes, label);
		return;
	case EDIT_INSERT:
		text_printf(text, "put %" PRIu64 " bytes %s %s in %s", edit->bytes,
			    edit->side == EDIT_AFTER ? "behind" : "before", edit->member, label);
		return;
	case EDIT_ALIGN_MEMBER:
		print_aligned(text, edit->member, edit->align, cacheline);
		text_printf(text, " in %s", label);
		return;
	case EDIT_ALIGN_TYPE:
		print_aligned(text, label, edit->align, cacheline);
		return;
	case EDIT_MOVE:
		text_printf(text, "move %s %s %s in %s", edit->member,
			    edit->side == EDIT_AFTER ? "behind" : "before", edit->anchor, label);
		return;
	case EDIT_GROUP:
		text_printf(text, "group the %s fields of %s", edit->name, label);
		return;
	default:
		text_printf(text, "reorder %s", label);
	}
}

void message_print_subject(struct text *text, const struct message_request *request)
{
	const struct proposal *proposal = request->proposal;
	auto_arena struct arena arena = {};
	const char *label = definition_label(request->proposals->definition, &arena);

	if (proposal->nr_edits == 1)
		print_edit(text, &proposal->edits[0], label, request->source->arch->cacheline);
	else
		text_printf(text, "reorder %s", label);
}

static void add_name(struct string_vec *names, const char *name)
{
	for (size_t i = 0; name && i < names->nr; i++) {
		if (!strcmp(names->items[i], name))
			return;
	}
	if (name && names->nr < MAX_FIELDS)
		*vec_add(names) = name;
}

static const struct placed *find_placed(const struct placed_vec *placed, const char *name)
{
	for (size_t i = 0; i < placed->nr; i++) {
		if (placed->items[i].field->name && !strcmp(placed->items[i].field->name, name))
			return &placed->items[i];
	}
	return NULL;
}

/* Members that the edits name, each with the one that follows it. */
static void find_touched(const struct proposal *proposal, const struct placed_vec *after,
			 struct string_vec *ret)
{
	auto_vec struct string_vec named = {};

	for (size_t i = 0; i < proposal->nr_edits; i++) {
		const struct edit *edit = &proposal->edits[i];

		add_name(&named, edit->member);
		add_name(&named, edit->anchor);
		for (size_t j = 0; j < edit->nr_members; j++)
			add_name(&named, edit->members[j]);
		add_name(&named, edit->kind == EDIT_WRAP ? edit->name : NULL);
	}
	for (size_t i = 0; i < after->nr; i++) {
		const char *name = after->items[i].field->name;
		bool touched = false;

		for (size_t j = 0; name && j < named.nr; j++)
			touched |= !strcmp(named.items[j], name);
		if (!touched)
			continue;
		add_name(ret, name);
		for (size_t j = i + 1; j < after->nr; j++) {
			if (after->items[j].field->name) {
				add_name(ret, after->items[j].field->name);
				break;
			}
		}
	}
}

static void print_row(struct text *text, const char *what, const char *before, const char *after)
{
	text_printf(text, "  %-36s %12s %12s\n", what, before, after);
}

static const char *print_number(struct arena *arena, uint64_t number)
{
	return arena_printf(arena, "%" PRIu64, number);
}

static const char *print_offset(struct arena *arena, const struct placed *placed)
{
	if (!placed)
		return "-";
	if (placed->offset_bits % 8)
		return arena_printf(arena, "%" PRIu64 ":%" PRIu64, placed->offset_bits / 8,
				    placed->offset_bits % 8);
	return print_number(arena, placed->offset_bits / 8);
}

static void print_fields(struct text *text, const struct message_request *request,
			 struct arena *arena)
{
	auto_vec struct placed_vec before = {}, after = {};
	auto_vec struct string_vec touched = {};

	layout_flatten(request->proposals->definition->type, 0, &before);
	layout_flatten(request->proposal->after, 0, &after);
	find_touched(request->proposal, &after, &touched);
	for (size_t i = 0; i < touched.nr; i++)
		print_row(text, arena_printf(arena, "offset of %s", touched.items[i]),
			  print_offset(arena, find_placed(&before, touched.items[i])),
			  print_offset(arena, find_placed(&after, touched.items[i])));
}

static void print_table(struct text *text, const struct message_request *request)
{
	const struct figures *before = &request->proposals->figures;
	const struct figures *after = &request->proposal->figures;
	auto_arena struct arena arena = {};
	const struct {
		const char *what;
		uint64_t before, after;
	} rows[] = {
		{ "size", before->size, after->size },
		{ "alignment", before->align, after->align },
		{ "object in a slab cache of its own", before->slab_object, after->slab_object },
		{ "objects in a slab", before->slab_nr, after->slab_nr },
		{ "kmalloc() bucket", before->kmalloc, after->kmalloc },
		{ "lines under the hot fields", before->used_lines, after->used_lines },
	};

	print_row(text, "", "before", "after");
	for (size_t i = 0; i < array_size(rows); i++) {
		if (rows[i].before || rows[i].after)
			print_row(text, rows[i].what, print_number(&arena, rows[i].before),
				  print_number(&arena, rows[i].after));
	}
	print_fields(text, request, &arena);
}

static void print_list(struct text *text, const char *mark, const struct string_vec *list)
{
	for (size_t i = 0; i < list->nr; i++)
		add_paragraph(text, mark, "%s", list->items[i]);
}

static void print_troubles(struct text *text, const char *mark, const char *before,
			   const struct trouble_vec *troubles)
{
	for (size_t i = 0; i < troubles->nr; i++)
		add_paragraph(text, mark, "%s%s.", before, troubles->items[i].message);
}

static void print_outers(struct text *text, const struct moved_outer_vec *outers)
{
	for (size_t i = 0; i < outers->nr; i++) {
		const struct moved_outer *outer = &outers->items[i];

		if (outer->refusal)
			add_paragraph(text, "  ? ", "%s holds it; what becomes of it: %s",
				      outer->name, outer->refusal);
		else
			add_paragraph(text, "  ~ ", "%s holds it: %" PRIu64 " bytes, were %" PRIu64,
				      outer->name, outer->size_after, outer->size_before);
		print_troubles(text, "  + ", "no longer in it: ", &outer->gone);
		print_troubles(text, "  - ", "new in it: ", &outer->new);
	}
}

/* What speaks for it and against it, as the proposal has it. */
static void print_effects(struct text *text, const struct proposal *proposal)
{
	const size_t length = text->length;

	print_list(text, "  + ", &proposal->straddles_won);
	print_troubles(text, "  - ", "", &proposal->new);
	print_list(text, "  - ", &proposal->straddles_lost);
	print_list(text, "  no longer on one line: ", &proposal->parted);
	print_list(text, "  now on one line: ", &proposal->joined);
	print_outers(text, &proposal->outers);
	for (size_t i = 0; i < proposal->cautions.nr; i++)
		add_paragraph(text, "  ! ", "%s", proposal->cautions.items[i].message);
	if (text->length > length)
		text_add_char(text, '\n');
}

static void print_evidence(struct text *text, const struct message_request *request)
{
	add_paragraph(
		text, "",
		"Certain: the offsets before, which the compiler wrote into the image. %s%s%s",
		request->proved ? "The same holds for those after: " : "",
		request->proved ? request->proved :
				  "Computed by the compiler's rules: those after.",
		request->proved ? " was built with this patch, and has them." : "");
	add_paragraph(text, "", "Modelled: what an object takes (%s).",
		      request->proposals->assumption);
	add_paragraph(text, "", "Not measured: run time.");
}

void message_print_body(struct text *text, const struct message_request *request)
{
	const struct proposal *proposal = request->proposal;
	const struct source *source = request->source;
	auto_arena struct arena arena = {};
	const char *label = definition_label(request->proposals->definition, &arena);

	print_troubles(text, "", "", &proposal->gone);
	if (proposal->gone.nr)
		text_add_char(text, '\n');
	add_paragraph(text, "", "%c%s.", toupper((unsigned char)proposal->title[0]),
		      proposal->title + 1);
	text_add_char(text, '\n');
	add_paragraph(text, "", "%s on %s, in bytes, with lines of %" PRIu32 "%s%.*s%s:", label,
		      source->arch->name, request->proposals->view.cacheline,
		      source->build_id ? ", in the image of build-id " : "", SHOWN_BUILD_ID,
		      source->build_id ? source->build_id : "", source->build_id ? "..." : "");
	text_add_char(text, '\n');
	print_table(text, request);
	text_add_char(text, '\n');
	print_effects(text, proposal);
	print_evidence(text, request);
}
