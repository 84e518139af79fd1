/* SPDX-License-Identifier: GPL-2.0-only */
/* A struct: its members, what is between them, and the lines that add it up. */
#include <stdarg.h>
#include <stdio.h>

#include "report/pahole.h"

static unsigned long long ull(uint64_t value)
{
	return value;
}

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

static bool is_struct(const struct type *type)
{
	return type && (type->kind == TYPE_STRUCT || type->kind == TYPE_CLASS);
}

/* What the lines behind the members add up. */
struct sums {
	uint64_t bytes;
	uint64_t bits;
	uint64_t holes;
	uint64_t bit_holes;
	uint32_t nr_paddings;
	uint64_t paddings;
	uint32_t nr_aligned;
	uint32_t nr_aligned_holes;
	uint64_t aligned_holes;
};

/* One struct while its members are printed. */
struct listing {
	struct pahole_printer *printer;
	const struct type *type;
	struct pahole_body body;
	struct sums sums;
	struct pahole_scope scope; /* of the members */
	const struct pahole_member *last;
	/* Bytes of the storage that the members at the last offset share; 0: it took no room. */
	uint64_t last_size;
	bool blank;	    /* an empty line is due */
	bool marked_packed; /* the struct itself */
};

static void blank_line_once(struct listing *listing)
{
	if (!listing->blank)
		text_add_char(listing->printer->text, '\n');
	listing->blank = true;
}

static void print_hole(struct listing *listing, uint64_t size, const char *unit, const char *end)
{
	pahole_print_tabs(listing->printer, listing->scope.indent);
	text_printf(listing->printer->text, "/* XXX %llu %s%s hole, try to pack */%s", ull(size),
		    unit, plural(size), end);
}

/* Unnamed bit-fields leave holes; pahole guesses where they stood. */
static void print_unnamed_bits(struct listing *listing, const struct pahole_member *member)
{
	struct pahole_printer *printer = listing->printer;
	uint64_t bits = listing->last->bit_hole;

	if (!bits || !member->field->size_bits)
		return;
	if (listing->last->offset != member->offset) {
		text_add_char(printer->text, '\n');
		pahole_print_tabs(printer, listing->scope.indent);
		text_add(printer->text, "/* Force alignment to the next boundary: */\n");
		bits = 0;
	}
	pahole_print_tabs(printer, listing->scope.indent);
	pahole_print_type(printer, member->field->type, "", listing->scope);
	text_printf(printer->text, ":%llu;\n", ull(bits));
}

static void print_combined(struct listing *listing, const struct pahole_member *member)
{
	const struct pahole_member *last = listing->last;
	const char *with = NULL;

	if (member->offset < last->offset ||
	    (member->offset == last->offset && !last->field->size_bits && member->field->size_bits))
		with = "previous";
	else if (member->offset > last->offset &&
		 member->offset - last->offset < listing->last_size)
		with = "next";
	if (!with)
		return;
	blank_line_once(listing);
	pahole_print_tabs(listing->printer, listing->scope.indent);
	text_printf(listing->printer->text, "/* Bitfield combined with %s fields */\n", with);
}

static void print_inner_padding(struct listing *listing, const struct field *field)
{
	auto_pahole_body struct pahole_body body = {};

	if (!is_struct(field->type))
		return;
	pahole_body_init(&body, field->type);
	if (!body.padding)
		return;
	listing->sums.nr_paddings++;
	listing->sums.paddings += body.padding;
	blank_line_once(listing);
	text_add_char(listing->printer->text, '\n');
	pahole_print_tabs(listing->printer, listing->scope.indent);
	text_printf(listing->printer->text, "/* XXX last struct has %llu byte%s of padding */",
		    ull(body.padding), plural(body.padding));
}

