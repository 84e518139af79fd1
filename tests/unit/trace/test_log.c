/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/made_recording.h"
#include "trace/log.h"
#include "trace/log_format.h"
#include "trace/pack.h"
#include "unit/trace/every_item.h"
#include "unit/trace/read_back.h"

static void what_is_written_is_read_and_nothing_is_lost(void **state)
{
	struct recording_about about;
	struct item items[EVERY_ITEM_MAX];
	size_t nr = every_item(items);
	auto_read_back struct read_back back;
	struct log_writer *writer;
	char path[64];

	(void)state;
	every_about(&about);
	write_file(path, "", 0);
	assert_null(log_writer_create(path, &about, &writer));
	for (size_t i = 0; i < nr; i++)
		log_writer_add(writer, &items[i]);
	assert_null(log_writer_finish(writer));
	read_back_path(&back, path, false);
	unlink(path);
	assert_string_equal(back.error, "");
	assert_int_equal(back.nr, nr);
	for (size_t i = 0; i < nr; i++)
		assert_same_item(&items[i], &back.items[i]);
	assert_same_about(&about, recording_about(back.recording));
	assert_int_equal(recording_counts(back.recording)->nr_lost, 12345678901);
	about_deinit(&about);
}

static void begin_log(struct pack *log)
{
	uint8_t header[LOG_HEADER_BYTES];

	log_put_header(header);
	pack_bytes(log, header, sizeof(header));
}

static void put_access(struct pack *log, struct log_last *last, const struct log_access *access)
{
	uint8_t record[LOG_RECORD_MAX];

	pack_bytes(log, record, log_put_access(record, last, access));
}

/* What an emulator tells is turned into what a PMU would have told. */
static void outcomes_become_data_sources(void **state)
{
	const struct {
		uint32_t kind;
		uint32_t outcome;
		struct data_src_parts parts;
	} cases[] = {
		{ LOG_LOAD, LOG_HIT, { OP_LOAD, LEVEL_HIT | LEVEL_L1, SNOOP_NONE } },
		{ LOG_LOAD, LOG_HITM_LOCAL, { OP_LOAD, LEVEL_HIT | LEVEL_L3, SNOOP_HITM } },
		{ LOG_LOAD | LOG_STORE | LOG_LOCKED,
		  LOG_HITM_REMOTE,
		  { OP_LOAD, LEVEL_HIT | LEVEL_REMOTE_CACHE1, SNOOP_HITM, LOCK_LOCKED } },
		{ LOG_STORE, LOG_HIT, { OP_STORE, LEVEL_HIT | LEVEL_L1, SNOOP_NONE } },
		{ LOG_STORE, LOG_UPGRADE, { OP_STORE, LEVEL_HIT | LEVEL_L1, SNOOP_HIT } },
		{ LOG_STORE, LOG_HITM_LOCAL, { OP_STORE, LEVEL_MISS | LEVEL_L1, SNOOP_HITM } },
		{ LOG_STORE, LOG_MEMORY, { OP_STORE, LEVEL_MISS | LEVEL_L1, SNOOP_MISS } },
		{ LOG_LOAD, 99, { OP_LOAD, LEVEL_NA, SNOOP_NA } },
	};
	auto_read_back struct read_back back;
	struct log_last last = {};
	struct pack log = {};

	(void)state;
	begin_log(&log);
	for (size_t i = 0; i < array_size(cases); i++)
		put_access(&log, &last,
			   &(struct log_access){ .has = LOG_HAS_OUTCOME,
						 .kind = cases[i].kind,
						 .outcome = cases[i].outcome });
	read_back_bytes(&back, log.items, log.nr);
	vec_deinit(&log);
	assert_int_equal(back.nr, array_size(cases));
	for (size_t i = 0; i < array_size(cases); i++) {
		struct data_src_parts parts = cases[i].parts;

		parts.tlb = TLB_NA;
		assert_int_equal(back.items[i].sample.data_src, data_src_make(&parts));
	}
}

