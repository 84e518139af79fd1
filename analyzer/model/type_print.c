/* SPDX-License-Identifier: GPL-2.0-only */
/* C declarations: the declarator is built from the inside out while walking towards the base. */
#include "model/type.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#define MAX_DEPTH 64
/* A damaged file may hand a function itself as a parameter, twice: 2^64 names. */
#define MAX_PARAMETER_CHARS 4096

static void print_at(struct text *text, const struct type *type, const char *name, int depth);

static const char *qualifier(enum type_kind kind)
{
	switch (kind) {
	case TYPE_CONST:
		return "const";
	case TYPE_VOLATILE:
		return "volatile";
	case TYPE_RESTRICT:
		return "restrict";
	default:
		return "_Atomic";
	}
}

static bool is_qualifier(const struct type *type)
{
	return type->kind == TYPE_CONST || type->kind == TYPE_VOLATILE ||
	       type->kind == TYPE_RESTRICT || type->kind == TYPE_ATOMIC;
}

static bool is_pointer(const struct type *type)
{
	return type->kind == TYPE_POINTER || type->kind == TYPE_REFERENCE ||
	       type->kind == TYPE_RVALUE_REFERENCE || type->kind == TYPE_MEMBER_POINTER;
}

static void print_base(struct text *text, const struct type *type, int depth)
{
	const char *keyword = type ? type_keyword(type->kind) : NULL;

	if (!type || type->kind == TYPE_VOID) {
		text_add(text, "void");
	} else if (type->kind == TYPE_ARRAY && !type->name && depth < MAX_DEPTH) {
		print_at(text, type->target, NULL, depth + 1);
		text_printf(text, " __attribute__((vector_size(%llu)))",
			    (unsigned long long)type_size(type));
	} else {
		if (keyword)
			text_printf(text, "%s ", keyword);
		text_add(text, type->name ? type->name : keyword ? "{...}" : "?");
	}
}

static void print_parameters(struct text *declarator, const struct type *function, int depth)
{
	text_add_char(declarator, '(');
	for (uint32_t i = 0; i < function->nr_fields; i++) {
		if (i)
			text_add(declarator, ", ");
		if (declarator->length > MAX_PARAMETER_CHARS)
			break;
		print_at(declarator, function->fields[i].type, "", depth + 1);
	}
	if (function->variadic)
		text_add(declarator, function->nr_fields ? ", ..." : "...");
	else if (!function->nr_fields)
		text_add(declarator, "void");
	text_add_char(declarator, ')');
}

/* A pointer to an array or function binds tighter than their brackets: int (*fn)(void). */
static bool needs_parentheses(const struct type *pointer)
{
	const struct type *target = type_unqualified(pointer->target);

	return target && !target->name &&
	       (target->kind == TYPE_FUNCTION || (target->kind == TYPE_ARRAY && !target->vector));
}

static void wrap_pointer(struct text *declarator, const struct type *pointer)
{
	static const char *const marks[] = {
		[TYPE_POINTER] = "*",
		[TYPE_REFERENCE] = "&",
		[TYPE_RVALUE_REFERENCE] = "&&",
		[TYPE_MEMBER_POINTER] = "::*",
	};
	bool parentheses = needs_parentheses(pointer);
	auto_text struct text inner = {};

	text_printf(&inner, "%s%s%s%s", parentheses ? "(" : "", marks[pointer->kind],
		    text_chars(declarator), parentheses ? ")" : "");
	text_clear(declarator);
	text_add(declarator, text_chars(&inner));
}

static void add_counts(struct text *declarator, const struct type *array)
{
	for (uint32_t i = 0; i < array->nr_counts; i++) {
		if (array->counts[i] == TYPE_COUNT_FLEXIBLE)
			text_add(declarator, "[]");
		else
			text_printf(declarator, "[%llu]", (unsigned long long)array->counts[i]);
	}
}

/*
 * A qualifier of a pointer stands behind its star, one of anything else before the base, which
 * starts in the text at `start`.
 */
static void add_qualifier(struct text *base, size_t start, struct text *declarator,
			  const struct type *type)
{
	const struct type *target = type_unqualified(type->target);
	auto_text struct text inner = {};

	if (!target || !is_pointer(target)) {
		/* BTF states an array's const for the array and for its elements. */
		if (!strstr(text_chars(base) + start, qualifier(type->kind)))
			text_printf(base, "%s ", qualifier(type->kind));
		return;
	}
	text_printf(&inner, " %s%s%s", qualifier(type->kind),
		    declarator->length && declarator->chars[0] != ' ' ? " " : "",
		    text_chars(declarator));
	text_clear(declarator);
	text_add(declarator, text_chars(&inner));
}

static void split_at(struct text *base, struct text *declarator, const struct type *type, int depth)
{
	const size_t start = base->length;

	for (; type && depth < MAX_DEPTH; depth++, type = type->target) {
		if (is_qualifier(type))
			add_qualifier(base, start, declarator, type);
		else if (is_pointer(type))
			wrap_pointer(declarator, type);
		else if (type->kind == TYPE_ARRAY && !type->vector)
			add_counts(declarator, type);
		else if (type->kind == TYPE_FUNCTION)
			print_parameters(declarator, type, depth);
		else
			break;
	}
	print_base(base, type, depth);
}

static void print_at(struct text *text, const struct type *type, const char *name, int depth)
{
	auto_text struct text declarator = {};

	text_add(&declarator, name ? name : "");
	split_at(text, &declarator, type, depth);
	if (declarator.length)
		text_printf(text, "%s%s", declarator.chars[0] == '[' ? "" : " ",
			    text_chars(&declarator));
}

void type_print(struct text *text, const struct type *type, const char *name)
{
	print_at(text, type, name, 0);
}

void type_print_split(struct text *base, struct text *declarator, const struct type *type)
{
	split_at(base, declarator, type, 0);
}
