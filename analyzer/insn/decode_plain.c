/* SPDX-License-Identifier: GPL-2.0-only */
#include "insn/decode_plain.h"

#include "insn/patterns.h"

enum rex { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8 };

/* An instruction as far as it is read. */
struct reading {
	const uint8_t *at;
	const uint8_t *end;
	bool has_66;
	bool has_rex;
	uint8_t rex;
	uint8_t segment;
	uint8_t opcode;
	uint8_t modrm;
	bool is_short; /* the bytes end too early */
	bool relative; /* memory's address counts from the next instruction */
	struct insn *insn;
};

static uint8_t next_byte(struct reading *reading)
{
	if (reading->at < reading->end)
		return *reading->at++;
	reading->is_short = true;
	return 0;
}

/* A little-endian number with a sign. */
static int64_t next_number(struct reading *reading, unsigned int size)
{
	uint64_t number = 0;

	for (unsigned int i = 0; i < size; i++)
		number |= (uint64_t)next_byte(reading) << 8 * i;
	return (int64_t)(number << (64 - 8 * size)) >> (64 - 8 * size);
}

static struct operand *add_operand(struct reading *reading, enum operand_kind kind, uint8_t size)
{
	struct operand *operand = &reading->insn->operands[reading->insn->nr_operands++];

	*operand = (struct operand){
		.kind = kind, .size = size, .reg = REG_NONE, .base = REG_NONE, .index = REG_NONE
	};
	return operand;
}

/* Registers in the order of their encoding. */
static const uint8_t numbers[16] = {
	REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
	REG_R8,	 REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
};

static void add_register(struct reading *reading, unsigned int number, uint8_t size)
{
	/* ah, ch, dh and bh, which a REX prefix makes spl, bpl, sil and dil. */
	if (size == 1 && !reading->has_rex)
		number &= 3;
	add_operand(reading, OPERAND_REGISTER, size)->reg = numbers[number];
}

static void add_immediate(struct reading *reading, const struct pattern *pattern, uint8_t size)
{
	struct operand *operand = add_operand(reading, OPERAND_IMMEDIATE, size);

	switch (pattern->immediate) {
	case IMMEDIATE_FULL:
		operand->value = next_number(reading, size > 4 ? 4 : size);
		break;
	case IMMEDIATE_BYTE:
		operand->value = next_number(reading, 1);
		break;
	case IMMEDIATE_MOVE:
		operand->value = next_number(reading, size);
		break;
	case IMMEDIATE_COUNT:
		operand->size = 1;
		operand->value = next_byte(reading);
		break;
	case IMMEDIATE_ONE:
		operand->value = 1;
		break;
	}
	if (operand->size < 8)
		operand->value &= (int64_t)(UINT64_MAX >> (64 - 8 * operand->size));
}

/* The scaled index byte. False: a form without a base, which is an address alone. */
static void read_sib(struct reading *reading, struct operand *operand)
{
	uint8_t sib = next_byte(reading), mode = reading->modrm >> 6;
	unsigned int index = (sib >> 3 & 7) | (reading->rex & REX_X ? 8 : 0);

	operand->scale = (uint8_t)(1u << (sib >> 6));
	if (numbers[index] != REG_RSP)
		operand->index = numbers[index];
	if ((sib & 7) == 5 && !mode)
		operand->value = next_number(reading, 4);
	else
		operand->base = numbers[(sib & 7) | (reading->rex & REX_B ? 8 : 0)];
}

static void add_memory(struct reading *reading, uint8_t size)
{
	struct operand *operand = add_operand(reading, OPERAND_MEMORY, size);
	uint8_t mode = reading->modrm >> 6, base = reading->modrm & 7;

	reading->insn->memory = (int8_t)(reading->insn->nr_operands - 1);
	operand->scale = 1;
	operand->segment = reading->segment;
	if (base == 4) {
		read_sib(reading, operand);
	} else if (base == 5 && !mode) {
		operand->base = REG_RIP;
		operand->value = next_number(reading, 4);
		reading->relative = true;
	} else {
		operand->base = numbers[base | (reading->rex & REX_B ? 8 : 0)];
	}
	if (mode)
		operand->value = next_number(reading, mode == 1 ? 1 : 4);
}

