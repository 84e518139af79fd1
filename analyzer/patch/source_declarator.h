/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarators of one declaration. Only for this folder. */
#ifndef FIELDLINE_PATCH_SOURCE_DECLARATOR_H
#define FIELDLINE_PATCH_SOURCE_DECLARATOR_H

#include "patch/source_struct.h"

/* A word of the language that can't name a member. */
bool declarator_is_keyword(const char *text, const struct token *token);
/* __attribute__, or a macro that stands for one: __aligned, ____cacheline_aligned_in_smp. */
bool declarator_is_attribute(const char *text, const struct token *token);
/*
 * Whether the specifiers from token `at` on, at most to `end`, are more than one type: then a macro
 * is among them, and may declare members as well.
 */
bool declarator_has_macro(const struct source_struct *source, const struct string_vec *names,
			  size_t at, size_t end);
/*
 * Adds the members that the tokens from `at` to the ';' at `end` declare. behind_body: what comes
 * before them is a struct's body, else they start with specifiers.
 */
void declarators_read(struct source_struct *source, const struct string_vec *names,
		      size_t declaration, size_t at, size_t end, bool behind_body);

#endif
