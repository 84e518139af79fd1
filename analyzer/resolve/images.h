/* SPDX-License-Identifier: GPL-2.0-only */
/* Behind struct resolver: which image an address of a recording lies in. */
#ifndef FIELDLINE_RESOLVE_IMAGES_H
#define FIELDLINE_RESOLVE_IMAGES_H

#include "resolve/analysis.h"
#include "resolve/resolver.h"

DEFINE_VEC(placed_section_vec, struct placed_section);

struct module {
	struct analysis analysis;
	char *path;
	struct placed_section_vec sections; /* those whose place was told */
	uint64_t start;			    /* where its text lay in the recording */
	uint64_t size;
	uint64_t text; /* and lies in the image */
};

DEFINE_VEC(module_vec, struct module);

/* What was found of an instruction: the same for all samples of it. */
struct known {
	struct access access; /* without its object */
	const char *function;
};

DEFINE_VEC(known_vec, struct known);

struct resolver {
	struct insn_decoder *decoder;
	const char *modules_folder; /* NULL = none */
	uint64_t slide;
	struct analysis kernel;
	struct module_vec modules;
	struct map known_by_ip; /* -> index in known */
	struct known_vec known;
	uint64_t last_ip, last_known; /* asked for last, and its index; unless known is empty */
};

/* The image that was at ip, and the address in it; NULL = none is known. */
struct analysis *images_find(struct resolver *resolver, uint64_t ip, uint64_t *ret_address);
/* The upper half of the address space. */
bool images_is_kernel(uint64_t address);
/* Addresses mean something else now. */
void images_forget(struct resolver *resolver);
/* Takes the table of the whole kernel from the cache, if there is one. */
void images_read_table(struct resolver *resolver);

#endif
