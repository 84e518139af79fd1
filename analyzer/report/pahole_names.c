/* SPDX-License-Identifier: GPL-2.0-only */
/* Types and declarators in pahole's spelling. */
#include "report/pahole.h"

#include <string.h>

#define MAX_DEPTH 64
/* As in type_print(): keeps a damaged file's functions of functions from growing for ever. */
#define MAX_PARAMETER_CHARS 4096

static void print_name_at(struct text *text, const struct type *type, int depth);

bool pahole_is_inline(const struct type *type)
{
	return type && !type->name && (type_is_aggregate(type) || type->kind == TYPE_ENUM);
}

static bool is_pointer(const struct type *type)
{
	return type && (type->kind == TYPE_POINTER || type->kind == TYPE_REFERENCE ||
			type->kind == TYPE_RVALUE_REFERENCE || type->kind == TYPE_MEMBER_POINTER);
}

static const char *pointer_mark(enum type_kind kind)
{
	switch (kind) {
	case TYPE_REFERENCE:
		return "&";
	case TYPE_RVALUE_REFERENCE:
		return "&&";
	case TYPE_MEMBER_POINTER:
		return "::*";
	default:
		return "*";
	}
}

static void print_pointer(struct text *text, const struct type *pointer, int depth)
{
	const struct type *target = pointer->target;
	const char *between = "";

	if (target && target->kind == TYPE_CONST && is_pointer(target->target)) {
		between = "const ";
		target = target->target;
	}
	print_name_at(text, target, depth + 1);
	text_printf(text, " %s%s", between, pointer_mark(pointer->kind));
}

static void print_function(struct text *text, const struct type *function, const char *name,
			   size_t column, int depth);

static void print_parameter(struct text *text, const struct field *parameter, int depth)
{
	const struct type *type = parameter->type;
	const char *name = parameter->name;
	auto_text struct text declarator = {};

	if (type && type->kind == TYPE_POINTER && type->target &&
	    type->target->kind == TYPE_FUNCTION) {
		text_printf(&declarator, "*%s", name ? name : "");
		print_function(text, type->target, text_chars(&declarator), 0, depth + 1);
	} else if (pahole_needs_declarator(type)) {
		type_print(text, type, name);
	} else {
		print_name_at(text, type, depth + 1);
		if (name)
			text_printf(text, " %s", name);
	}
}

static void print_function(struct text *text, const struct type *function, const char *name,
			   size_t column, int depth)
{
	size_t start = text->length;

	print_name_at(text, function->target, depth + 1);
	text_pad(text, ' ', start + column);
	text_printf(text, " (%s)(", name);
	start = text->length;
	for (uint32_t i = 0; i < function->nr_fields; i++) {
		if (i)
			text_add(text, ", ");
		if (text->length - start > MAX_PARAMETER_CHARS)
			break;
		print_parameter(text, &function->fields[i], depth);
	}
	if (!function->nr_fields)
		text_add(text, "void");
	else if (function->variadic)
		text_add(text, ", ...");
	text_add_char(text, ')');
}

static void print_name_at(struct text *text, const struct type *type, int depth)
{
	const char *keyword = type ? type_keyword(type->kind) : NULL;

	if (!type || depth > MAX_DEPTH) {
		text_add(text, "void");
		return;
	}
	switch (type->kind) {
	case TYPE_VOID:
		text_add(text, "void");
		break;
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
		print_pointer(text, type, depth);
		break;
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_ATOMIC:
		text_add(text, type->kind == TYPE_CONST	   ? "const " :
			       type->kind == TYPE_VOLATILE ? "volatile " :
							     "_Atomic ");
		print_name_at(text, type->target, depth + 1);
		text_add_char(text, ' ');
		break;
	case TYPE_RESTRICT:
		print_name_at(text, type->target, depth + 1);
		text_add(text, " restrict ");
		break;
	case TYPE_ARRAY:
		print_name_at(text, type->target, depth + 1);
		break;
	case TYPE_FUNCTION:
		print_function(text, type, "", 0, depth + 1);
		break;
	default:
		text_printf(text, "%s%s%s", keyword ? keyword : "", keyword ? " " : "",
			    type->name ? type->name : "");
	}
}

/*
 * pahole itself prints int (*fn)(int)[4] for an array of function pointers and int * for a pointer
 * to an array; such types are printed as C has them.
 */
bool pahole_needs_declarator(const struct type *type)
{
	bool array = false;
	int nr_pointers = 0;

	for (int depth = 0; type && depth < MAX_DEPTH; depth++, type = type->target) {
		if (type->kind == TYPE_FUNCTION)
			return nr_pointers > 1 || array;
		if (type->kind == TYPE_ARRAY && nr_pointers)
			return true;
		if (type->kind == TYPE_ARRAY)
			array = true;
		else if (is_pointer(type))
			nr_pointers++;
		else if (type_unqualified(type) == type)
			break;
	}
	return false;
}

static void print_declarator(struct text *text, const struct type *type, const char *name,
			     size_t column)
{
	auto_text struct text declarator = {};
	size_t start = text->length;

	text_add(&declarator, name);
	type_print_split(text, &declarator, type);
	text_pad(text, ' ', start + column);
	text_printf(text, " %s", text_chars(&declarator));
}

static size_t absolute(int column)
{
	return (size_t)(column < 0 ? -column : column);
}

void pahole_print_declaration(struct text *text, const struct type *type, const char *name,
			      int column)
{
	const char *keyword = type ? type_keyword(type->kind) : NULL;
	const struct type *target = type && type->kind == TYPE_POINTER ? type->target : NULL;
	auto_text struct text declarator = {};
	size_t start = text->length;

	if (keyword) {
		text_printf(text, "%s ", keyword);
		column -= (int)strlen(keyword) + 1;
		start = text->length;
		text_add(text, type->name ? type->name : "");
	} else if (pahole_needs_declarator(type)) {
		print_declarator(text, type, name, absolute(column));
		return;
	} else if (target && target->kind == TYPE_FUNCTION) {
		text_printf(&declarator, "*%s", name);
		print_function(text, target, text_chars(&declarator), absolute(column), 0);
		return;
	} else {
		print_name_at(text, type, 0);
	}
	text_pad(text, ' ', start + absolute(column));
	text_printf(text, " %s", name);
}

void pahole_print_counts(struct text *text, const struct type *array, enum pahole_empty empty)
{
	if (array->vector) {
		text_printf(text, " __attribute__ ((__vector_size__ (%llu)))",
			    (unsigned long long)type_size(array));
		return;
	}
	for (uint32_t i = 0; i < array->nr_counts; i++) {
		uint64_t count = array->counts[i] == TYPE_COUNT_FLEXIBLE ? 0 : array->counts[i];

		if (!count && empty == PAHOLE_EMPTY_FLEXIBLE)
			text_add(text, "[]");
		else
			text_printf(text, "[%llu]", (unsigned long long)count);
	}
}