static void print_holes_behind(struct listing *listing, const struct pahole_member *member)
{
	if (member->bit_hole) {
		blank_line_once(listing);
		text_add_char(listing->printer->text, '\n');
		print_hole(listing, member->bit_hole, "bit", "");
		listing->sums.bit_holes += member->bit_hole;
	}
	if (member->hole) {
		blank_line_once(listing);
		text_add_char(listing->printer->text, '\n');
		print_hole(listing, member->hole, "byte", "");
		listing->sums.holes += member->hole;
	}
}

static void add_up(struct listing *listing, const struct pahole_member *member)
{
	const struct pahole_member *last = listing->last;

	if (member->field->kind == FIELD_BASE)
		return;
	if (member->field->size_bits)
		listing->sums.bits += member->field->size_bits;
	else
		listing->sums.bytes += member->size;
	if (!last || !listing->last_size || last->offset != member->offset ||
	    (!last->field->size_bits && member->field->size_bits))
		listing->last_size = member->size;
	listing->last = member;
}

static void count_alignment(struct listing *listing, const struct pahole_member *member)
{
	uint64_t hole = listing->last ? listing->last->hole : listing->body.first_hole;

	if (!member->field->align)
		return;
	listing->sums.nr_aligned++;
	listing->sums.nr_aligned_holes += hole != 0;
	listing->sums.aligned_holes += hole;
}

static void print_struct_member(struct listing *listing, size_t at)
{
	const struct pahole_member *member = &listing->body.members.items[at];
	struct pahole_scope *scope = &listing->scope;

	count_alignment(listing, member);
	if (listing->last && listing->last_size) {
		print_unnamed_bits(listing, member);
		print_combined(listing, member);
	}
	if (listing->blank)
		text_add_char(listing->printer->text, '\n');
	listing->blank = false;
	scope->empty = at + 1 == listing->body.members.nr && listing->last && !scope->in_union ?
			       PAHOLE_EMPTY_FLEXIBLE :
			       PAHOLE_EMPTY_ZERO;
	scope->marked_packed = !listing->marked_packed &&
			       pahole_member_is_packed(listing->type, &listing->body, member);
	pahole_print_tabs(listing->printer, scope->indent);
	pahole_print_member(listing->printer, member, *scope, false);
	print_inner_padding(listing, member->field);
	print_holes_behind(listing, member);
	text_add_char(listing->printer->text, '\n');
	add_up(listing, member);
}

static void print_first_holes(struct listing *listing)
{
	if (listing->body.first_bit_hole) {
		blank_line_once(listing);
		print_hole(listing, listing->body.first_bit_hole, "bit", "\n");
		listing->sums.bit_holes += listing->body.first_bit_hole;
	}
	if (listing->body.first_hole) {
		blank_line_once(listing);
		print_hole(listing, listing->body.first_hole, "byte", "\n");
		listing->sums.holes += listing->body.first_hole;
	}
}

/* Padding that no stated alignment explains is written as unnamed bit-fields. */
static void print_forced_padding(struct listing *listing)
{
	struct pahole_printer *printer = listing->printer;
	uint64_t padding = listing->body.padding, size;

	if (listing->type->align || !listing->last || padding <= printer->pointer_size)
		return;
	/* It counts padding in 16 bits; a damaged file may state any size. */
	padding = padding < UINT16_MAX ? padding : UINT16_MAX;
	size = listing->last->size;
	if (!size || (size & (size - 1)))
		return;
	text_add_char(printer->text, '\n');
	pahole_print_tabs(printer, listing->scope.indent);
	text_add(printer->text, "/* Force padding: */\n");
	for (uint64_t added = 0; added < padding; added += size) {
		pahole_print_tabs(printer, listing->scope.indent);
		pahole_print_type(printer, listing->last->field->type, "", listing->scope);
		text_printf(printer->text, ":%llu;\n", ull(8 * size));
	}
}

