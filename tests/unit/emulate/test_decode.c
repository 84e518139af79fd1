/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "emulate/decode.h"

static struct decoded decode_hex(const char *hex)
{
	uint8_t bytes[16];
	size_t nr = strlen(hex) / 2;

	for (size_t i = 0; i < nr; i++) {
		unsigned int byte;

		sscanf(hex + 2 * i, "%2x", &byte);
		bytes[i] = (uint8_t)byte;
	}
	return decode(bytes, nr);
}

/* Encodings as GNU as makes them. */
static void locked_and_exchanging_instructions_are_atomic(void **state)
{
	(void)state;
	assert_true(decode_hex("f0ff07").is_atomic);	  /* lock incl (%rdi) */
	assert_true(decode_hex("f0480fb117").is_atomic);  /* lock cmpxchg %rdx,(%rdi) */
	assert_true(decode_hex("8707").is_atomic);	  /* xchg %eax,(%rdi) */
	assert_true(decode_hex("654c8707").is_atomic);	  /* xchg %r8,%gs:(%rdi) */
	assert_false(decode_hex("4893").is_atomic);	  /* xchg %rax,%rbx */
	assert_false(decode_hex("4887d8").is_atomic);	  /* xchg %rbx,%rax, long form */
	assert_false(decode_hex("ff07").is_atomic);	  /* incl (%rdi) */
	assert_false(decode_hex("65480fc70f").is_atomic); /* cmpxchg16b %gs:(%rdi) */
}

static void moves_of_sixteen_bytes_are_wide(void **state)
{
	(void)state;
	assert_true(decode_hex("65480fc70f").is_wide);	 /* cmpxchg16b %gs:(%rdi) */
	assert_true(decode_hex("f0490fc70c24").is_wide); /* lock cmpxchg16b (%r12) */
	assert_true(decode_hex("0f2807").is_wide);	 /* movaps (%rdi),%xmm0 */
	assert_true(decode_hex("f30f7f07").is_wide);	 /* movdqu %xmm0,(%rdi) */
	assert_false(decode_hex("0f28c1").is_wide);	 /* movaps %xmm1,%xmm0 */
	assert_false(decode_hex("f00fc70f").is_wide);	 /* lock cmpxchg8b (%rdi) */
	assert_false(decode_hex("488b07").is_wide);	 /* mov (%rdi),%rax */
	assert_false(decode_hex("480fc727").is_wide);	 /* xsavec64 (%rdi) */
}

static void marks_are_told_from_other_nops(void **state)
{
	(void)state;
	assert_int_equal(decode_hex("0f1f80012c0cc2").mark, 1);
	assert_int_equal(decode_hex("0f1f80022c0cc2").mark, 2);
	assert_int_equal(decode_hex("0f1f8000000000").mark, 0);
	assert_int_equal(decode_hex("0f1f80012c0cc3").mark, 0);
}

static void bytes_that_end_early_are_nothing(void **state)
{
	(void)state;
	assert_false(decode_hex("").is_atomic);
	assert_false(decode_hex("66").is_atomic);
	assert_true(decode_hex("f0").is_atomic);
	assert_false(decode_hex("87").is_atomic);
	assert_false(decode_hex("0f28").is_wide);
	assert_false(decode_hex("48").is_wide);
}

static void calls_and_returns_are_known(void **state)
{
	(void)state;
	assert_true(decode_hex("e800000000").is_call);	  /* call */
	assert_true(decode_hex("ffd0").is_call);	  /* call *%rax */
	assert_true(decode_hex("41ff5308").is_call);	  /* call *8(%r11) */
	assert_false(decode_hex("ff25e8000000").is_call); /* jmp *0xe8(%rip) */
	assert_false(decode_hex("ff33").is_call);	  /* push (%rbx) */
	assert_false(decode_hex("e9e8000000").is_call);	  /* jmp */
	assert_true(decode_hex("c3").is_return);	  /* ret */
	assert_true(decode_hex("f3c3").is_return);	  /* rep ret */
	assert_false(decode_hex("e8c3000000").is_return); /* call */
	assert_false(decode_hex("48cf").is_return);	  /* iretq, which pops no call's */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_and_returns_are_known),
		cmocka_unit_test(locked_and_exchanging_instructions_are_atomic),
		cmocka_unit_test(moves_of_sixteen_bytes_are_wide),
		cmocka_unit_test(marks_are_told_from_other_nops),
		cmocka_unit_test(bytes_that_end_early_are_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
