/* SPDX-License-Identifier: GPL-2.0-only */
/* Intel SDM, volume 2, appendix A. What stands in no table is left to Capstone. */
#include "insn/patterns.h"

#include "insn/decode_plain.h"

#define B(reg) (uint16_t)(1u << REG_##reg)

enum group {
	GROUP_1,      /* 80: E, Ib of a byte each */
	GROUP_1_FULL, /* 81 */
	GROUP_1_SHORT,
	GROUP_SHIFT, /* c0 */
	GROUP_SHIFT_FULL,
	GROUP_SHIFT_ONE,
	GROUP_SHIFT_ONE_FULL,
	GROUP_SHIFT_CL,
	GROUP_SHIFT_CL_FULL,
	GROUP_3, /* f6 */
	GROUP_3_FULL,
	GROUP_4, /* fe */
	GROUP_5, /* ff */
	GROUP_8, /* 0f ba */
	GROUP_11,
	GROUP_11_FULL,
	NR_GROUPS,
};

/* Instructions of a group that have operands alike. */
#define ARITHMETIC(...)                                                                         \
	{                                                                                       \
		{ __VA_ARGS__, .kind = INSN_ADD, .use = USE_CHANGE },                           \
			{ __VA_ARGS__, .kind = INSN_OR, .use = USE_CHANGE },                    \
			{ __VA_ARGS__, .use = USE_CHANGE }, { __VA_ARGS__, .use = USE_CHANGE }, \
			{ __VA_ARGS__, .kind = INSN_AND, .use = USE_CHANGE },                   \
			{ __VA_ARGS__, .kind = INSN_SUBTRACT, .use = USE_CHANGE },              \
			{ __VA_ARGS__, .kind = INSN_XOR, .use = USE_CHANGE },                   \
			{ __VA_ARGS__, .kind = INSN_COMPARE, .use = USE_LOAD },                 \
	}
/* rol, ror, shl, shr, sar; rcl and rcr are rare. */
#define SHIFTS(...)                                                                       \
	{                                                                                 \
		[0 ... 1] = { __VA_ARGS__, .use = USE_CHANGE },                           \
		       [4] = { __VA_ARGS__, .kind = INSN_SHIFT_LEFT, .use = USE_CHANGE }, \
		       [5] = { __VA_ARGS__, .use = USE_CHANGE },                          \
		       [7] = { __VA_ARGS__, .use = USE_CHANGE },                          \
	}
#define WIDE_RESULT (B(RAX) | B(RDX))
/* test, not, neg, mul, imul, div, idiv */
#define UNARY(width_of, result)                                                            \
	{                                                                                  \
		[0] = { FORM_E_I, INSN_TEST, USE_LOAD, width_of },                         \
		[2 ... 3] = { FORM_E, INSN_OTHER, USE_CHANGE, width_of },                  \
		[4] = { FORM_E, INSN_OTHER, USE_LOAD, width_of, .written = result },       \
		[5] = { FORM_E, INSN_MULTIPLY, USE_LOAD, width_of, .written = result },    \
		[6 ... 7] = { FORM_E, INSN_OTHER, USE_LOAD, width_of, .written = result }, \
	}

static const struct pattern groups[NR_GROUPS][8] = {
	[GROUP_1] = ARITHMETIC(FORM_E_I, .width = WIDTH_BYTE),
	[GROUP_1_FULL] = ARITHMETIC(FORM_E_I),
	[GROUP_1_SHORT] = ARITHMETIC(FORM_E_I, .immediate = IMMEDIATE_BYTE),
	[GROUP_SHIFT] = SHIFTS(FORM_E_I, .width = WIDTH_BYTE, .immediate = IMMEDIATE_COUNT),
	[GROUP_SHIFT_FULL] = SHIFTS(FORM_E_I, .immediate = IMMEDIATE_COUNT),
	[GROUP_SHIFT_ONE] = SHIFTS(FORM_E_I, .width = WIDTH_BYTE, .immediate = IMMEDIATE_ONE),
	[GROUP_SHIFT_ONE_FULL] = SHIFTS(FORM_E_I, .immediate = IMMEDIATE_ONE),
	[GROUP_SHIFT_CL] = SHIFTS(FORM_E_CL, .width = WIDTH_BYTE),
	[GROUP_SHIFT_CL_FULL] = SHIFTS(FORM_E_CL),
	[GROUP_3] = UNARY(WIDTH_BYTE, B(RAX)),
	[GROUP_3_FULL] = UNARY(WIDTH_FULL, WIDE_RESULT),
	[GROUP_4] = { { FORM_E, INSN_INCREMENT, USE_CHANGE, WIDTH_BYTE },
		      { FORM_E, INSN_DECREMENT, USE_CHANGE, WIDTH_BYTE } },
	[GROUP_5] = { { FORM_E, INSN_INCREMENT, USE_CHANGE },
		      { FORM_E, INSN_DECREMENT, USE_CHANGE },
		      { FORM_E, INSN_OTHER, USE_LOAD, WIDTH_QUAD, FLOW_CALL_INDIRECT,
			.written = B(RSP) },
		      [4] = { FORM_E, INSN_OTHER, USE_LOAD, WIDTH_QUAD, FLOW_JUMP_INDIRECT },
		      [6] = { FORM_E, INSN_PUSH, USE_LOAD, WIDTH_QUAD, .written = B(RSP) } },
	[GROUP_8] = { [4] = { FORM_E_I, INSN_TEST_BIT, USE_LOAD, .immediate = IMMEDIATE_COUNT },
		      [5 ... 7] = { FORM_E_I, INSN_CHANGE_BIT, USE_CHANGE,
				    .immediate = IMMEDIATE_COUNT } },
	[GROUP_11] = { { FORM_E_I, INSN_MOVE, USE_STORE, WIDTH_BYTE } },
	[GROUP_11_FULL] = { { FORM_E_I, INSN_MOVE, USE_STORE } },
};

