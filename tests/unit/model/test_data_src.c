/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/perf_event.h>

#include "model/data_src.h"

static void every_field_lies_where_the_kernel_has_it(void **state)
{
	const union perf_mem_data_src kernel = {
		.mem_op = PERF_MEM_OP_STORE,
		.mem_lvl = PERF_MEM_LVL_REM_CCE2 | PERF_MEM_LVL_MISS,
		.mem_snoop = PERF_MEM_SNOOP_HITM,
		.mem_lock = PERF_MEM_LOCK_LOCKED,
		.mem_dtlb = PERF_MEM_TLB_OS | PERF_MEM_TLB_L1,
		.mem_lvl_num = PERF_MEM_LVLNUM_PMEM,
		.mem_remote = 1,
		.mem_snoopx = PERF_MEM_SNOOPX_PEER,
		.mem_blk = PERF_MEM_BLK_ADDR,
		.mem_hops = PERF_MEM_HOPS_3,
	};
	const struct data_src_parts ours = {
		.op = OP_STORE,
		.level = LEVEL_REMOTE_CACHE2 | LEVEL_MISS,
		.snoop = SNOOP_HITM,
		.lock = LOCK_LOCKED,
		.tlb = TLB_OS | TLB_L1,
		.level_number = LEVEL_NUMBER_PMEM,
		.remote = 1,
		.snoopx = SNOOPX_PEER,
		.block = BLOCK_ADDRESS,
		.hops = HOPS_BOARD,
	};

	(void)state;
	assert_int_equal(data_src_make(&ours), kernel.val);
	assert_int_equal(data_src_op(kernel.val), ours.op);
	assert_int_equal(data_src_level(kernel.val), ours.level);
	assert_int_equal(data_src_snoop(kernel.val), ours.snoop);
	assert_int_equal(data_src_lock(kernel.val), ours.lock);
	assert_int_equal(data_src_tlb(kernel.val), ours.tlb);
	assert_int_equal(data_src_level_number(kernel.val), ours.level_number);
	assert_int_equal(data_src_remote(kernel.val), ours.remote);
	assert_int_equal(data_src_snoopx(kernel.val), ours.snoopx);
	assert_int_equal(data_src_block(kernel.val), ours.block);
	assert_int_equal(data_src_hops(kernel.val), ours.hops);
}

static void it_is_described_in_words(void **state)
{
	const struct {
		uint64_t data_src;
		bool is_arm;
		const char *words;
	} cases[] = {
		{ 0, false, "nothing told" },
		{ data_src_none(), false, "nothing told" },
		{ 0x2a800842, false, "load, L3, hit, HITM, locked, TLB hit, L1 TLB" },
		{ 0x144, false, "store, L1, hit" },
		/* Only the newer name space is filled in. */
		{ (uint64_t)LEVEL_NUMBER_CXL << 33 | LEVEL_HIT << 5 | OP_LOAD, false,
		  "load, CXL, hit" },
		{ 1ull << 37 | 1ull << 43 | OP_LOAD, false, "load, another core of the node" },
		{ 1ull << 37 | OP_LOAD, false, "load, remote" },
		/* The same bits on Arm and elsewhere. */
		{ 5ull << 46 | 1ull << 53 | OP_LOAD, true, "load, SIMD, atomic" },
		{ 5ull << 46 | OP_LOAD, false, "load, shared cache of another agent" },
		{ 10ull << 46 | OP_LOAD, false, "load, memory region 2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		auto_text struct text text = {};

		data_src_describe(&text, cases[i].data_src, cases[i].is_arm);
		assert_string_equal(text_chars(&text), cases[i].words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_lies_where_the_kernel_has_it),
		cmocka_unit_test(it_is_described_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