static void numbers_of_any_size_and_direction_survive_their_deltas(void **state)
{
	const uint64_t numbers[] = { 0,		1, UINT64_MAX, 127, 128, 1ull << 63,
				     INT64_MAX, 5, 4,	       3,   0,	 0xffff888000000000 };
	auto_read_back struct read_back back;
	struct log_last last = {};
	struct pack log = {};

	(void)state;
	begin_log(&log);
	for (size_t i = 0; i < array_size(numbers); i++)
		put_access(&log, &last,
			   &(struct log_access){ .has = LOG_HAS_IP | LOG_HAS_ADDR | LOG_HAS_TIME,
						 .ip = numbers[i],
						 .addr = ~numbers[i],
						 .time_ns = numbers[i] / 2 });
	read_back_bytes(&back, log.items, log.nr);
	vec_deinit(&log);
	assert_int_equal(back.nr, array_size(numbers));
	for (size_t i = 0; i < array_size(numbers); i++) {
		assert_int_equal(back.items[i].sample.ip, numbers[i]);
		assert_int_equal(back.items[i].sample.addr, ~numbers[i]);
		assert_int_equal(back.items[i].sample.time_ns, numbers[i] / 2);
	}
}

static void types_and_members_of_the_future_are_stepped_over(void **state)
{
	auto_read_back struct read_back back;
	struct log_last last = {};
	struct pack log = {};
	uint8_t record[LOG_RECORD_MAX];
	size_t nr;

	(void)state;
	begin_log(&log);
	pack_bytes(&log, record, log_end_record(record, (enum log_type)100, 0));
	/* A record of a known type with more in it than this program knows. */
	nr = log_put_number(record + 2, 7);
	nr += log_put_number(record + 2 + nr, 12345);
	pack_bytes(&log, record, log_end_record(record, LOG_LOST, nr));
	put_access(&log, &last, &(struct log_access){ .has = LOG_HAS_ADDR, .addr = 0x1000 });
	read_back_bytes(&back, log.items, log.nr);
	vec_deinit(&log);
	assert_int_equal(back.nr, 2);
	assert_int_equal(back.items[0].nr_lost, 7);
	assert_int_equal(back.items[1].sample.addr, 0x1000);
	assert_int_equal(recording_counts(back.recording)->nr_skipped, 1);
}

/* Longer than the one byte of length that is left room for. */
static void a_long_payload_is_moved_behind_its_length(void **state)
{
	auto_read_back struct read_back back;
	uint8_t record[1000];
	struct pack log = {};
	char name[600];
	size_t nr = 0;

	(void)state;
	memset(name, 'x', sizeof(name));
	begin_log(&log);
	for (unsigned int i = 0; i < 3; i++)
		nr += log_put_number(record + 2 + nr, i); /* pid, tid, no exec */
	nr += log_put_string(record + 2 + nr, name, sizeof(name), sizeof(record) - nr);
	pack_bytes(&log, record, log_end_record(record, LOG_COMM, nr));
	read_back_bytes(&back, log.items, log.nr);
	vec_deinit(&log);
	assert_int_equal(back.nr, 1);
	assert_int_equal(strlen(back.items[0].comm.name), sizeof(name));
}

static void a_log_cut_anywhere_is_read_up_to_there(void **state)
{
	struct log_last last = {};
	struct pack log = {};
	size_t ends[3];

	(void)state;
	begin_log(&log);
	for (unsigned int i = 0; i < 3; i++) {
		put_access(&log, &last,
			   &(struct log_access){ .has = LOG_HAS_ADDR | LOG_HAS_IP,
						 .addr = 0xffff888000000000 + i });
		ends[i] = log.nr;
	}
	for (size_t nr = LOG_HEADER_BYTES; nr <= log.nr; nr++) {
		auto_read_back struct read_back back;
		size_t whole = (nr >= ends[0]) + (nr >= ends[1]) + (nr >= ends[2]);
		bool cut = nr != LOG_HEADER_BYTES && (!whole || nr != ends[whole - 1]);

		read_back_bytes(&back, log.items, nr);
		assert_int_equal(back.nr, whole);
		assert_int_equal(recording_counts(back.recording)->is_truncated, cut);
	}
	vec_deinit(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_and_nothing_is_lost),
		cmocka_unit_test(outcomes_become_data_sources),
		cmocka_unit_test(numbers_of_any_size_and_direction_survive_their_deltas),
		cmocka_unit_test(types_and_members_of_the_future_are_stepped_over),
		cmocka_unit_test(a_long_payload_is_moved_behind_its_length),
		cmocka_unit_test(a_log_cut_anywhere_is_read_up_to_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
