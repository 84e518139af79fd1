/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions as the assembler encodes them; what they do is told here, by the SDM. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "insn/decode_plain.h"

#define B(reg) (1u << REG_##reg)
#define NONE REG_NONE

struct expected {
	const char *source;
	enum insn_kind kind;
	uint8_t base, index, scale;
	int64_t displacement;
	uint8_t size;
	const char *access; /* "r", "w", "rw", "l" locked; "" = only named; NULL = no operand */
	uint16_t written;
	enum insn_segment segment;
};

/* clang-format off */
static const struct expected rows[] = {
	{ "movl 0x44(%rdi), %eax", INSN_MOVE, REG_RDI, NONE, 1, 0x44, 4, "r", B(RAX) },
	{ "movq %rax, -8(%rbp,%r12,4)", INSN_MOVE, REG_RBP, REG_R12, 4, -8, 8, "w", 0 },
	{ "movb $1, (%rsp)", INSN_MOVE, REG_RSP, NONE, 1, 0, 1, "w", 0 },
	{ "movw %r9w, 2(%r13)", INSN_MOVE, REG_R13, NONE, 1, 2, 2, "w", 0 },
	{ "movzbl 1(%rsi), %edx", INSN_EXTEND, REG_RSI, NONE, 1, 1, 1, "r", B(RDX) },
	{ "movslq (%rcx), %r8", INSN_EXTEND, REG_RCX, NONE, 1, 0, 4, "r", B(R8) },
	{ "leaq 16(%rdi,%rax,8), %rbx", INSN_ADDRESS, REG_RDI, REG_RAX, 8, 16, 8, "", B(RBX) },
	{ "addq $1, 8(%rbx)", INSN_ADD, REG_RBX, NONE, 1, 8, 8, "rw", 0 },
	{ "addq 8(%rbx), %rcx", INSN_ADD, REG_RBX, NONE, 1, 8, 8, "r", B(RCX) },
	{ "subl %edx, (%rax)", INSN_SUBTRACT, REG_RAX, NONE, 1, 0, 4, "rw", 0 },
	{ "incl 0x10(%r14)", INSN_INCREMENT, REG_R14, NONE, 1, 0x10, 4, "rw", 0 },
	{ "decq (%r15)", INSN_DECREMENT, REG_R15, NONE, 1, 0, 8, "rw", 0 },
	{ "orb $4, 3(%rdx)", INSN_OR, REG_RDX, NONE, 1, 3, 1, "rw", 0 },
	{ "andl $-2, 0x20(%rsi)", INSN_AND, REG_RSI, NONE, 1, 0x20, 4, "rw", 0 },
	{ "xorq 8(%rdi), %rax", INSN_XOR, REG_RDI, NONE, 1, 8, 8, "r", B(RAX) },
	{ "notl (%rdi)", INSN_OTHER, REG_RDI, NONE, 1, 0, 4, "rw", 0 },
	{ "negq 8(%rdi)", INSN_OTHER, REG_RDI, NONE, 1, 8, 8, "rw", 0 },
	{ "shll $3, (%rdi)", INSN_SHIFT_LEFT, REG_RDI, NONE, 1, 0, 4, "rw", 0 },
	{ "adcq 0x10(%r8), %rdi", INSN_OTHER, REG_R8, NONE, 1, 0x10, 8, "r", B(RDI) },
	{ "cmpl $7, 0x30(%rbx)", INSN_COMPARE, REG_RBX, NONE, 1, 0x30, 4, "r", 0 },
	{ "cmpq (%rdx), %rax", INSN_COMPARE, REG_RDX, NONE, 1, 0, 8, "r", 0 },
	{ "testb $1, 0x18(%rax)", INSN_TEST, REG_RAX, NONE, 1, 0x18, 1, "r", 0 },
	{ "btq $3, (%rdi)", INSN_TEST_BIT, REG_RDI, NONE, 1, 0, 8, "r", 0 },
	{ "btsq $3, (%rdi)", INSN_CHANGE_BIT, REG_RDI, NONE, 1, 0, 8, "rw", 0 },
	{ "lock btrq $3, (%rdi)", INSN_CHANGE_BIT, REG_RDI, NONE, 1, 0, 8, "rwl", 0 },
	{ "lock addl $1, (%rdi)", INSN_ADD, REG_RDI, NONE, 1, 0, 4, "rwl", 0 },
	{ "lock incl 0x34(%rax)", INSN_INCREMENT, REG_RAX, NONE, 1, 0x34, 4, "rwl", 0 },
	{ "lock cmpxchgl %edx, (%rbx)", INSN_COMPARE_EXCHANGE, REG_RBX, NONE, 1, 0, 4, "rwl",
	  B(RAX) },
	{ "lock xaddq %rax, 8(%rdi)", INSN_EXCHANGE_ADD, REG_RDI, NONE, 1, 8, 8, "rwl", B(RAX) },
	{ "xchgq %rax, (%rdi)", INSN_EXCHANGE, REG_RDI, NONE, 1, 0, 8, "rwl", B(RAX) },
	{ "cmovneq 8(%rsi), %rax", INSN_MOVE_IF, REG_RSI, NONE, 1, 8, 8, "r", B(RAX) },
	{ "sete 5(%rdi)", INSN_OTHER, REG_RDI, NONE, 1, 5, 1, "w", 0 },
	{ "rep stosq", INSN_FILL, REG_RDI, NONE, 1, 0, 8, "w", B(RDI) | B(RCX) },
	{ "movsl", INSN_COPY, REG_RDI, NONE, 1, 0, 4, "w", B(RDI) | B(RSI) },
	{ "imulq 8(%rdi), %rax", INSN_MULTIPLY, REG_RDI, NONE, 1, 8, 8, "r", B(RAX) },
	{ "imulq $24, (%rdi), %rdx", INSN_MULTIPLY, REG_RDI, NONE, 1, 0, 8, "r", B(RDX) },
	{ "imull 4(%rsi)", INSN_MULTIPLY, REG_RSI, NONE, 1, 4, 4, "r", B(RAX) | B(RDX) },
	{ "shrl $3, (%rdi)", INSN_OTHER, REG_RDI, NONE, 1, 0, 4, "rw", 0 },
	{ "cltq", INSN_EXTEND, 0, 0, 0, 0, 0, NULL, B(RAX) },
	{ "divl 4(%rsi)", INSN_OTHER, REG_RSI, NONE, 1, 4, 4, "r", B(RAX) | B(RDX) },
	{ "movq %gs:0x28, %rax", INSN_MOVE, NONE, NONE, 1, 0x28, 8, "r", B(RAX), SEGMENT_GS },
	{ "incl %gs:0x40(%rbx)", INSN_INCREMENT, REG_RBX, NONE, 1, 0x40, 4, "rw", 0,
	  SEGMENT_GS },
	{ "movq %fs:8, %rdx", INSN_MOVE, NONE, NONE, 1, 8, 8, "r", B(RDX), SEGMENT_FS },
	{ "prefetchw 0x40(%rdi)", INSN_NOTHING, REG_RDI, NONE, 1, 0x40, 0, "", 0 },
	{ "nopw 8(%rax,%rax,1)", INSN_NOTHING, REG_RAX, REG_RAX, 1, 8, 2, "", 0 },
	{ "movq %rdi, %rax", INSN_MOVE, 0, 0, 0, 0, 0, NULL, B(RAX) },
	{ "movb %ah, %dl", INSN_MOVE, 0, 0, 0, 0, 0, NULL, B(RDX) },
	{ "xorl %ecx, %ecx", INSN_XOR, 0, 0, 0, 0, 0, NULL, B(RCX) },
	{ "pushq %rbx", INSN_PUSH, 0, 0, 0, 0, 0, NULL, B(RSP) },
	{ "popq %r12", INSN_POP, 0, 0, 0, 0, 0, NULL, B(R12) | B(RSP) },
	{ "leave", INSN_LEAVE, 0, 0, 0, 0, 0, NULL, B(RBP) | B(RSP) },
	{ "cpuid", INSN_OTHER, 0, 0, 0, 0, 0, NULL, B(RAX) | B(RBX) | B(RCX) | B(RDX) },
	{ "btl %ecx, %eax", INSN_TEST_BIT, 0, 0, 0, 0, 0, NULL, 0 },
};
/* clang-format on */

