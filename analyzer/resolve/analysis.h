/* SPDX-License-Identifier: GPL-2.0-only */
/* The code of one image with all that is known of it so far. */
#ifndef FIELDLINE_RESOLVE_ANALYSIS_H
#define FIELDLINE_RESOLVE_ANALYSIS_H

#include "resolve/table.h"

struct analysis {
	struct code *code;
	struct insn_decoder *decoder; /* borrowed */
	struct patches patches;
	struct facts facts;
	struct flow *flow; /* NULL until something is analysed */
	struct containers *containers;
	struct table table;
};

DEFINE_VEC(address_vec, uint64_t);

struct error *analysis_open(const char *path, struct insn_decoder *decoder, struct analysis *ret);
void analysis_close(struct analysis *analysis);

/* Indexes the image; called by what needs it. */
void analysis_begin(struct analysis *analysis);
/* Analyses the functions of these addresses together and keeps what is known of them. */
void analysis_prepare(struct analysis *analysis, const uint64_t *addresses, size_t nr);
/* All functions of the image: the table is complete then. */
void analysis_all(struct analysis *analysis);
/* What is known of the instruction at address, analysed now if need be. False = no code. */
bool analysis_find(struct analysis *analysis, uint64_t address, struct row *ret);
/*
 * The instructions that access memory other than by the stack pointer, found by decoding all
 * executable sections from symbol to symbol, by address.
 */
void analysis_list(struct analysis *analysis, const char *section, struct address_vec *ret);

#endif
