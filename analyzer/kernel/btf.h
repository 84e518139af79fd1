/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BTF in memory (Documentation/bpf/btf.rst): types by their ids, names by their offsets.
 *
 * Opening checks that every type lies within the file and nothing more. What a type says, ids
 * and name offsets above all, may be anything. Nothing is copied or swapped: libbpf 1.1 takes 8 ms
 * to load the 5 MB of a vmlinux, most of it for the pages of its copy, and this takes 1.
 */
#ifndef FIELDLINE_KERNEL_BTF_H
#define FIELDLINE_KERNEL_BTF_H

#include <linux/btf.h>

#include "base/bytes.h"
#include "base/error.h"
#include "kernel/btf_types.h"

/* A whole BTF, or what a module adds to its kernel's. */
struct btf_piece {
	struct bytes types;
	struct bytes strings;
};

struct btf {
	struct btf_piece base; /* empty when own is not split */
	struct btf_piece own;
	uint32_t first_id; /* of own: ids count on from base's, as offsets of names do */
	uint32_t end_id;
	uint32_t *offsets; /* by id: where in its piece's types it is */
	/* Ids of structs, unions and typedefs, ascending: all that a query can mean. */
	uint32_t *candidates;
	uint32_t nr_candidates;
};

/* A type as the file has it. */
struct btf_record {
	uint32_t kind; /* BTF_KIND_... */
	uint32_t nr;   /* of members, parameters, ... */
	bool flag;
	uint32_t name;
	union {
		uint32_t size;
		uint32_t type;
	};
	struct bytes rest; /* what follows, and more */
};

/* Borrows the input. */
struct error *btf_open(const struct btf_input *input, struct btf *ret);
void btf_close(struct btf *btf);

/* False when there is no such type. Type 0 is void, kind BTF_KIND_UNKN. */
bool btf_read_record(const struct btf *btf, uint32_t id, struct btf_record *ret);
/* The string at offset, found in type id (for the error); NULL = empty, anonymous. */
struct error *btf_read_name(const struct btf *btf, uint32_t id, uint32_t offset, const char **ret);

#define BTF_KIND_BIT(kind) (1u << (kind))
#define BTF_TAGS BTF_KIND_BIT(BTF_KIND_TYPE_TAG)
#define BTF_QUALIFIERS                                                               \
	(BTF_TAGS | BTF_KIND_BIT(BTF_KIND_CONST) | BTF_KIND_BIT(BTF_KIND_VOLATILE) | \
	 BTF_KIND_BIT(BTF_KIND_RESTRICT))
#define BTF_NAMES (BTF_QUALIFIERS | BTF_KIND_BIT(BTF_KIND_TYPEDEF))
#define BTF_AGGREGATES (BTF_KIND_BIT(BTF_KIND_STRUCT) | BTF_KIND_BIT(BTF_KIND_UNION))
#define BTF_CANDIDATES (BTF_AGGREGATES | BTF_KIND_BIT(BTF_KIND_TYPEDEF))

/* Follows types of these kinds to the type they stand for; gives up after BTF_MAX_DEPTH. */
uint32_t btf_skip(const struct btf *btf, uint32_t id, uint32_t kind_bits);

/* Deeper than any real type. The kernel stops at 32 (MAX_RESOLVE_DEPTH in kernel/bpf/btf.c). */
#define BTF_MAX_DEPTH 64

#define auto_btf __attribute__((cleanup(btf_close)))

#endif
