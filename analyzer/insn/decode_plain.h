/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions that compilers mostly emit, decoded by hand: Capstone prints each instruction
 * that it decodes, which takes twenty times as long.
 */
#ifndef FIELDLINE_INSN_DECODE_PLAIN_H
#define FIELDLINE_INSN_DECODE_PLAIN_H

#include "insn/insn.h"

/* How an instruction uses its first operand. */
enum use { USE_AS_TOLD, USE_NOT, USE_LOAD, USE_STORE, USE_CHANGE };

/* Sets what is read and written: sources are read, the destination is used as told. */
void insn_apply_use(enum use use, struct insn *insn);

/* False = not one of these instructions, or none at all: ask Capstone; *ret is overwritten. */
bool insn_decode_plain(const uint8_t *bytes, size_t nr, uint64_t address, struct insn *ret);

/* decode.c: all instructions, by Capstone. */
bool insn_decode_other(struct insn_decoder *decoder, const uint8_t *bytes, size_t nr,
		       uint64_t address, struct insn *ret);

#endif
