/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an x86-64 instruction does, as far as following pointers needs it: operands, which
 * registers change, where control goes, how memory is touched.
 *
 * Registers have DWARF's numbers (System V psABI x86-64, figure 3.36), since debug information
 * names them so; parts of a register (eax, al, ah) have the number of the whole.
 */
#ifndef FIELDLINE_INSN_INSN_H
#define FIELDLINE_INSN_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
	REG_RAX,
	REG_RDX,
	REG_RCX,
	REG_RBX,
	REG_RSI,
	REG_RDI,
	REG_RBP,
	REG_RSP,
	REG_R8,
	REG_R9,
	REG_R10,
	REG_R11,
	REG_R12,
	REG_R13,
	REG_R14,
	REG_R15,
	NR_REGS,
	REG_RIP = NR_REGS,
	REG_NONE = 0xff, /* none, or none of these (xmm0, cr3) */
};

/* What is done with registers; everything of no interest is INSN_OTHER. */
enum insn_kind {
	INSN_OTHER,
	INSN_MOVE,    /* whole copies: mov, movabs */
	INSN_EXTEND,  /* movzx, movsx, movsxd; without operands cdqe, cwde, cbw */
	INSN_ADDRESS, /* lea */
	INSN_ADD,
	INSN_SUBTRACT,
	INSN_INCREMENT,
	INSN_DECREMENT,
	INSN_MULTIPLY, /* imul, with one to three operands */
	INSN_SHIFT_LEFT,
	INSN_XOR,
	INSN_AND,
	INSN_OR,
	INSN_COMPARE,
	INSN_TEST,
	INSN_TEST_BIT,	 /* bt */
	INSN_CHANGE_BIT, /* bts, btr, btc */
	INSN_PUSH,
	INSN_POP,
	INSN_PUSH_FLAGS,
	INSN_POP_FLAGS,
	INSN_LEAVE,
	INSN_EXCHANGE,
	INSN_COMPARE_EXCHANGE,
	INSN_EXCHANGE_ADD,
	INSN_MOVE_IF, /* cmovcc */
	INSN_FILL,    /* stos */
	INSN_COPY,    /* movs */
	INSN_NOTHING, /* nop, prefetch, invlpg: names a place and leaves it alone */
};

enum insn_flow {
	FLOW_NEXT,
	FLOW_JUMP,
	FLOW_BRANCH, /* jcc, loop */
	FLOW_JUMP_INDIRECT,
	FLOW_CALL,
	FLOW_CALL_INDIRECT,
	FLOW_RETURN,
	FLOW_TRAP, /* ud2: the bug table says whether execution goes on */
};

enum operand_kind { OPERAND_NONE, OPERAND_REGISTER, OPERAND_IMMEDIATE, OPERAND_MEMORY };
enum insn_segment { SEGMENT_NONE, SEGMENT_FS, SEGMENT_GS };

struct operand {
	uint8_t kind; /* enum operand_kind */
	uint8_t size; /* bytes accessed */
	uint8_t reg;  /* OPERAND_REGISTER */
	uint8_t base; /* OPERAND_MEMORY; REG_RIP is already in value */
	uint8_t index;
	uint8_t scale;
	uint8_t segment; /* enum insn_segment */
	bool is_load;	 /* OPERAND_MEMORY: read, written or both */
	bool is_store;
	int64_t value; /* immediate; displacement, with REG_RIP the address */
};

#define INSN_MAX_OPERANDS 3

struct insn {
	uint64_t address;
	uint64_t target;  /* of a direct jump or call; 0 = none */
	uint16_t written; /* bit per register that changes */
	uint8_t size;
	uint8_t kind; /* enum insn_kind */
	uint8_t flow; /* enum insn_flow */
	uint8_t nr_operands;
	int8_t memory; /* the first memory operand; -1 = none */
	bool is_locked;
	bool is_repeated; /* rep, fxsave: goes on behind its operand */
	bool if_zero;	  /* FLOW_BRANCH: je; taken where the values compared are equal */
	bool if_not_zero; /* jne */
	struct operand operands[INSN_MAX_OPERANDS]; /* the destination first */
};

struct insn_decoder;

/* An ERROR_INPUT where the program was built without Capstone. */
struct error *insn_decoder_create(struct insn_decoder **ret);
void insn_decoder_destroy(struct insn_decoder *decoder);
/* The instruction in the first of nr bytes; false = it is none. */
bool insn_decode(struct insn_decoder *decoder, const uint8_t *bytes, size_t nr, uint64_t address,
		 struct insn *ret);
/* The instruction as assemblers write it (AT&T), for people; NULL as insn_decode()'s false. */
char *insn_print(struct insn_decoder *decoder, const uint8_t *bytes, size_t nr, uint64_t address);
/* "Capstone 4.0.2" or NULL: what decodes. */
const char *insn_decoder_name(void);

/* "rax"; "rip" and "?" too. */
const char *insn_register_name(uint8_t reg);

#endif