static void add_e(struct reading *reading, uint8_t size)
{
	if (reading->modrm >> 6 == 3)
		add_register(reading, (reading->modrm & 7) | (reading->rex & REX_B ? 8 : 0), size);
	else
		add_memory(reading, size);
}

static void add_g(struct reading *reading, uint8_t size)
{
	add_register(reading, (reading->modrm >> 3 & 7) | (reading->rex & REX_R ? 8 : 0), size);
}

static void add_z(struct reading *reading, uint8_t size)
{
	add_register(reading, (reading->opcode & 7) | (reading->rex & REX_B ? 8 : 0), size);
}

static void add_jump(struct reading *reading, const struct pattern *pattern)
{
	int64_t distance = next_number(reading, pattern->immediate == IMMEDIATE_BYTE ? 1 : 4);
	struct insn *insn = reading->insn;

	add_operand(reading, OPERAND_IMMEDIATE, 8)->value = distance;
	insn->if_zero = (reading->opcode & 0xf) == 4 && insn->flow == FLOW_BRANCH;
	insn->if_not_zero = (reading->opcode & 0xf) == 5 && insn->flow == FLOW_BRANCH;
}

static void add_cl(struct reading *reading)
{
	add_operand(reading, OPERAND_REGISTER, 1)->reg = REG_RCX;
}

static void add_operands(struct reading *reading, const struct pattern *pattern, uint8_t size)
{
	uint8_t e_size = pattern->source_size ? pattern->source_size : size;

	switch (pattern->form) {
	case FORM_E_G:
	case FORM_E_G_I:
	case FORM_E_G_CL:
		add_e(reading, size);
		add_g(reading, size);
		break;
	case FORM_G_E:
	case FORM_G_M:
	case FORM_G_E_I:
		add_g(reading, size);
		add_e(reading, e_size);
		break;
	case FORM_E:
	case FORM_E_I:
	case FORM_E_CL:
		add_e(reading, size);
		break;
	case FORM_Z:
	case FORM_Z_I:
		add_z(reading, size);
		break;
	case FORM_A_I:
		add_operand(reading, OPERAND_REGISTER, size)->reg = REG_RAX;
		break;
	case FORM_J:
		add_jump(reading, pattern);
		break;
	}
	switch (pattern->form) {
	case FORM_E_I:
	case FORM_E_G_I:
	case FORM_G_E_I:
	case FORM_Z_I:
	case FORM_A_I:
		add_immediate(reading, pattern, size);
		break;
	case FORM_E_CL:
	case FORM_E_G_CL:
		add_cl(reading);
		break;
	}
}

/* False: a prefix whose meaning depends on what follows. */
static bool read_prefixes(struct reading *reading)
{
	for (;; reading->at++) {
		if (reading->at == reading->end)
			return false;
		switch (*reading->at) {
		case 0x66:
			reading->has_66 = true;
			break;
		case 0x65:
			reading->segment = SEGMENT_GS;
			break;
		case 0xf0:
			reading->insn->is_locked = true;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64:
		case 0x67:
		case 0xf2:
		case 0xf3:
			return false;
		default:
			return true;
		}
	}
}

/* The pattern of the opcode that follows, with its ModRM byte read where it has one. */
static const struct pattern *read_opcode(struct reading *reading)
{
	const struct pattern *pattern;
	bool two_bytes;

	if ((*reading->at & 0xf0) == 0x40) {
		reading->has_rex = true;
		reading->rex = next_byte(reading);
	}
	reading->opcode = next_byte(reading);
	two_bytes = reading->opcode == 0x0f;
	if (two_bytes)
		reading->opcode = next_byte(reading);
	pattern = pattern_of(reading->opcode, two_bytes);
	switch (pattern->form) {
	case FORM_NONE:
	case FORM_Z:
	case FORM_Z_I:
	case FORM_A_I:
	case FORM_J:
		break;
	case FORM_OTHER:
		return NULL;
	default:
		reading->modrm = next_byte(reading);
	}
	if (pattern->form == FORM_GROUP)
		pattern = pattern_in_group(pattern, reading->modrm);
	if (pattern->form == FORM_OTHER || (pattern->form == FORM_G_M && reading->modrm >> 6 == 3))
		return NULL;
	return pattern;
}