/* The six forms that add, or, adc, sbb, and, sub, xor and cmp begin each row of the map with. */
#define SIX(first, ...)                                                 \
	[(first)] = { FORM_E_G, __VA_ARGS__, .width = WIDTH_BYTE },     \
	[(first) + 1] = { FORM_E_G, __VA_ARGS__ },                      \
	[(first) + 2] = { FORM_G_E, __VA_ARGS__, .width = WIDTH_BYTE }, \
	[(first) + 3] = { FORM_G_E, __VA_ARGS__ },                      \
	[(first) + 4] = { FORM_A_I, __VA_ARGS__, .width = WIDTH_BYTE }, \
	[(first) + 5] = { FORM_A_I, __VA_ARGS__ }
#define GROUP(number)                        \
	{                                    \
		FORM_GROUP, .kind = (number) \
	}

static const struct pattern one_byte[256] = {
	SIX(0x00, INSN_ADD, USE_CHANGE),
	SIX(0x08, INSN_OR, USE_CHANGE),
	SIX(0x10, INSN_OTHER, USE_CHANGE),
	SIX(0x18, INSN_OTHER, USE_CHANGE),
	SIX(0x20, INSN_AND, USE_CHANGE),
	SIX(0x28, INSN_SUBTRACT, USE_CHANGE),
	SIX(0x30, INSN_XOR, USE_CHANGE),
	SIX(0x38, INSN_COMPARE, USE_LOAD),
	[0x50 ... 0x57] = { FORM_Z, INSN_PUSH, USE_LOAD, WIDTH_QUAD, .written = B(RSP) },
	[0x58 ... 0x5f] = { FORM_Z, INSN_POP, USE_STORE, WIDTH_QUAD, .written = B(RSP) },
	[0x63] = { FORM_G_E, INSN_EXTEND, USE_STORE, .source_size = 4 },
	[0x69] = { FORM_G_E_I, INSN_MULTIPLY, USE_STORE },
	[0x6b] = { FORM_G_E_I, INSN_MULTIPLY, USE_STORE, .immediate = IMMEDIATE_BYTE },
	[0x70 ... 0x7f] = { FORM_J, .flow = FLOW_BRANCH, .immediate = IMMEDIATE_BYTE },
	[0x80] = GROUP(GROUP_1),
	[0x81] = GROUP(GROUP_1_FULL),
	[0x83] = GROUP(GROUP_1_SHORT),
	[0x84] = { FORM_E_G, INSN_TEST, USE_LOAD, WIDTH_BYTE },
	[0x85] = { FORM_E_G, INSN_TEST, USE_LOAD },
	[0x86] = { FORM_E_G, INSN_EXCHANGE, USE_CHANGE, WIDTH_BYTE },
	[0x87] = { FORM_E_G, INSN_EXCHANGE, USE_CHANGE },
	[0x88] = { FORM_E_G, INSN_MOVE, USE_STORE, WIDTH_BYTE },
	[0x89] = { FORM_E_G, INSN_MOVE, USE_STORE },
	[0x8a] = { FORM_G_E, INSN_MOVE, USE_STORE, WIDTH_BYTE },
	[0x8b] = { FORM_G_E, INSN_MOVE, USE_STORE },
	[0x8d] = { FORM_G_M, INSN_ADDRESS, USE_STORE },
	[0x90] = { FORM_NONE, INSN_NOTHING, USE_NOT },
	[0x98] = { FORM_NONE, INSN_EXTEND, .written = B(RAX) },
	[0x99] = { FORM_NONE, .written = B(RDX) },
	[0xa8] = { FORM_A_I, INSN_TEST, USE_LOAD, WIDTH_BYTE },
	[0xa9] = { FORM_A_I, INSN_TEST, USE_LOAD },
	[0xb0 ... 0xb7] = { FORM_Z_I, INSN_MOVE, USE_STORE, WIDTH_BYTE },
	[0xb8 ... 0xbf] = { FORM_Z_I, INSN_MOVE, USE_STORE, .immediate = IMMEDIATE_MOVE },
	[0xc0] = GROUP(GROUP_SHIFT),
	[0xc1] = GROUP(GROUP_SHIFT_FULL),
	[0xc3] = { FORM_NONE, .flow = FLOW_RETURN, .written = B(RSP) },
	[0xc6] = GROUP(GROUP_11),
	[0xc7] = GROUP(GROUP_11_FULL),
	[0xc9] = { FORM_NONE, INSN_LEAVE, USE_NOT, .written = B(RBP) | B(RSP) },
	[0xcc] = { FORM_NONE },
	[0xd0] = GROUP(GROUP_SHIFT_ONE),
	[0xd1] = GROUP(GROUP_SHIFT_ONE_FULL),
	[0xd2] = GROUP(GROUP_SHIFT_CL),
	[0xd3] = GROUP(GROUP_SHIFT_CL_FULL),
	[0xe8] = { FORM_J, .use = USE_LOAD, .flow = FLOW_CALL, .written = B(RSP) },
	[0xe9] = { FORM_J, .use = USE_LOAD, .flow = FLOW_JUMP },
	[0xeb] = { FORM_J, .use = USE_LOAD, .flow = FLOW_JUMP, .immediate = IMMEDIATE_BYTE },
	[0xf6] = GROUP(GROUP_3),
	[0xf7] = GROUP(GROUP_3_FULL),
	[0xfe] = GROUP(GROUP_4),
	[0xff] = GROUP(GROUP_5),
};