struct assembled {
	struct file file;
	struct insn_decoder *decoder;
};

static bool assemble(const char *source, struct file *ret)
{
	char folder[] = "/tmp/fieldline-test-XXXXXX";
	auto_text struct text command = {}, path = {};
	struct error *err;
	bool fine;

	assert_non_null(mkdtemp(folder));
	text_printf(&path, "%s/a.s", folder);
	err = file_write(path.chars, source, strlen(source));
	assert_null(err);
	text_printf(&command, "cd %s && as --64 -o a.o a.s && objcopy -O binary -j .text a.o a.bin",
		    folder);
	fine = !system(command.chars);
	text_clear(&path);
	text_printf(&path, "%s/a.bin", folder);
	if (fine)
		err = file_read(path.chars, ret);
	text_clear(&command);
	text_printf(&command, "rm -r %s", folder);
	assert_int_equal(system(command.chars), 0);
	assert_null(err);
	return fine;
}

static void check_memory(const struct expected *row, const struct insn *insn)
{
	const struct operand *operand;

	if (!row->access) {
		assert_int_equal(insn->memory, -1);
		return;
	}
	assert_true(insn->memory >= 0);
	operand = &insn->operands[insn->memory];
	assert_int_equal(operand->base, row->base);
	assert_int_equal(operand->index, row->index);
	if (row->index != NONE)
		assert_int_equal(operand->scale, row->scale);
	assert_int_equal(operand->value, row->displacement);
	assert_int_equal(operand->segment, row->segment);
	if (*row->access)
		assert_int_equal(operand->size, row->size);
	assert_int_equal(operand->is_load, strchr(row->access, 'r') != NULL);
	assert_int_equal(operand->is_store, strchr(row->access, 'w') != NULL);
	assert_int_equal(insn->is_locked, strchr(row->access, 'l') != NULL);
}

