/* SPDX-License-Identifier: GPL-2.0-only */
/* Decoding by Capstone (4.0 or later) of all that decode_plain.c leaves. */
#include <capstone/capstone.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "insn/decode_plain.h"

struct insn_decoder {
	csh handle;
	cs_insn *insn;
	uint8_t reg_of[X86_REG_ENDING];
};

static const struct {
	x86_reg name[6]; /* of the whole and its parts */
	uint8_t reg;
} registers[] = {
	{ { X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH }, REG_RAX },
	{ { X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH }, REG_RDX },
	{ { X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH }, REG_RCX },
	{ { X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH }, REG_RBX },
	{ { X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL }, REG_RSI },
	{ { X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL }, REG_RDI },
	{ { X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL }, REG_RBP },
	{ { X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL }, REG_RSP },
	{ { X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B }, REG_R8 },
	{ { X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B }, REG_R9 },
	{ { X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B }, REG_R10 },
	{ { X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B }, REG_R11 },
	{ { X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B }, REG_R12 },
	{ { X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B }, REG_R13 },
	{ { X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B }, REG_R14 },
	{ { X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B }, REG_R15 },
	{ { X86_REG_RIP, X86_REG_EIP, X86_REG_IP }, REG_RIP },
};

/* What to rely on rather than on Capstone's tables. */
struct meaning {
	uint8_t kind;
	uint8_t use;
};

static const struct meaning meanings[X86_INS_ENDING] = {
	[X86_INS_MOV] = { INSN_MOVE, USE_STORE },
	[X86_INS_MOVABS] = { INSN_MOVE, USE_STORE },
	[X86_INS_MOVZX] = { INSN_EXTEND, USE_STORE },
	[X86_INS_MOVSX] = { INSN_EXTEND, USE_STORE },
	[X86_INS_MOVSXD] = { INSN_EXTEND, USE_STORE },
	[X86_INS_LEA] = { INSN_ADDRESS, USE_STORE },
	[X86_INS_ADD] = { INSN_ADD, USE_CHANGE },
	[X86_INS_SUB] = { INSN_SUBTRACT, USE_CHANGE },
	[X86_INS_INC] = { INSN_INCREMENT, USE_CHANGE },
	[X86_INS_DEC] = { INSN_DECREMENT, USE_CHANGE },
	[X86_INS_XOR] = { INSN_XOR, USE_CHANGE },
	[X86_INS_AND] = { INSN_AND, USE_CHANGE },
	[X86_INS_OR] = { INSN_OR, USE_CHANGE },
	[X86_INS_ADC] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_SBB] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_NEG] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_NOT] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_SHL] = { INSN_SHIFT_LEFT, USE_CHANGE },
	[X86_INS_SHR] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_SAR] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_ROL] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_ROR] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_SHLD] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_SHRD] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_CMP] = { INSN_COMPARE, USE_LOAD },
	[X86_INS_TEST] = { INSN_TEST, USE_LOAD },
	[X86_INS_BT] = { INSN_TEST_BIT, USE_LOAD },
	[X86_INS_BTS] = { INSN_CHANGE_BIT, USE_CHANGE },
	[X86_INS_BTR] = { INSN_CHANGE_BIT, USE_CHANGE },
	[X86_INS_BTC] = { INSN_CHANGE_BIT, USE_CHANGE },
	[X86_INS_PUSH] = { INSN_PUSH, USE_LOAD },
	[X86_INS_POP] = { INSN_POP, USE_STORE },
	[X86_INS_PUSHFQ] = { INSN_PUSH_FLAGS, USE_NOT },
	[X86_INS_POPFQ] = { INSN_POP_FLAGS, USE_NOT },
	[X86_INS_LEAVE] = { INSN_LEAVE, USE_NOT },
	[X86_INS_XCHG] = { INSN_EXCHANGE, USE_CHANGE },
	[X86_INS_CMPXCHG] = { INSN_COMPARE_EXCHANGE, USE_CHANGE },
	[X86_INS_CMPXCHG8B] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_CMPXCHG16B] = { INSN_OTHER, USE_CHANGE },
	[X86_INS_XADD] = { INSN_EXCHANGE_ADD, USE_CHANGE },
	[X86_INS_STOSB] = { INSN_FILL, USE_STORE },
	[X86_INS_STOSW] = { INSN_FILL, USE_STORE },
	[X86_INS_STOSD] = { INSN_FILL, USE_STORE },
	[X86_INS_STOSQ] = { INSN_FILL, USE_STORE },
	[X86_INS_MOVSB] = { INSN_COPY, USE_STORE },
	[X86_INS_MOVSW] = { INSN_COPY, USE_STORE },
	[X86_INS_MOVSD] = { INSN_COPY, USE_STORE },
	[X86_INS_MOVSQ] = { INSN_COPY, USE_STORE },
	[X86_INS_NOP] = { INSN_NOTHING, USE_NOT },
	[X86_INS_PREFETCH] = { INSN_NOTHING, USE_NOT },
	[X86_INS_PREFETCHNTA] = { INSN_NOTHING, USE_NOT },
	[X86_INS_PREFETCHT0] = { INSN_NOTHING, USE_NOT },
	[X86_INS_PREFETCHT1] = { INSN_NOTHING, USE_NOT },
	[X86_INS_PREFETCHT2] = { INSN_NOTHING, USE_NOT },
	[X86_INS_PREFETCHW] = { INSN_NOTHING, USE_NOT },
	[X86_INS_INVLPG] = { INSN_NOTHING, USE_NOT },
	[X86_INS_CLFLUSH] = { INSN_NOTHING, USE_NOT },
	[X86_INS_CALL] = { INSN_OTHER, USE_LOAD },
	[X86_INS_JMP] = { INSN_OTHER, USE_LOAD },
	[X86_INS_IMUL] = { INSN_MULTIPLY, USE_AS_TOLD },
	[X86_INS_CDQE] = { INSN_EXTEND, USE_AS_TOLD },
	[X86_INS_CWDE] = { INSN_EXTEND, USE_AS_TOLD },
	[X86_INS_CBW] = { INSN_EXTEND, USE_AS_TOLD },
	[X86_INS_MUL] = { INSN_OTHER, USE_LOAD },
	[X86_INS_DIV] = { INSN_OTHER, USE_LOAD },
	[X86_INS_IDIV] = { INSN_OTHER, USE_LOAD },
	[X86_INS_CMOVA... X86_INS_CMOVS] = { INSN_MOVE_IF, USE_STORE },
	[X86_INS_SETAE... X86_INS_SETS] = { INSN_OTHER, USE_STORE },
};

