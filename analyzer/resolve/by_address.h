/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From an address to the variable that lies there: the kernel's own variables and each CPU's copy
 * of the per-CPU ones, and modules' variables where it was told where their data lies. Arrays are
 * indexed.
 *
 * Where a CPU's area is, samples tell: an instruction that reaches its own CPU's variable through
 * %gs alone names the offset, and the sample the address. Two samples that agree are believed.
 */
#ifndef FIELDLINE_RESOLVE_BY_ADDRESS_H
#define FIELDLINE_RESOLVE_BY_ADDRESS_H

#include "base/error.h"
#include "base/text.h"
#include "kernel/code.h"
#include "model/access.h"
#include "model/sample.h"
#include "resolve/resolver.h"

struct by_address;
struct insn_decoder;

/* Both are borrowed; code is indexed if it was not. */
struct by_address *by_address_create(struct code *code, struct insn_decoder *decoder);
void by_address_destroy(struct by_address *by);
/* How far the kernel was moved. */
void by_address_set_slide(struct by_address *by, uint64_t slide);

/* A module's data; its code is borrowed, and indexed once an address lies in there. */
void by_address_add_section(struct by_address *by, const struct placed_section *section);

/* Learns where the sample's CPU has its area, if its instruction is one that tells. */
void by_address_learn(struct by_address *by, const struct sample *sample);

/*
 * Fills type, offset, object, basis and confidence of *access where the address lies in a
 * variable. What the instruction does and how many bytes is left as it is.
 */
bool by_address_resolve(struct by_address *by, uint64_t address, struct access *access);
/* Adds "runqueues[cpu 3]", "files_lock"; nothing where there is no variable. */
void by_address_print_name(struct by_address *by, uint64_t address, struct text *text);

#endif