static void instructions_do_what_the_manual_says(void **state)
{
	struct insn_decoder *decoder = *state;
	auto_text struct text source = {};
	struct file file = {};
	const uint8_t *at;
	size_t left;

	for (size_t i = 0; i < array_size(rows); i++)
		text_printf(&source, "%s\n", rows[i].source);
	if (!assemble(source.chars, &file))
		skip();
	at = file.data;
	left = file.size;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct insn insn;

		print_message("%s\n", rows[i].source);
		assert_true(insn_decode(decoder, at, left, 0x1000, &insn));
		assert_int_equal(insn.kind, rows[i].kind);
		assert_int_equal(insn.written, rows[i].written);
		check_memory(&rows[i], &insn);
		at += insn.size;
		left -= insn.size;
	}
	assert_int_equal(left, 0);
	file_deinit(&file);
}

static void control_goes_where_the_label_is(void **state)
{
	static const struct {
		const char *source;
		enum insn_flow flow;
		uint64_t target; /* from 0x1000, where each is decoded */
	} flows[] = {
		{ "jmp .+0x20", FLOW_JUMP, 0x1020 },
		{ "je .+0x10", FLOW_BRANCH, 0x1010 },
		{ "call .-0x40", FLOW_CALL, 0xfc0 },
		{ "jmp *%rax", FLOW_JUMP_INDIRECT, 0 },
		{ "call *8(%rdi)", FLOW_CALL_INDIRECT, 0 },
		{ "ret", FLOW_RETURN, 0 },
		{ "iretq", FLOW_RETURN, 0 },
		{ "ud2", FLOW_TRAP, 0 },
		{ "hlt", FLOW_NEXT, 0 },
		{ "nop", FLOW_NEXT, 0 },
	};
	auto_text struct text source = {};
	struct file file = {};
	const uint8_t *at;
	size_t left;

	for (size_t i = 0; i < array_size(flows); i++)
		text_printf(&source, "%s\n", flows[i].source);
	if (!assemble(source.chars, &file))
		skip();
	at = file.data;
	left = file.size;
	for (size_t i = 0; i < array_size(flows); i++) {
		struct insn insn;

		print_message("%s\n", flows[i].source);
		assert_true(insn_decode(*state, at, left, 0x1000, &insn));
		assert_int_equal(insn.flow, flows[i].flow);
		assert_int_equal(insn.target, flows[i].target);
		at += insn.size;
		left -= insn.size;
	}
	file_deinit(&file);
}

static void rip_relative_operands_are_addresses(void **state)
{
	/* mov 0x10(%rip), %rax, 7 bytes */
	static const uint8_t bytes[] = { 0x48, 0x8b, 0x05, 0x10, 0, 0, 0 };
	struct insn insn;

	assert_true(insn_decode(*state, bytes, sizeof(bytes), 0xffffffff81000000, &insn));
	assert_int_equal(insn.operands[1].base, REG_RIP);
	assert_int_equal((uint64_t)insn.operands[1].value, 0xffffffff81000017);
}

static void what_goes_on_behind_its_operand_is_known(void **state)
{
	static const struct {
		uint8_t bytes[5];
		bool is_repeated;
	} cases[] = {
		{ { 0xf3, 0x48, 0xa5 }, true },		    /* rep movsq */
		{ { 0x48, 0xa5 }, false },		    /* movsq */
		{ { 0x48, 0x0f, 0xae, 0x40, 0x40 }, true }, /* fxsave64 0x40(%rax) */
		{ { 0x0f, 0xae, 0x08 }, true },		    /* fxrstor (%rax) */
		{ { 0x0f, 0xae, 0x18 }, false },	    /* stmxcsr (%rax) */
	};
	struct insn insn;

	for (size_t i = 0; i < array_size(cases); i++) {
		assert_true(
			insn_decode(*state, cases[i].bytes, sizeof(cases[i].bytes), 0x1000, &insn));
		assert_int_equal(insn.is_repeated, cases[i].is_repeated);
	}
}