struct error *insn_decoder_create(struct insn_decoder **ret)
{
	struct insn_decoder *decoder = memory_alloc(1, sizeof(*decoder));

	if (cs_open(CS_ARCH_X86, CS_MODE_64, &decoder->handle) != CS_ERR_OK) {
		free(decoder);
		return error_create(ERROR_INPUT, "Capstone was built without x86");
	}
	cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
	decoder->insn = cs_malloc(decoder->handle);
	memset(decoder->reg_of, REG_NONE, sizeof(decoder->reg_of));
	for (size_t i = 0; i < array_size(registers); i++) {
		for (size_t j = 0; j < array_size(registers[i].name) && registers[i].name[j]; j++)
			decoder->reg_of[registers[i].name[j]] = registers[i].reg;
	}
	*ret = decoder;
	return NULL;
}

void insn_decoder_destroy(struct insn_decoder *decoder)
{
	if (!decoder)
		return;
	cs_free(decoder->insn, 1);
	cs_close(&decoder->handle);
	free(decoder);
}

const char *insn_decoder_name(void)
{
	return "Capstone";
}

static void read_flow(const cs_insn *from, struct insn *insn)
{
	const cs_x86 *x86 = &from->detail->x86;
	bool direct = x86->op_count && x86->operands[0].type == X86_OP_IMM;

	for (unsigned int i = 0; i < from->detail->groups_count; i++) {
		switch (from->detail->groups[i]) {
		case X86_GRP_JUMP:
			if (from->id != X86_INS_JMP)
				insn->flow = FLOW_BRANCH;
			else
				insn->flow = direct ? FLOW_JUMP : FLOW_JUMP_INDIRECT;
			break;
		case X86_GRP_CALL:
			insn->flow = direct ? FLOW_CALL : FLOW_CALL_INDIRECT;
			break;
		case X86_GRP_RET:
		case X86_GRP_IRET:
			insn->flow = FLOW_RETURN;
			break;
		}
	}
	if (from->id == X86_INS_UD2 || from->id == X86_INS_UD0)
		insn->flow = FLOW_TRAP;
	if (from->id == X86_INS_HLT)
		insn->flow = FLOW_NEXT;
	if (direct && insn->flow != FLOW_NEXT && insn->flow != FLOW_RETURN)
		insn->target = (uint64_t)x86->operands[0].imm;
	insn->if_zero = from->id == X86_INS_JE;
	insn->if_not_zero = from->id == X86_INS_JNE;
}

