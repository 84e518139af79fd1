/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the pahole printer share. The rules are those of dwarves 1.24; the numbers
 * of a struct are counted as it counts them, holes of anonymous members not included.
 */
#ifndef FIELDLINE_REPORT_PAHOLE_H
#define FIELDLINE_REPORT_PAHOLE_H

#include "base/vec.h"
#include "model/typeset.h"
#include "report/layout_pahole.h"

/* A field in pahole's terms: bits of a bit-field count from the start of its storage unit. */
struct pahole_member {
	const struct field *field;
	uint64_t offset;    /* in bytes; of a bit-field's storage unit */
	uint64_t size;	    /* in bytes; of a bit-field's storage unit */
	uint64_t unit_bits; /* bit offset in that unit */
	/* What is unused between this member and the next one. */
	uint64_t hole;
	uint64_t bit_hole;
};

DEFINE_VEC(pahole_member_vec, struct pahole_member);

struct pahole_body {
	struct pahole_member_vec members;
	uint64_t first_hole; /* before the first member */
	uint64_t first_bit_hole;
	uint32_t nr_holes;
	uint32_t nr_bit_holes;
	uint64_t padding; /* in bytes */
	uint64_t bit_padding;
};

void pahole_body_init(struct pahole_body *body, const struct type *type);
void pahole_body_deinit(struct pahole_body *body);
#define auto_pahole_body __attribute__((cleanup(pahole_body_deinit)))

/* Whether the members or the size of a struct can only be as they are if it is packed. */
bool pahole_is_packed(const struct type *type, const struct pahole_body *body);
/*
 * Whether member's struct lies so in outer that it must be packed itself. Only asked for structs
 * defined in place: others are printed by name.
 */
bool pahole_member_is_packed(const struct type *outer, const struct pahole_body *body,
			     const struct pahole_member *member);

/* How a dimension without elements is written: [] where a flexible array may stand, else [0]. */
enum pahole_empty { PAHOLE_EMPTY_FLEXIBLE, PAHOLE_EMPTY_ZERO };

/* Whether a struct, union or enum is written out where it is used, having no name. */
bool pahole_is_inline(const struct type *type);
/*
 * "type name", the type padded to column. Deep in nested structs the column falls below zero, and
 * is then taken as positive: pahole gives it to printf() as the width of %-*s. Arrays and const
 * are the caller's to take off, unless pahole_needs_declarator().
 */
void pahole_print_declaration(struct text *text, const struct type *type, const char *name,
			      int column);
bool pahole_needs_declarator(const struct type *type);
void pahole_print_counts(struct text *text, const struct type *array, enum pahole_empty empty);

#define PAHOLE_TAB_COLUMNS 8
#define PAHOLE_PACKED " __attribute__((__packed__))"

/* One definition being printed. */
struct pahole_printer {
	struct text *text;
	const struct layout_pahole_options *options;
	uint32_t pointer_size;
	int name_column;      /* counted from the type column */
	uint64_t line;	      /* the last one whose boundary was marked */
	uint32_t nr_in_place; /* types without a name that were written out */
};

/* What a struct hands down to those written out inside it. */
struct pahole_scope {
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

void pahole_print_tabs(struct pahole_printer *printer, int nr);
/* "type name" of a member; name may be NULL. What has no name of its own is written in place. */
void pahole_print_type(struct pahole_printer *printer, const struct type *type, const char *name,
		       struct pahole_scope scope);
/* A member with its place, and before it the boundary of a line. */
void pahole_print_member(struct pahole_printer *printer, const struct pahole_member *member,
			 struct pahole_scope scope, bool of_union);
/* All from the keyword to the attributes behind the brace. */
void pahole_print_struct(struct pahole_printer *printer, const struct type *type,
			 struct pahole_scope scope);
void pahole_print_union(struct pahole_printer *printer, const struct type *type,
			struct pahole_scope scope);

#endif
