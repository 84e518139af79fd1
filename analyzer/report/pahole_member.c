/* SPDX-License-Identifier: GPL-2.0-only */
/* Members with their types and places, as pahole prints them. */
#include <string.h>

#include "report/pahole.h"

/* A damaged file may hold a struct without a name that points at itself, or at two such, ... */
#define MAX_INDENT 24
#define MAX_IN_PLACE 10000

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

void pahole_print_tabs(struct pahole_printer *printer, int nr)
{
	text_pad(printer->text, '\t', printer->text->length + (size_t)nr);
}

static const char *enumerator_name(const struct type *type, uint32_t at)
{
	return type->enumerators[at].name ? type->enumerators[at].name : "";
}

static void print_enum(struct pahole_printer *printer, const struct type *type,
		       struct pahole_scope scope)
{
	const char *format = printer->options->hex ? "%-*s = %#llx,\n" : "%-*s = %lld,\n";
	size_t longest = 0;

	text_add(printer->text, "enum");
	if (!type->nr_enumerators)
		return;
	text_add(printer->text, " {\n");
	for (uint32_t i = 0; i < type->nr_enumerators; i++) {
		size_t length = strlen(enumerator_name(type, i));

		longest = length > longest ? length : longest;
	}
	for (uint32_t i = 0; i < type->nr_enumerators; i++) {
		pahole_print_tabs(printer, scope.indent + 1);
		text_printf(printer->text, format, (int)longest, enumerator_name(type, i),
			    (long long)type->enumerators[i].value);
	}
	pahole_print_tabs(printer, scope.indent);
	text_printf(printer->text, "}%s%s%s", type_size(type) == 4 ? "" : PAHOLE_PACKED,
		    scope.suffix ? " " : "", scope.suffix ? scope.suffix : "");
}

static void print_inline(struct pahole_printer *printer, const struct type *type,
			 struct pahole_scope scope)
{
	scope.type_column -= PAHOLE_TAB_COLUMNS;
	if (scope.indent > MAX_INDENT || printer->nr_in_place++ > MAX_IN_PLACE)
		text_printf(printer->text, "%s {...}%s%s", type_keyword(type->kind),
			    scope.suffix ? " " : "", scope.suffix ? scope.suffix : "");
	else if (type->kind == TYPE_UNION)
		pahole_print_union(printer, type, scope);
	else if (type->kind == TYPE_ENUM)
		print_enum(printer, type, scope);
	else
		pahole_print_struct(printer, type, scope);
}

/* "type name" of a member; name may be NULL. What has no name of its own is written in place. */
void pahole_print_type(struct pahole_printer *printer, const struct type *type, const char *name,
		       struct pahole_scope scope)
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
		pahole_print_type(printer, target, name, scope);
		pahole_print_counts(printer->text, type, scope.empty);
	} else if (type && type->kind == TYPE_CONST && target) {
		text_add(printer->text, "const ");
		scope.type_column -= (int)strlen("const ");
		/* A const struct in place keeps the lines that add it up. */
		if (pahole_is_inline(target))
			print_inline(printer, target, scope);
		else
			pahole_print_type(printer, target, name, scope);
	} else if (type && type->kind == TYPE_POINTER && pahole_is_inline(target)) {
		text_printf(&behind_star, "* %s", name ? name : "");
		scope.suffix = text_chars(&behind_star);
		scope.stats = false;
		scope.behind_pointer = true;
		scope.type_column -= PAHOLE_TAB_COLUMNS;
		print_inline(printer, target, scope);
	} else {
		pahole_print_declaration(printer->text, type, name ? name : "", scope.type_column);
	}
}

/* The marks stand before the first member of a line; what straddles into it is said in bytes. */
static void print_boundary(struct pahole_printer *printer, uint64_t offset, int indent)
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
	pahole_print_tabs(printer, indent);
}

static void print_place(struct pahole_printer *printer, const struct pahole_member *member,
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
static size_t print_declaration(struct pahole_printer *printer, const struct field *field,
				struct pahole_scope scope)
{
	const char *name = field->kind == FIELD_BASE ? "<ancestor>" : field->name;
	size_t start;

	if (field->kind == FIELD_BASE)
		text_add(printer->text, "/* ");
	/* The attributes of a struct written in place stand before the member's name. */
	pahole_print_type(printer, field->type, pahole_is_inline(field->type) ? NULL : name, scope);
	if (pahole_is_inline(field->type) && name)
		text_printf(printer->text, " %s", name);
	if (field->size_bits)
		text_printf(printer->text, ":%u", field->size_bits);
	start = printer->text->length;
	if (field->align)
		text_printf(printer->text, " __attribute__((__aligned__(%u)))", field->align);
	return printer->text->length - start;
}

void pahole_print_member(struct pahole_printer *printer, const struct pahole_member *member,
			 struct pahole_scope scope, bool of_union)
{
	const struct field *field = member->field;
	int room = scope.type_column + printer->name_column;
	uint64_t offset = member->offset;
	struct pahole_scope inner = scope;
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
		room -= packed ? (int)strlen(PAHOLE_PACKED) : 0;
	} else {
		room -= (int)(printer->text->length - start);
		room = room > 0 ? room : 0;
	}
	text_printf(printer->text, "%*s", room, " ");
	print_place(printer, member, offset);
	if (printer->options->annotate && !scope.behind_pointer)
		printer->options->annotate(printer->options->context, printer->text, offset,
					   member->size);
}

void pahole_print_union(struct pahole_printer *printer, const struct type *type,
			struct pahole_scope scope)
{
	auto_pahole_body struct pahole_body body = {};
	uint64_t line = printer->line;
	struct pahole_scope inner = scope;

	text_printf(printer->text, "union%s%s {\n", type->name ? " " : "",
		    type->name ? type->name : "");
	pahole_body_init(&body, type);
	inner.indent++;
	inner.in_union = true;
	inner.empty = PAHOLE_EMPTY_ZERO;
	for (size_t i = 0; i < body.members.nr; i++) {
		inner.marked_packed = pahole_member_is_packed(type, &body, &body.members.items[i]);
		pahole_print_tabs(printer, inner.indent);
		pahole_print_member(printer, &body.members.items[i], inner, true);
		text_add_char(printer->text, '\n');
		printer->line = line; /* each alternative marks its own boundaries */
	}
	pahole_print_tabs(printer, scope.indent);
	text_printf(printer->text, "}%s%s", scope.suffix ? " " : "",
		    scope.suffix ? scope.suffix : "");
}