static void add_line(struct listing *listing, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_line(struct listing *listing, const char *format, ...)
{
	char line[256];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	pahole_print_tabs(listing->printer, listing->scope.indent);
	text_printf(listing->printer->text, "/* %s */\n", line);
}

static void print_sums(struct listing *listing)
{
	const struct sums *sums = &listing->sums;
	const struct pahole_body *body = &listing->body;

	if (sums->bytes && sums->holes)
		add_line(listing, "sum members: %llu, holes: %u, sum holes: %llu", ull(sums->bytes),
			 body->nr_holes, ull(sums->holes));
	else if (sums->bytes && sums->bit_holes)
		add_line(listing, "sum members: %llu", ull(sums->bytes));
	if (sums->bits && sums->bit_holes)
		add_line(listing,
			 "sum bitfield members: %llu bits, bit holes: %u, sum bit holes: %llu bits",
			 ull(sums->bits), body->nr_bit_holes, ull(sums->bit_holes));
	else if (sums->bits && sums->holes)
		add_line(listing, "sum bitfield members: %llu bits (%llu bytes)", ull(sums->bits),
			 ull(sums->bits / 8));
}

static void print_trailer(struct listing *listing)
{
	const struct sums *sums = &listing->sums;
	const struct pahole_body *body = &listing->body;
	uint64_t size = type_size(listing->type), line = listing->printer->options->cacheline;
	uint64_t last = (listing->scope.base + size) % line;

	text_add_char(listing->printer->text, '\n');
	add_line(listing, "size: %llu, cachelines: %llu, members: %u", ull(size),
		 ull((size + line - 1) / line), listing->type->nr_fields);
	print_sums(listing);
	if (body->padding)
		add_line(listing, "padding: %llu", ull(body->padding));
	if (sums->nr_paddings)
		add_line(listing, "paddings: %u, sum paddings: %llu", sums->nr_paddings,
			 ull(sums->paddings));
	if (body->bit_padding)
		add_line(listing, "bit_padding: %llu bits", ull(body->bit_padding));
	if (sums->nr_aligned_holes)
		add_line(listing, "forced alignments: %u, forced holes: %u, sum forced holes: %llu",
			 sums->nr_aligned, sums->nr_aligned_holes, ull(sums->aligned_holes));
	else if (sums->nr_aligned)
		add_line(listing, "forced alignments: %u", sums->nr_aligned);
	if (last)
		add_line(listing, "last cacheline: %llu bytes", ull(last));
}

static void print_bases(struct pahole_printer *printer, const struct type *type)
{
	const char *before = " : ";

	for (uint32_t i = 0; i < type->nr_fields; i++) {
		const struct field *field = &type->fields[i];

		if (field->kind != FIELD_BASE && field->kind != FIELD_VIRTUAL_BASE)
			continue;
		text_printf(printer->text, "%s%s%s", before,
			    field->kind == FIELD_VIRTUAL_BASE ? "virtual " : "",
			    field->type && field->type->name ? field->type->name : "?");
		before = ", ";
	}
}

void pahole_print_struct(struct pahole_printer *printer, const struct type *type,
			 struct pahole_scope scope)
{
	struct listing listing = { .printer = printer,
				   .type = type,
				   .scope = scope,
				   .marked_packed = scope.marked_packed };
	bool packed;

	pahole_body_init(&listing.body, type);
	packed = scope.marked_packed || pahole_is_packed(type, &listing.body);
	listing.scope.indent++;
	text_printf(printer->text, "%s%s%s", type_keyword(type->kind), type->name ? " " : "",
		    type->name ? type->name : "");
	print_bases(printer, type);
	text_add(printer->text, " {\n");
	print_first_holes(&listing);
	for (size_t i = 0; i < listing.body.members.nr; i++)
		print_struct_member(&listing, i);
	print_forced_padding(&listing);
	if (scope.stats)
		print_trailer(&listing);
	pahole_print_tabs(printer, scope.indent);
	text_printf(printer->text, "}%s%s%s", packed ? PAHOLE_PACKED : "", scope.suffix ? " " : "",
		    scope.suffix ? scope.suffix : "");
	if (type->align && !packed)
		text_printf(printer->text, " __attribute__((__aligned__(%u)))", type->align);
	pahole_body_deinit(&listing.body);
}