/* Encodings of no use, or with a meaning of their own. */
static bool is_odd(const struct reading *reading, const struct pattern *pattern)
{
	bool by_stack = pattern->width == WIDTH_QUAD || pattern->flow != FLOW_NEXT;

	if (reading->has_66 && (by_stack || pattern->form == FORM_NONE))
		return true;
	/* pause, and xchg with r8. */
	return reading->opcode == 0x90 && reading->has_rex;
}

static uint8_t operand_size(const struct reading *reading, const struct pattern *pattern)
{
	if (pattern->width == WIDTH_BYTE)
		return 1;
	if (pattern->width == WIDTH_QUAD || reading->rex & REX_W)
		return 8;
	return reading->has_66 ? 2 : 4;
}

void insn_apply_use(enum use use, struct insn *insn)
{
	bool swaps = insn->kind == INSN_EXCHANGE || insn->kind == INSN_EXCHANGE_ADD;
	bool changes = use == USE_STORE || use == USE_CHANGE;

	for (unsigned int i = 0; use != USE_AS_TOLD && i < insn->nr_operands; i++) {
		struct operand *operand = &insn->operands[i];
		bool written = changes && (!i || (i == 1 && swaps));

		if (operand->kind == OPERAND_REGISTER && operand->reg < NR_REGS && written)
			insn->written |= (uint16_t)(1u << operand->reg);
		operand->is_load = operand->kind == OPERAND_MEMORY && (i || use != USE_STORE);
		operand->is_store = operand->kind == OPERAND_MEMORY && written;
		if (use == USE_NOT || insn->kind == INSN_ADDRESS)
			operand->is_load = operand->is_store = false;
	}
	/* Capstone 4 does not know that what was there comes back in rax. */
	if (insn->kind == INSN_COMPARE_EXCHANGE)
		insn->written |= 1u << REG_RAX;
	/* xchg locks with or without the prefix (SDM, volume 2, XCHG). */
	if (insn->memory >= 0 && insn->kind == INSN_EXCHANGE)
		insn->is_locked = true;
}

static void finish(const struct reading *reading, const uint8_t *bytes,
		   const struct pattern *pattern)
{
	struct insn *insn = reading->insn;
	int64_t next;

	insn->size = (uint8_t)(reading->at - bytes);
	next = (int64_t)(insn->address + insn->size);
	if (reading->relative)
		insn->operands[insn->memory].value += next;
	if (pattern->form == FORM_J) {
		insn->operands[0].value += next;
		insn->target = (uint64_t)insn->operands[0].value;
	}
	insn_apply_use(pattern->use, insn);
}

bool insn_decode_plain(const uint8_t *bytes, size_t nr, uint64_t address, struct insn *ret)
{
	struct reading reading = { .at = bytes, .end = bytes + nr, .insn = ret };
	const struct pattern *pattern;

	ret->address = address;
	ret->target = 0;
	ret->nr_operands = 0;
	ret->memory = -1;
	ret->is_locked = ret->is_repeated = ret->if_zero = ret->if_not_zero = false;
	if (!read_prefixes(&reading))
		return false;
	pattern = read_opcode(&reading);
	if (!pattern || is_odd(&reading, pattern))
		return false;
	ret->kind = pattern->kind;
	ret->flow = pattern->flow;
	ret->written = pattern->written;
	add_operands(&reading, pattern, operand_size(&reading, pattern));
	for (unsigned int i = ret->nr_operands; i < INSN_MAX_OPERANDS; i++)
		ret->operands[i] = (struct operand){};
	if (reading.is_short)
		return false;
	finish(&reading, bytes, pattern);
	return true;
}

bool insn_decode(struct insn_decoder *decoder, const uint8_t *bytes, size_t nr, uint64_t address,
		 struct insn *ret)
{
	return insn_decode_plain(bytes, nr, address, ret) ||
	       insn_decode_other(decoder, bytes, nr, address, ret);
}
