/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/layout_pahole.h"

#include <string.h>

#include "report/pahole.h"

#define TYPE_COLUMN 26
#define NAME_COLUMN 23 /* counted from the type column */
#define NAME_COLUMN_UNION 21
#define TAB_COLUMNS 8
#define PACKED " __attribute__((__packed__))"

struct printer {
	struct text *text;
	const struct layout_pahole_options *options;
	uint32_t pointer_size;
	int name_column;
	uint64_t line; /* the last one whose boundary was marked */
};

/* What a struct hands down to those written out inside it. */
struct scope {
	int indent;
	int type_column;
	uint64_t base;	     /* offset of the struct in the outermost one */
	bool behind_pointer; /* no part of the outermost struct: offsets start at 0 */
	bool in_union;	     /* also in a struct of a union */
	bool marked_packed;  /* by the place of the member; then those inside are not looked at */
	bool stats;
	enum pahole_empty empty;
	const char *suffix; /* behind the closing brace; may be NULL */
};

static void print_struct(struct printer *printer, const struct type *type, struct scope scope);
static void print_union(struct printer *printer, const struct type *type, struct scope scope);

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

static bool is_packed(const struct type *type)
{
	auto_pahole_body struct pahole_body body = {};

	if (!is_struct(type))
		return false;
	pahole_body_init(&body, type);
	return pahole_is_packed(type, &body);
}

static void print_tabs(struct printer *printer, int nr)
{
	text_pad(printer->text, '\t', printer->text->length + (size_t)nr);
}

static void print_enum(struct printer *printer, const struct type *type, struct scope scope)
{
	size_t longest = 0;

	text_add(printer->text, "enum");
	if (type->nr_enumerators)
		text_add(printer->text, " {\n");
	for (uint32_t i = 0; i < type->nr_enumerators; i++) {
		size_t length = strlen(type->enumerators[i].name);

		longest = length > longest ? length : longest;
	}
	for (uint32_t i = 0; i < type->nr_enumerators; i++) {
		const struct enumerator *enumerator = &type->enumerators[i];

		print_tabs(printer, scope.indent + 1);
		text_printf(printer->text,
			    printer->options->hex ? "%-*s = %#llx,\n" : "%-*s = %lld,\n",
			    (int)longest, enumerator->name, (long long)enumerator->value);
	}
	if (!type->nr_enumerators)
		return;
	print_tabs(printer, scope.indent);
	text_printf(printer->text, "}%s%s%s", type_size(type) == 4 ? "" : PACKED,
		    scope.suffix ? " " : "", scope.suffix ? scope.suffix : "");
}

static void print_inline(struct printer *printer, const struct type *type, struct scope scope)
{
	scope.type_column -= TAB_COLUMNS;
	if (type->kind == TYPE_UNION)
		print_union(printer, type, scope);
	else if (type->kind == TYPE_ENUM)
		print_enum(printer, type, scope);
	else
		print_struct(printer, type, scope);
}

/* "type name" of a member; name may be NULL. What has no name of its own is written in place. */
static void print_type(struct printer *printer, const struct type *type, const char *name,
		       struct scope scope)
{
	auto_text struct text behind_star = {};
	const struct type *target = type ? type->target : NULL;

	scope.suffix = name;
	if (pahole_is_inline(type)) {
		scope.stats = false;
		print_inline(printer, type, scope);
	} else if (pahole_needs_declarator(type)) {
		pahole_print_declaration(printer->text, type, name ? name : "", scope.type_column);
	} else if (type && type->kind == TYPE_ARRAY) {
		/* An array of no elements loses its const. */
		if (type->nr_counts && target && target->kind == TYPE_CONST &&
		    (!type->counts[0] || type->counts[0] == TYPE_COUNT_FLEXIBLE))
			target = target->target;
		print_type(printer, target, name, scope);
		pahole_print_counts(printer->text, type, scope.empty);
	} else if (type && type->kind == TYPE_CONST && target) {
		text_add(printer->text, "const ");
		scope.type_column -= (int)strlen("const ");
		/* A const struct in place keeps the lines that add it up. */
		if (pahole_is_inline(target))
			print_inline(printer, target, scope);
		else
			print_type(printer, target, name, scope);
	} else if (type && type->kind == TYPE_POINTER && pahole_is_inline(target)) {
		text_printf(&behind_star, "* %s", name ? name : "");
		scope.suffix = text_chars(&behind_star);
		scope.stats = false;
		scope.behind_pointer = true;
		scope.type_column -= TAB_COLUMNS;
		print_inline(printer, target, scope);
	} else {
		pahole_print_declaration(printer->text, type, name ? name : "", scope.type_column);
	}
}

/* The marks stand before the first member of a line; what straddles into it is said in bytes. */
static void print_boundary(struct printer *printer, uint64_t offset, int indent)
{
	uint64_t size = printer->options->cacheline;
	uint64_t line = offset / size, behind = offset % size;

	if (line <= printer->line)
		return;
	printer->line = line;
	text_printf(printer->text, "/* --- cacheline %llu boundary (%llu bytes) ", ull(line),
		    ull(offset - behind));
	if (behind)
		text_printf(printer->text, "was %llu byte%s ago ", ull(behind), plural(behind));
	text_add(printer->text, "--- */\n");
	print_tabs(printer, indent);
}

