/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emulate/frames.h"

#define STACK_END 0xffffc90000008000ull

enum { OUTER_CALL = 0x100, INNER_CALL = 0x200, HERE = 0x300 };

static int teardown(void **state)
{
	frames_deinit(*state);
	free(*state);
	return 0;
}

static int setup(void **state)
{
	*state = memory_alloc(1, sizeof(struct frames));
	return 0;
}

static void note(struct frames *frames, enum coherence_kind kind, uint64_t address, uint64_t ip,
		 bool is_call, bool is_return)
{
	const struct coherence_access access = { .address = address,
						 .size = 8,
						 .kind = (uint8_t)kind };

	frames_note(frames, &access, ip, is_call, is_return);
}

/* A function is entered that has called another one, 64 bytes further down. */
static void call_two(struct frames *frames)
{
	note(frames, COHERENCE_STORE, STACK_END - 16, OUTER_CALL, true, false);
	note(frames, COHERENCE_STORE, STACK_END - 80, INNER_CALL, true, false);
	note(frames, COHERENCE_LOAD, STACK_END - 40, HERE, false, false);
}

static void an_address_lies_in_the_frame_of_who_called(void **state)
{
	struct frame frame;

	call_two(*state);
	assert_true(frames_find(*state, STACK_END - 40, &frame));
	/* The outer function's: it is at the call of the inner one. */
	assert_int_equal(frame.ip, INNER_CALL);
	assert_int_equal(frame.distance, 40 - 8);
	assert_int_equal(frame.size, 72 - 8);
	assert_true(frames_find(*state, STACK_END - 96, &frame));
	assert_int_equal(frame.ip, HERE);
	assert_int_equal(frame.distance, 96 - 72);
	assert_int_equal(frame.size, 0);
	assert_false(frames_find(*state, STACK_END - 8, &frame));
	assert_false(frames_find(*state, STACK_END + 8, &frame));
}

static void who_has_returned_has_no_frame(void **state)
{
	struct frame frame;

	call_two(*state);
	note(*state, COHERENCE_LOAD, STACK_END - 80, HERE, false, true);
	assert_true(frames_find(*state, STACK_END - 96, &frame));
	assert_int_equal(frame.ip, HERE);
	assert_int_equal(frame.distance, 96 - 8);
}

static void what_is_written_over_is_no_return_address(void **state)
{
	struct frame frame;

	call_two(*state);
	/* A call that reads its target there does not. */
	note(*state, COHERENCE_LOAD, STACK_END - 80, HERE, true, false);
	assert_true(frames_find(*state, STACK_END - 96, &frame));
	assert_int_equal(frame.distance, 96 - 72);
	note(*state, COHERENCE_STORE, STACK_END - 84, HERE, false, false);
	assert_true(frames_find(*state, STACK_END - 96, &frame));
	assert_int_equal(frame.distance, 96 - 8);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_address_lies_in_the_frame_of_who_called, setup,
						teardown),
		cmocka_unit_test_setup_teardown(who_has_returned_has_no_frame, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_written_over_is_no_return_address, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
