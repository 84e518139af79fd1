/* SPDX-License-Identifier: GPL-2.0-only */
/* What a reader found in one file: definitions of structs, and what the file is. */
#ifndef FIELDLINE_MODEL_TYPESET_H
#define FIELDLINE_MODEL_TYPESET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "model/type.h"

/* Where the types come from. Strings live as long as the typeset. */
struct source {
	const char *path;     /* as the user named it */
	const char *kind;     /* "vmlinux", "module", "object", "executable", "library", "btf" */
	const char *format;   /* "dwarf" or "btf" */
	const char *build_id; /* lower-case hexadecimal; NULL = none */
	const struct arch *arch;
	bool big_endian;
	uint32_t pointer_size; /* bytes */
};

/* One layout of one name. Units that repeat the same layout are one definition. */
struct definition {
	const struct type *type; /* an aggregate */
	/* The name it was found under if that is a typedef; NULL = the struct's own name. */
	const char *typedef_name;
	uint32_t align;	   /* stated by that typedef, in bytes; 0 = none */
	uint32_t nr_units; /* compilation units that hold this layout */
};

DEFINE_VEC(definition_vec, struct definition);

struct typeset {
	struct arena arena; /* owns every type and string */
	struct source source;
	struct definition_vec definitions; /* by name, then by the order in the file */
	const char *const
		*notes; /* what could not be read, a sentence each; NULL-terminated or NULL */
};

void typeset_deinit(struct typeset *set);
#define auto_typeset __attribute__((cleanup(typeset_deinit)))

/* The typedef's or the struct's name; "(anonymous)" without either. */
const char *definition_name(const struct definition *definition);
/* In bytes: a typedef may state an alignment of its own. */
uint32_t definition_align(const struct definition *definition, const struct arch *arch);

/* "struct inode", a typedef's name: what a user calls it. */
const char *definition_label(const struct definition *definition, struct arena *arena);

/*
 * Adds a definition unless the set has one of that name and layout: then only nr_units grows.
 * seen maps hashes to indexes between calls.
 */
struct map;
void typeset_add(struct typeset *set, struct map *seen, struct definition definition);
/* Puts the definitions into their final order. */
void typeset_sort(struct typeset *set);

/* What a user asks for: "bdev_inode", "struct bdev_inode", "union x", "bdev*". */
struct type_query {
	const char *text;    /* as given */
	const char *name;    /* without the keyword; may be qualified, "ns::Type" */
	const char *leaf;    /* its last component */
	bool any_keyword;    /* no keyword given: typedefs count too */
	enum type_kind kind; /* else TYPE_STRUCT (classes too), TYPE_UNION */
	bool pattern;	     /* name holds *, ? or [ */
};

/* name is borrowed. */
struct type_query type_query_parse(const char *text);
/* Whether a definition of this kind and unqualified name answers the query. */
bool type_query_matches(const struct type_query *query, enum type_kind kind, const char *name);

/* Whether the definition answers the query: by a typedef's name only where no keyword is given. */
bool type_query_answers(const struct type_query *query, const struct definition *definition);

#endif