static void read_memory(const struct insn_decoder *decoder, const cs_x86_op *from, uint64_t next,
			struct operand *ret)
{
	ret->kind = OPERAND_MEMORY;
	ret->base = decoder->reg_of[from->mem.base];
	ret->index = decoder->reg_of[from->mem.index];
	ret->scale = (uint8_t)from->mem.scale;
	ret->value = from->mem.disp;
	if (ret->base == REG_RIP)
		ret->value = (int64_t)(next + (uint64_t)from->mem.disp);
	if (from->mem.segment == X86_REG_GS)
		ret->segment = SEGMENT_GS;
	else if (from->mem.segment == X86_REG_FS)
		ret->segment = SEGMENT_FS;
	ret->is_load = from->access & CS_AC_READ;
	ret->is_store = from->access & CS_AC_WRITE;
}

static void read_operand(const struct insn_decoder *decoder, const cs_x86_op *from, uint64_t next,
			 struct operand *ret)
{
	*ret = (struct operand){
		.size = from->size, .reg = REG_NONE, .base = REG_NONE, .index = REG_NONE
	};
	switch (from->type) {
	case X86_OP_REG:
		ret->kind = OPERAND_REGISTER;
		ret->reg = decoder->reg_of[from->reg];
		break;
	case X86_OP_IMM:
		ret->kind = OPERAND_IMMEDIATE;
		ret->value = from->imm;
		break;
	case X86_OP_MEM:
		read_memory(decoder, from, next, ret);
		break;
	default:
		break;
	}
}

static void read_written(const struct insn_decoder *decoder, const cs_insn *from, struct insn *insn)
{
	const cs_detail *detail = from->detail;

	for (unsigned int i = 0; i < detail->regs_write_count; i++) {
		uint8_t reg = decoder->reg_of[detail->regs_write[i]];

		if (reg < NR_REGS)
			insn->written |= (uint16_t)(1u << reg);
	}
	for (unsigned int i = 0; i < detail->x86.op_count; i++) {
		const cs_x86_op *operand = &detail->x86.operands[i];
		uint8_t reg =
			operand->type == X86_OP_REG ? decoder->reg_of[operand->reg] : REG_NONE;

		if (reg < NR_REGS && operand->access & CS_AC_WRITE)
			insn->written |= (uint16_t)(1u << reg);
	}
}

static bool decode(struct insn_decoder *decoder, const uint8_t *bytes, size_t nr, uint64_t address)
{
	const size_t longest = 15; /* SDM 2.3.11 */

	if (nr > longest)
		nr = longest;
	return cs_disasm_iter(decoder->handle, &bytes, &nr, &address, decoder->insn);
}

/* A CPU's state, saved or loaded: Capstone 4 tells the first word of it. */
static bool moves_state(unsigned int id)
{
	switch (id) {
	case X86_INS_FXSAVE:
	case X86_INS_FXSAVE64:
	case X86_INS_FXRSTOR:
	case X86_INS_FXRSTOR64:
	case X86_INS_XSAVE:
	case X86_INS_XSAVE64:
	case X86_INS_XSAVEOPT:
	case X86_INS_XSAVEOPT64:
	case X86_INS_XRSTOR:
	case X86_INS_XRSTOR64:
		return true;
	default:
		return false;
	}
}

bool insn_decode_other(struct insn_decoder *decoder, const uint8_t *bytes, size_t nr,
		       uint64_t address, struct insn *ret)
{
	const cs_insn *from = decoder->insn;
	const struct meaning *meaning;
	const cs_x86 *x86;

	if (!decode(decoder, bytes, nr, address))
		return false;
	x86 = &from->detail->x86;
	meaning = &meanings[from->id];
	*ret = (struct insn){
		.address = address,
		.size = (uint8_t)from->size,
		.kind = meaning->kind,
		.memory = -1,
		.is_locked = x86->prefix[0] == X86_PREFIX_LOCK,
		.is_repeated = x86->prefix[0] == X86_PREFIX_REP ||
			       x86->prefix[0] == X86_PREFIX_REPNE || moves_state(from->id),
	};
	ret->nr_operands = x86->op_count < INSN_MAX_OPERANDS ? x86->op_count : INSN_MAX_OPERANDS;
	for (int i = 0; i < ret->nr_operands; i++) {
		read_operand(decoder, &x86->operands[i], address + from->size, &ret->operands[i]);
		if (ret->operands[i].kind == OPERAND_MEMORY && ret->memory < 0)
			ret->memory = (int8_t)i;
	}
	read_flow(from, ret);
	read_written(decoder, from, ret);
	insn_apply_use(meaning->use, ret);
	return true;
}

char *insn_print(struct insn_decoder *decoder, const uint8_t *bytes, size_t nr, uint64_t address)
{
	struct text text = {};
	bool is_insn;

	cs_option(decoder->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	is_insn = decode(decoder, bytes, nr, address);
	if (is_insn)
		text_printf(&text, "%s%s%s", decoder->insn->mnemonic,
			    *decoder->insn->op_str ? " " : "", decoder->insn->op_str);
	cs_option(decoder->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_INTEL);
	return text.chars;
}