static void bytes_that_are_cut_off_are_no_instruction(void **state)
{
	static const uint8_t bytes[] = { 0x48, 0x8b, 0x05, 0x10, 0, 0, 0 };
	struct insn insn;

	for (size_t nr = 0; nr < sizeof(bytes); nr++)
		assert_false(insn_decode(*state, bytes, nr, 0, &insn));
	assert_null(insn_print(*state, bytes, 3, 0));
}

static bool is_same_operand(const struct operand *a, const struct operand *b)
{
	return a->kind == b->kind && a->size == b->size && a->reg == b->reg && a->base == b->base &&
	       a->index == b->index && a->scale == b->scale && a->segment == b->segment &&
	       a->is_load == b->is_load && a->is_store == b->is_store && a->value == b->value;
}

static bool is_same(const struct insn *a, const struct insn *b)
{
	for (unsigned int i = 0; i < a->nr_operands; i++) {
		if (!is_same_operand(&a->operands[i], &b->operands[i]))
			return false;
	}
	return a->address == b->address && a->target == b->target && a->written == b->written &&
	       a->size == b->size && a->kind == b->kind && a->flow == b->flow &&
	       a->nr_operands == b->nr_operands && a->memory == b->memory &&
	       a->is_locked == b->is_locked && a->is_repeated == b->is_repeated &&
	       a->if_zero == b->if_zero && a->if_not_zero == b->if_not_zero;
}

/* Where Capstone 4.0 errs, or says what nobody asks. */
static void correct(struct insn *insn, const uint8_t *bytes)
{
	/* It extends some bytes (cmp, sbb, locked add) by their sign beyond the operand. */
	for (unsigned int i = 0; i < insn->nr_operands; i++) {
		struct operand *operand = &insn->operands[i];

		if (operand->kind == OPERAND_IMMEDIATE && operand->size < 8 &&
		    insn->flow == FLOW_NEXT)
			operand->value &= (int64_t)(UINT64_MAX >> (64 - 8 * operand->size));
	}
	/* test does not write (SDM, volume 2, TEST), cdq writes edx alone. */
	if (insn->kind == INSN_TEST)
		insn->written = 0;
	if (bytes[insn->size - 1] == 0x99 && !insn->nr_operands)
		insn->written = B(RDX);
}

extern const uint8_t __etext[];

/* The code of this very program and of what is linked to it. */
static void by_hand_is_decoded_what_capstone_decodes(void **state)
{
	const uint8_t *at = (const uint8_t *)(uintptr_t)insn_decode_plain;
	size_t nr = 0, nr_plain = 0;

	while (at < __etext) {
		size_t left = (size_t)(__etext - at);
		struct insn plain, other;
		bool is_plain = insn_decode_plain(at, left, (uintptr_t)at, &plain);

		if (!insn_decode_other(*state, at, left, (uintptr_t)at, &other)) {
			assert_false(is_plain);
			at++;
			continue;
		}
		correct(&other, at);
		if (is_plain && !is_same(&plain, &other)) {
			auto_free char *text = insn_print(*state, at, left, (uintptr_t)at);

			fail_msg("%s is read as something else", text);
		}
		nr++;
		nr_plain += is_plain;
		at += other.size;
	}
	assert_true(nr > 1000);
	assert_true(nr_plain > nr - nr / 10);
}

static int make_decoder(void **state)
{
	struct insn_decoder *decoder;
	struct error *err = insn_decoder_create(&decoder);

	if (err) {
		print_message("%s\n", error_message(err));
		error_destroy(err);
		exit(77);
	}
	*state = decoder;
	return 0;
}

static int free_decoder(void **state)
{
	insn_decoder_destroy(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_do_what_the_manual_says),
		cmocka_unit_test(control_goes_where_the_label_is),
		cmocka_unit_test(rip_relative_operands_are_addresses),
		cmocka_unit_test(by_hand_is_decoded_what_capstone_decodes),
		cmocka_unit_test(what_goes_on_behind_its_operand_is_known),
		cmocka_unit_test(bytes_that_are_cut_off_are_no_instruction),
	};

	return cmocka_run_group_tests(tests, make_decoder, free_decoder);
}