/* Behind 0f. */
static const struct pattern behind_0f[256] = {
	[0x0b] = { FORM_NONE, .flow = FLOW_TRAP },
	[0x1f] = { FORM_E, INSN_NOTHING, USE_NOT },
	[0x40 ... 0x4f] = { FORM_G_E, INSN_MOVE_IF, USE_STORE },
	[0x80 ... 0x8f] = { FORM_J, .flow = FLOW_BRANCH },
	[0x90 ... 0x9f] = { FORM_E, INSN_OTHER, USE_STORE, WIDTH_BYTE },
	[0xa3] = { FORM_E_G, INSN_TEST_BIT, USE_LOAD },
	[0xa4] = { FORM_E_G_I, INSN_OTHER, USE_CHANGE, .immediate = IMMEDIATE_COUNT },
	[0xa5] = { FORM_E_G_CL, INSN_OTHER, USE_CHANGE },
	[0xab] = { FORM_E_G, INSN_CHANGE_BIT, USE_CHANGE },
	[0xac] = { FORM_E_G_I, INSN_OTHER, USE_CHANGE, .immediate = IMMEDIATE_COUNT },
	[0xad] = { FORM_E_G_CL, INSN_OTHER, USE_CHANGE },
	[0xaf] = { FORM_G_E, INSN_MULTIPLY, USE_CHANGE },
	[0xb0] = { FORM_E_G, INSN_COMPARE_EXCHANGE, USE_CHANGE, WIDTH_BYTE },
	[0xb1] = { FORM_E_G, INSN_COMPARE_EXCHANGE, USE_CHANGE },
	[0xb3] = { FORM_E_G, INSN_CHANGE_BIT, USE_CHANGE },
	[0xb6] = { FORM_G_E, INSN_EXTEND, USE_STORE, .source_size = 1 },
	[0xb7] = { FORM_G_E, INSN_EXTEND, USE_STORE, .source_size = 2 },
	[0xba] = GROUP(GROUP_8),
	[0xbb] = { FORM_E_G, INSN_CHANGE_BIT, USE_CHANGE },
	[0xbe] = { FORM_G_E, INSN_EXTEND, USE_STORE, .source_size = 1 },
	[0xbf] = { FORM_G_E, INSN_EXTEND, USE_STORE, .source_size = 2 },
	[0xc0] = { FORM_E_G, INSN_EXCHANGE_ADD, USE_CHANGE, WIDTH_BYTE },
	[0xc1] = { FORM_E_G, INSN_EXCHANGE_ADD, USE_CHANGE },
	[0xc8 ... 0xcf] = { FORM_Z, INSN_OTHER, USE_CHANGE },
};

const struct pattern *pattern_of(uint8_t opcode, bool two_bytes)
{
	return two_bytes ? &behind_0f[opcode] : &one_byte[opcode];
}

const struct pattern *pattern_in_group(const struct pattern *group, uint8_t modrm)
{
	return &groups[group->kind][modrm >> 3 & 7];
}
