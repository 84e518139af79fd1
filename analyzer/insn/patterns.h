/* SPDX-License-Identifier: GPL-2.0-only */
/* How instructions that decode_plain.c reads are encoded; the letters of forms are the SDM's. */
#ifndef FIELDLINE_INSN_PATTERNS_H
#define FIELDLINE_INSN_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

/* Which operands there are, in the order of Intel's syntax. */
enum form {
	FORM_OTHER, /* not decoded here */
	FORM_NONE,
	FORM_E_G, /* E: register or memory, G: register, of the ModRM byte */
	FORM_G_E,
	FORM_G_M, /* E, but no register */
	FORM_E,
	FORM_E_I, /* I: immediate */
	FORM_E_CL,
	FORM_E_G_I,
	FORM_E_G_CL,
	FORM_G_E_I,
	FORM_Z, /* Z: register, of the opcode's low bits */
	FORM_Z_I,
	FORM_A_I, /* A: rax, eax, ax or al */
	FORM_Z_A,
	FORM_I,
	FORM_J,	    /* J: distance to jump */
	FORM_GROUP, /* E, and the ModRM byte tells more: groups[] */
};

/* Bytes of operands: WIDTH_FULL is 4, 2 with prefix 66, 8 with REX.W. */
enum width { WIDTH_FULL, WIDTH_BYTE, WIDTH_QUAD };
enum immediate {
	IMMEDIATE_FULL, /* four bytes at most, extended by their sign */
	IMMEDIATE_BYTE,
	IMMEDIATE_MOVE,	 /* as long as the operand */
	IMMEDIATE_COUNT, /* of bits: a byte, which is not extended */
	IMMEDIATE_ONE,
};

struct pattern {
	uint8_t form;
	uint8_t kind;
	uint8_t use;
	uint8_t width;
	uint8_t flow;
	uint8_t immediate;
	uint8_t source_size; /* of E, where G's is another; 0 = the same */
	uint16_t written;    /* besides the operands */
};

/* The pattern of an opcode, of one behind 0f with two_bytes set. */
const struct pattern *pattern_of(uint8_t opcode, bool two_bytes);
/* Of a FORM_GROUP: what bits 3 to 5 of the ModRM byte say. */
const struct pattern *pattern_in_group(const struct pattern *group, uint8_t modrm);

#endif
