/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A struct's declaration as it stands in C source: which stretch of the text declares what.
 *
 * The preprocessor is not run. Whatever is not plain C is told as what it is: members that a macro
 * makes, conditions, declarations with a preprocessor line in their midst. All places are offsets
 * into the text, which is borrowed and stays as it is.
 */
#ifndef FIELDLINE_PATCH_SOURCE_STRUCT_H
#define FIELDLINE_PATCH_SOURCE_STRUCT_H

#include "base/arena.h"
#include "base/error.h"
#include "model/type.h"
#include "patch/tokens.h"

/* #if to #endif, inside of the struct. */
struct source_condition {
	uint32_t line;
	size_t start;	    /* of the line of #if */
	size_t open_end;    /* behind that line */
	size_t close_start; /* of the line of #endif */
	size_t end;	    /* behind that line */
	bool has_else;	    /* #else or #elif */
	int32_t parent;	    /* index of the condition around it; -1 = none */
};

DEFINE_VEC(source_condition_vec, struct source_condition);

struct source_declaration {
	uint32_t line;
	size_t start;	/* of its first token */
	size_t end;	/* behind the ';', or behind a macro that has none */
	int32_t parent; /* index of the declaration of the anonymous struct around it; -1 = none */
	int32_t condition; /* index of the innermost one around it; -1 = none */
	uint32_t branch;   /* of that condition: 0 = behind #if, 1 = behind the first #else ... */
	const char *macro; /* what makes it; NULL = it is plain C */
	bool anonymous;	   /* a struct or union without a name: other declarations are in it */
	/* Of the struct or union that it defines: the '{', and the '}'. 0 = defines none. */
	size_t body_start;
	size_t body_end;
	uint32_t broken_line; /* of a preprocessor line between its tokens; 0 = none */
	size_t first_member;  /* index */
	size_t nr_members;
};

DEFINE_VEC(source_declaration_vec, struct source_declaration);

/* A declarator: "*next" of "struct item *prev, *next;". */
struct source_member {
	const char *name; /* NULL = none, or not to be told */
	size_t name_start;
	uint32_t line; /* of the name */
	size_t declaration;
	size_t start;
	size_t end; /* with bounds, width and attributes, without the ',' or ';' */
};

DEFINE_VEC(source_member_vec, struct source_member);

struct source_struct {
	const char *text;
	const char *path; /* for messages */
	struct arena arena;
	struct token_vec tokens; /* from its keyword to the ';' */
	size_t start;		 /* of the keyword */
	uint32_t line;
	size_t body_start; /* the '{' */
	size_t body_end;   /* the '}' */
	size_t end;	   /* behind the ';' */
	struct source_condition_vec conditions;
	struct source_declaration_vec declarations; /* in the order of the text */
	struct source_member_vec members;
};

/* Where a definition starts: its keyword. */
struct source_place {
	size_t start;
	uint32_t line;
};

/*
 * Finds the definition of type, whose line its debug information tells. An ERROR_INPUT says what
 * stands there instead.
 */
struct error *source_struct_find(const char *text, const char *path, const struct type *type,
				 struct source_place *ret);
/*
 * Reads the definition at a place. names are the members that it is known to have: in "u32 __x y;"
 * they tell which word is the name.
 */
struct error *source_struct_read(const char *text, const char *path, struct source_place place,
				 const struct string_vec *names, struct source_struct *ret);
void source_struct_deinit(struct source_struct *source);
#define auto_source_struct __attribute__((cleanup(source_struct_deinit)))

/* Index of the member of that name that stands on that line, 0 = on any; -1 = none. */
int32_t source_struct_member(const struct source_struct *source, const char *name, uint32_t line);

#endif