static void print_place(struct printer *printer, const struct pahole_member *member,
			uint64_t offset)
{
	bool hex = printer->options->hex;
	int width = 5;

	text_printf(printer->text, hex ? "/* %#5llx" : "/* %5llu", ull(offset));
	if (member->field->size_bits) {
		text_printf(printer->text, hex ? ":%#2llx" : ":%2llu", ull(member->unit_bits));
		width -= 3;
	}
	text_printf(printer->text, hex ? " %#*llx */" : " %*llu */", width, ull(member->size));
}

/* Everything of a member before its semicolon; returns the length of the stated alignment. */
static size_t print_declaration(struct printer *printer, const struct field *field,
				struct scope scope)
{
	const char *name = field->kind == FIELD_BASE ? "<ancestor>" : field->name;
	size_t start;

	if (field->kind == FIELD_BASE)
		text_add(printer->text, "/* ");
	/* The attributes of a struct written in place stand before the member's name. */
	print_type(printer, field->type, pahole_is_inline(field->type) ? NULL : name, scope);
	if (pahole_is_inline(field->type) && name)
		text_printf(printer->text, " %s", name);
	if (field->size_bits)
		text_printf(printer->text, ":%u", field->size_bits);
	start = printer->text->length;
	if (field->align)
		text_printf(printer->text, " __attribute__((__aligned__(%u)))", field->align);
	return printer->text->length - start;
}

static void print_member(struct printer *printer, const struct pahole_member *member,
			 struct scope scope, bool of_union)
{
	const struct field *field = member->field;
	int room = scope.type_column + printer->name_column;
	uint64_t offset = member->offset;
	struct scope inner = scope;
	size_t start, align_length;
	bool packed;

	if (!scope.behind_pointer) {
		offset += scope.base;
		if (!of_union)
			inner.base = offset;
	}
	packed = pahole_is_inline(field->type) && (scope.marked_packed || is_packed(field->type));
	print_boundary(printer, offset, scope.indent);
	start = printer->text->length;
	align_length = print_declaration(printer, field, inner);
	text_add(printer->text, field->kind == FIELD_BASE ? "; */" : ";");
	if (pahole_is_inline(field->type)) {
		/* May come out negative, and then pads behind the space: a quirk to keep. */
		room -= (int)align_length + (field->name ? (int)strlen(field->name) : -1) + 3;
		room -= packed ? (int)strlen(PACKED) : 0;
	} else {
		room -= (int)(printer->text->length - start);
		room = room > 0 ? room : 0;
	}
	text_printf(printer->text, "%*s", room, " ");
	print_place(printer, member, offset);
}

static void print_union(struct printer *printer, const struct type *type, struct scope scope)
{
	auto_pahole_body struct pahole_body body = {};
	uint64_t line = printer->line;
	struct scope inner = scope;

	text_printf(printer->text, "union%s%s {\n", type->name ? " " : "",
		    type->name ? type->name : "");
	pahole_body_init(&body, type);
	inner.indent++;
	inner.in_union = true;
	inner.empty = PAHOLE_EMPTY_ZERO;
	for (size_t i = 0; i < body.members.nr; i++) {
		inner.marked_packed = pahole_member_is_packed(type, &body, &body.members.items[i]);
		print_tabs(printer, inner.indent);
		print_member(printer, &body.members.items[i], inner, true);
		text_add_char(printer->text, '\n');
		printer->line = line; /* each alternative marks its own boundaries */
	}
	print_tabs(printer, scope.indent);
	text_printf(printer->text, "}%s%s", scope.suffix ? " " : "",
		    scope.suffix ? scope.suffix : "");
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
	struct printer *printer;
	const struct type *type;
	struct pahole_body body;
	struct sums sums;
	struct scope scope; /* of the members */
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
	print_tabs(listing->printer, listing->scope.indent);
	text_printf(listing->printer->text, "/* XXX %llu %s%s hole, try to pack */%s", ull(size),
		    unit, plural(size), end);
}

/* Unnamed bit-fields leave holes; pahole guesses where they stood. */
static void print_unnamed_bits(struct listing *listing, const struct pahole_member *member)
{
	struct printer *printer = listing->printer;
	uint64_t bits = listing->last->bit_hole;

	if (!bits || !member->field->size_bits)
		return;
	if (listing->last->offset != member->offset) {
		text_add_char(printer->text, '\n');
		print_tabs(printer, listing->scope.indent);
		text_add(printer->text, "/* Force alignment to the next boundary: */\n");
		bits = 0;
	}
	print_tabs(printer, listing->scope.indent);
	print_type(printer, member->field->type, "", listing->scope);
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
	print_tabs(listing->printer, listing->scope.indent);
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
	print_tabs(listing->printer, listing->scope.indent);
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
	struct scope *scope = &listing->scope;

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
	print_tabs(listing->printer, scope->indent);
	print_member(listing->printer, member, *scope, false);
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
	struct printer *printer = listing->printer;
	uint64_t padding = listing->body.padding, size;

	if (listing->type->align || !listing->last || padding <= printer->pointer_size)
		return;
	size = listing->last->size;
	if (!size || (size & (size - 1)))
		return;
	text_add_char(printer->text, '\n');
	print_tabs(printer, listing->scope.indent);
	text_add(printer->text, "/* Force padding: */\n");
	for (uint64_t added = 0; added < padding; added += size) {
		print_tabs(printer, listing->scope.indent);
		print_type(printer, listing->last->field->type, "", listing->scope);
		text_printf(printer->text, ":%llu;\n", ull(8 * size));
	}
}

