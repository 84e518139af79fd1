/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/data_src.h"
#include "unit/trace/read_back.h"

static void read_text(struct read_back *back, const char *text)
{
	read_back_bytes(back, text, strlen(text));
}

/* The one sample of a line, behind the name of its command. */
static struct sample sample_of(const char *line)
{
	auto_read_back struct read_back back;
	struct item *last;

	read_text(&back, line);
	assert_string_equal(back.error, "");
	assert_true(back.nr > 0);
	last = &back.items[back.nr - 1];
	assert_int_equal(last->kind, ITEM_SAMPLE);
	return last->sample;
}

#define WORDS "|OP LOAD|LVL L3 hit|SNP HitM|TLB L1 hit|LCK Yes|BLK  N/A"

static void a_line_with_all_fields_is_read(void **state)
{
	struct sample sample = sample_of(
		"         fio job   100/101   [003]     7.001000:          5 cpu/mem-loads,ldlat=30/P: "
		"ffff888012340000        2a800842 " WORDS "             77 ffffffff81001000 "
		"blkdev_get+0x10 ([kernel.kallsyms])            1234\n");

	(void)state;
	assert_int_equal(sample.pid, 100);
	assert_int_equal(sample.tid, 101);
	assert_int_equal(sample.cpu, 3);
	assert_int_equal(sample.time_ns, 7001000000);
	assert_int_equal(sample.period, 5);
	assert_int_equal(sample.addr, 0xffff888012340000);
	assert_int_equal(sample.data_src, 0x2a800842);
	assert_int_equal(sample.weight, 77);
	assert_int_equal(sample.ip, 0xffffffff81001000);
	assert_int_equal(sample.phys_addr, 0x1234);
	assert_int_equal(sample.has, 0xff);
	assert_int_equal(sample.misc, 1);
}

/* As they differ by version (5.10, 6.0 to 6.2, 2026) and by what was asked for. */
static void fields_that_are_missing_or_more_do_no_harm(void **state)
{
	const struct {
		const char *line;
		uint64_t addr, data_src, ip;
		uint32_t weight;
	} cases[] = {
		{ "a 1 [000] 1.000001000: loads: ffff888000000008 68100142 |OP LOAD|LVL L1 or L1 hit|SNP "
		  "None|TLB L1 or L2 hit|LCK No   12 ffffffff81000001 f ([kernel.kallsyms])",
		  0xffff888000000008, 0x68100142, 0xffffffff81000001, 12 },
		{ "a 1 [000] 1.000001: loads: 10 5 |OP LOAD|LVL LFB/MAB or LFB/MAB hit|SNP N/A|TLB N/A|LCK "
		  "No|BLK    N/A  12  34  401000 add (/bin/x)",
		  0x10, 5, 0x401000, 12 },
		{ "a 1 [000] 1.000001: loads: 10 5 |OP STORE SIMD|LVL L1 miss|SNP N/A|TLB N/A|LCK No|BLK "
		  "Data Addr|AFF PRED SG  12 ffffffff81000001",
		  0x10, 5, 0xffffffff81000001, 12 },
		{ "a 1 [000] 1.000001: loads: 10 5 " WORDS " ffffffff81000001", 0x10, 5,
		  0xffffffff81000001, 0 },
		{ "a 1 1.000001: 10 5 " WORDS " 12 ffffffff81000001", 0x10, 5, 0xffffffff81000001,
		  12 },
		{ "loads: 10 5 " WORDS " 12 ffffffff81000001", 0x10, 5, 0xffffffff81000001, 12 },
		{ "a 1 [000] 1.000001: 1 loads: 10 5 " WORDS, 0x10, 5, 0, 0 },
		{ "a 1 [000] 1.000001: 1 loads: 10 5 |OP LOAD|LVL cut of|LC  12 ffffffff81000001",
		  0x10, 5, 0xffffffff81000001, 12 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		struct sample sample = sample_of(cases[i].line);

		assert_int_equal(sample.addr, cases[i].addr);
		assert_int_equal(sample.data_src, cases[i].data_src);
		assert_int_equal(sample.ip, cases[i].ip);
		assert_int_equal(sample.weight, cases[i].weight);
		assert_int_equal(sample.period, 1);
	}
}

static void events_and_commands_are_told_once(void **state)
{
	auto_read_back struct read_back back;

	(void)state;
	read_text(&back, "# a comment\n"
			 "my job 1/2 [000] 1.0: loads: 10 5 " WORDS " 12 401000\n"
			 "my job 1/2 [000] 2.0: stores: 18 5 " WORDS " 12 401000\n"
			 "\n"
			 "other 1/2 [000] 3.0: loads: 10 5 " WORDS " 12 401000\n");
	assert_int_equal(back.nr, 5);
	assert_int_equal(back.items[0].kind, ITEM_COMM);
	assert_string_equal(back.items[0].comm.name, "my job");
	assert_int_equal(back.items[0].comm.tid, 2);
	assert_int_equal(back.items[1].sample.event, 0);
	assert_int_equal(back.items[2].sample.event, 1);
	assert_string_equal(back.items[3].comm.name, "other");
	assert_int_equal(back.items[4].sample.event, 0);
	assert_int_equal(recording_about(back.recording)->events.nr, 2);
	assert_string_equal(recording_about(back.recording)->events.items[1].name, "stores");
	assert_int_equal(recording_counts(back.recording)->nr_skipped, 0);
}

static void lines_without_a_data_source_are_counted_and_told(void **state)
{
	auto_read_back struct read_back back;
	const struct recording_note *note;

	(void)state;
	read_text(&back, "perf 1 [000] 1.0: cycles: ffffffff81000001 f (k)\nmore\n");
	assert_int_equal(back.nr, 0);
	assert_int_equal(recording_counts(back.recording)->nr_skipped, 2);
	note = find_note(&back, "no memory samples");
	assert_non_null(note);
	assert_int_equal(note->nr, 2);
}

/* A line that never ends must not be gathered in memory. */
static void a_line_longer_than_any_is_taken_in_pieces(void **state)
{
	auto_read_back struct read_back back;
	size_t nr = 300000;
	char *text = malloc(nr + 200);

	(void)state;
	memset(text, 'x', nr);
	strcpy(text + nr, "\na 1 [000] 1.0: loads: 10 5 " WORDS " 12 401000\n");
	read_back_bytes(&back, text, strlen(text));
	free(text);
	assert_int_equal(back.nr, 2);
	assert_int_equal(back.items[1].sample.addr, 0x10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_with_all_fields_is_read),
		cmocka_unit_test(fields_that_are_missing_or_more_do_no_harm),
		cmocka_unit_test(events_and_commands_are_told_once),
		cmocka_unit_test(lines_without_a_data_source_are_counted_and_told),
		cmocka_unit_test(a_line_longer_than_any_is_taken_in_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