static void print_sums(struct listing *listing)
{
	const struct sums *sums = &listing->sums;
	struct text *text = listing->printer->text;

	if (!sums->holes && !sums->bit_holes)
		return;
	if (sums->bytes) {
		print_tabs(listing->printer, listing->scope.indent);
		text_printf(text, "/* sum members: %llu", ull(sums->bytes));
		if (sums->holes)
			text_printf(text, ", holes: %u, sum holes: %llu", listing->body.nr_holes,
				    ull(sums->holes));
		text_add(text, " */\n");
	}
	if (sums->bits) {
		print_tabs(listing->printer, listing->scope.indent);
		text_printf(text, "/* sum bitfield members: %llu bits", ull(sums->bits));
		if (sums->bit_holes)
			text_printf(text, ", bit holes: %u, sum bit holes: %llu bits",
				    listing->body.nr_bit_holes, ull(sums->bit_holes));
		else
			text_printf(text, " (%llu bytes)", ull(sums->bits / 8));
		text_add(text, " */\n");
	}
}

static void print_trailer(struct listing *listing)
{
	const struct sums *sums = &listing->sums;
	struct printer *printer = listing->printer;
	uint64_t size = type_size(listing->type), line = printer->options->cacheline;
	uint64_t last = (listing->scope.base + size) % line;
	int indent = listing->scope.indent;

	text_add_char(printer->text, '\n');
	print_tabs(printer, indent);
	text_printf(printer->text, "/* size: %llu, cachelines: %llu, members: %u */\n", ull(size),
		    ull((size + line - 1) / line), listing->type->nr_fields);
	print_sums(listing);
	if (listing->body.padding) {
		print_tabs(printer, indent);
		text_printf(printer->text, "/* padding: %llu */\n", ull(listing->body.padding));
	}
	if (sums->nr_paddings) {
		print_tabs(printer, indent);
		text_printf(printer->text, "/* paddings: %u, sum paddings: %llu */\n",
			    sums->nr_paddings, ull(sums->paddings));
	}
	if (listing->body.bit_padding) {
		print_tabs(printer, indent);
		text_printf(printer->text, "/* bit_padding: %llu bits */\n",
			    ull(listing->body.bit_padding));
	}
	if (sums->nr_aligned) {
		print_tabs(printer, indent);
		text_printf(printer->text, "/* forced alignments: %u", sums->nr_aligned);
		if (sums->nr_aligned_holes)
			text_printf(printer->text, ", forced holes: %u, sum forced holes: %llu",
				    sums->nr_aligned_holes, ull(sums->aligned_holes));
		text_add(printer->text, " */\n");
	}
	if (last) {
		print_tabs(printer, indent);
		text_printf(printer->text, "/* last cacheline: %llu bytes */\n", ull(last));
	}
}

static void print_bases(struct printer *printer, const struct type *type)
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

static void print_struct(struct printer *printer, const struct type *type, struct scope scope)
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
	print_tabs(printer, scope.indent);
	text_printf(printer->text, "}%s%s%s", packed ? PACKED : "", scope.suffix ? " " : "",
		    scope.suffix ? scope.suffix : "");
	if (type->align && !packed)
		text_printf(printer->text, " __attribute__((__aligned__(%u)))", type->align);
	pahole_body_deinit(&listing.body);
}

void layout_pahole_print(struct text *text, const struct typeset *set,
			 const struct definition *definition,
			 const struct layout_pahole_options *options)
{
	const struct type *type = definition->type;
	struct printer printer = {
		.text = text,
		.options = options,
		.pointer_size = set->source.pointer_size,
		.name_column = type->kind == TYPE_UNION && !definition->typedef_name ?
				       NAME_COLUMN_UNION :
				       NAME_COLUMN,
	};
	struct scope scope = {
		.type_column = TYPE_COLUMN,
		.stats = true,
		.suffix = definition->typedef_name,
	};

	if (definition->typedef_name)
		text_add(text, "typedef ");
	if (definition->typedef_name && type->name)
		text_printf(text, "%s %s %s", type_keyword(type->kind), type->name,
			    definition->typedef_name);
	else if (type->kind == TYPE_UNION)
		print_union(&printer, type, scope);
	else
		print_struct(&printer, type, scope);
	text_add(text, ";\n");
}
