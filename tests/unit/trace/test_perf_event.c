/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/made_perf.h"
#include "support/made_recording.h"
#include "trace/perf_event.h"

#define FORMAT_LOST (1u << 4)
#define NR_TYPES 25 /* bits of sample_type that Linux 6.1 knows */

static struct perf_event parse_attr(const struct made_attr *attr, bool big_endian)
{
	struct pack pack = { .big_endian = big_endian };
	struct recorded_event about = {};
	struct perf_event event;
	struct bytes bytes;

	made_attr(&pack, attr);
	bytes = bytes_over(pack.items, pack.nr, big_endian);
	perf_event_parse(&bytes, &event, &about);
	vec_deinit(&pack);
	return event;
}

static void pack_read(struct pack *pack, uint64_t format, uint64_t nr)
{
	bool group = format & PERF_FORMAT_GROUP;

	pack_u64(pack, group ? nr : 99); /* of one counter the value goes first */
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		pack_u64(pack, 1);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		pack_u64(pack, 2);
	for (uint64_t i = 0; i < (group ? nr : 1); i++) {
		if (group)
			pack_u64(pack, 99);
		if (format & PERF_FORMAT_ID)
			pack_u64(pack, 5);
		if (format & FORMAT_LOST)
			pack_u64(pack, 0);
	}
}

/* A sample's body as the kernel lays it out (perf_event_open(2), PERF_RECORD_SAMPLE). */
static void pack_body(struct pack *pack, const struct made_attr *attr, struct made_random *random)
{
	uint64_t type = attr->sample_type;
	uint64_t nr;

	if (type & PERF_SAMPLE_IDENTIFIER)
		pack_u64(pack, 5);
	if (type & PERF_SAMPLE_IP)
		pack_u64(pack, 0x1111);
	if (type & PERF_SAMPLE_TID) {
		pack_u32(pack, 100);
		pack_u32(pack, 101);
	}
	if (type & PERF_SAMPLE_TIME)
		pack_u64(pack, 0x2222);
	if (type & PERF_SAMPLE_ADDR)
		pack_u64(pack, 0x3333);
	if (type & PERF_SAMPLE_ID)
		pack_u64(pack, 5);
	if (type & PERF_SAMPLE_STREAM_ID)
		pack_u64(pack, 6);
	if (type & PERF_SAMPLE_CPU) {
		pack_u32(pack, 7);
		pack_u32(pack, 0xdead);
	}
	if (type & PERF_SAMPLE_PERIOD)
		pack_u64(pack, 0x4444);
	if (type & PERF_SAMPLE_READ)
		pack_read(pack, attr->read_format, 1 + made_below(random, 3));
	if (type & PERF_SAMPLE_CALLCHAIN) {
		nr = made_below(random, 5);
		pack_u64(pack, nr);
		pack_zeros(pack, 8 * nr);
	}
	if (type & PERF_SAMPLE_RAW) {
		nr = 4 + 8 * made_below(random, 5); /* with the size a multiple of 8 */
		pack_u32(pack, (uint32_t)nr);
		pack_zeros(pack, nr);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK) {
		nr = made_below(random, 4);
		pack_u64(pack, nr);
		if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
			pack_u64(pack, 1);
		pack_zeros(pack, 24 * nr);
	}
	if (type & PERF_SAMPLE_REGS_USER) {
		nr = made_below(random, 2);
		pack_u64(pack, nr ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_NONE);
		pack_zeros(pack, nr * 8 * 3);
	}
	if (type & PERF_SAMPLE_STACK_USER) {
		nr = 8 * made_below(random, 4);
		pack_u64(pack, nr);
		pack_zeros(pack, nr);
		if (nr)
			pack_u64(pack, nr);
	}
	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		pack_u64(pack, 0x0003000200000001ull * 55);
	else if (type & PERF_SAMPLE_WEIGHT)
		pack_u64(pack, 55);
	if (type & PERF_SAMPLE_DATA_SRC)
		pack_u64(pack, 0x5555);
	if (type & PERF_SAMPLE_TRANSACTION)
		pack_u64(pack, 1);
	if (type & PERF_SAMPLE_REGS_INTR) {
		pack_u64(pack, PERF_SAMPLE_REGS_ABI_32);
		pack_zeros(pack, 8 * 2);
	}
	if (type & PERF_SAMPLE_PHYS_ADDR)
		pack_u64(pack, 0x6666);
}

static void check_sample(uint64_t type, const struct sample *sample)
{
	assert_int_equal(sample->ip, type & PERF_SAMPLE_IP ? 0x1111 : 0);
	assert_int_equal(sample->pid, type & PERF_SAMPLE_TID ? 100 : 0);
	assert_int_equal(sample->tid, type & PERF_SAMPLE_TID ? 101 : 0);
	assert_int_equal(sample->time_ns, type & PERF_SAMPLE_TIME ? 0x2222 : 0);
	assert_int_equal(sample->addr, type & PERF_SAMPLE_ADDR ? 0x3333 : 0);
	assert_int_equal(sample->cpu, type & PERF_SAMPLE_CPU ? 7 : 0);
	assert_int_equal(sample->period, type & PERF_SAMPLE_PERIOD ? 0x4444 : 1);
	assert_int_equal(sample->weight,
			 type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT) ? 55 : 0);
	assert_int_equal(sample->data_src, type & PERF_SAMPLE_DATA_SRC ? 0x5555 : data_src_none());
	assert_int_equal(sample->phys_addr, type & PERF_SAMPLE_PHYS_ADDR ? 0x6666 : 0);
	assert_int_equal(!!(sample->has & SAMPLE_HAS_DATA_SRC), !!(type & PERF_SAMPLE_DATA_SRC));
	assert_int_equal(!!(sample->has & SAMPLE_HAS_CPU), !!(type & PERF_SAMPLE_CPU));
}

static void any_sample_type_is_read_in_both_byte_orders(void **state)
{
	struct made_random random = { 1 };

	(void)state;
	for (unsigned int i = 0; i < 4000; i++) {
		struct made_attr attr = {
			.sample_type = made_number(&random) & ((1u << NR_TYPES) - 1),
			.read_format = made_number(&random) & 0x1f,
			.branch_sample_type =
				made_below(&random, 2) ? PERF_SAMPLE_BRANCH_HW_INDEX : 0,
			.user_registers = 0x15,
			.interrupt_registers = 0x3,
		};
		struct pack pack = { .big_endian = i % 2 };
		struct perf_event event;
		struct sample sample;
		struct perf_raw raw;
		struct bytes body;

		/* The two kinds of weight exclude each other. */
		if (attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
			attr.sample_type &= ~(uint64_t)PERF_SAMPLE_WEIGHT;
		event = parse_attr(&attr, pack.big_endian);
		pack_body(&pack, &attr, &random);
		body = bytes_over(pack.items, pack.nr, pack.big_endian);
		assert_true(perf_sample_parse(&event, &body, &sample, &raw));
		check_sample(attr.sample_type, &sample);
		assert_int_equal(bytes_left(&body), 0);
		vec_deinit(&pack);
	}
}

static void a_sample_that_is_cut_anywhere_is_refused(void **state)
{
	const struct made_attr attr = { .sample_type = (1u << NR_TYPES) - 1 - PERF_SAMPLE_WEIGHT -
						       PERF_SAMPLE_DATA_PAGE_SIZE -
						       PERF_SAMPLE_CODE_PAGE_SIZE -
						       PERF_SAMPLE_CGROUP - PERF_SAMPLE_AUX,
					.user_registers = 0x15,
					.interrupt_registers = 0x3 };
	struct perf_event event = parse_attr(&attr, false);
	struct made_random random = { 7 };
	struct pack pack = {};
	struct sample sample;
	struct perf_raw raw;

	(void)state;
	pack_body(&pack, &attr, &random);
	for (size_t nr = 0; nr < pack.nr; nr++) {
		struct bytes body = bytes_over(pack.items, nr, false);

		assert_false(perf_sample_parse(&event, &body, &sample, &raw));
	}
	vec_deinit(&pack);
}

/* Sizes that overflow when multiplied by what they count must not come round to a small one. */
static void a_count_beyond_the_sample_is_refused(void **state)
{
	const uint64_t counts[] = { 1ull << 61, UINT64_MAX, UINT64_MAX / 8 + 1 };
	const struct made_attr attr = { .sample_type =
						PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_DATA_SRC };
	struct perf_event event = parse_attr(&attr, false);

	(void)state;
	for (size_t i = 0; i < array_size(counts); i++) {
		struct pack pack = {};
		struct sample sample;
		struct perf_raw raw;
		struct bytes body;

		pack_u64(&pack, counts[i]);
		pack_zeros(&pack, 64);
		body = bytes_over(pack.items, pack.nr, false);
		assert_false(perf_sample_parse(&event, &body, &sample, &raw));
		vec_deinit(&pack);
	}
}

static struct perf_events two_events(uint64_t sample_type)
{
	const struct made_attr attr = { .sample_type = sample_type, .sample_id_all = true };
	const uint64_t ids[] = { 11, 22 };
	struct perf_events events = {};

	for (uint32_t i = 0; i < 2; i++) {
		struct bytes id = bytes_over(&ids[i], 8, false);

		*vec_add(&events.items) = parse_attr(&attr, false);
		perf_events_add_ids(&events, i, &id);
	}
	return events;
}

static bool event_of(struct perf_events *events, const uint64_t *words, size_t nr, uint32_t *ret)
{
	return perf_events_of_sample(events, bytes_over(words, nr * 8, false), ret);
}

static void a_sample_belongs_to_the_event_of_its_id(void **state)
{
	struct perf_events early = two_events(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP);
	struct perf_events late =
		two_events(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID);
	uint32_t event;

	(void)state;
	assert_true(event_of(&early, (uint64_t[]){ 22, 0 }, 2, &event));
	assert_int_equal(event, 1);
	assert_true(event_of(&late, (uint64_t[]){ 0, 0, 0, 22 }, 4, &event));
	assert_int_equal(event, 1);
	assert_true(event_of(&late, (uint64_t[]){ 0, 0, 0, 0 }, 4, &event));
	assert_int_equal(event, 0);
	assert_false(event_of(&late, (uint64_t[]){ 0, 0, 0, 33 }, 4, &event));
	perf_events_deinit(&early);
	perf_events_deinit(&late);
}

static void other_records_have_a_trailer_with_their_time(void **state)
{
	struct perf_events events =
		two_events(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			   PERF_SAMPLE_TIME | PERF_SAMPLE_CPU);
	const uint64_t words[] = { 1, 2, 3, /* trailer: */ 4, 1234, 5, 11 };
	struct perf_trailer trailer =
		perf_events_trailer(&events, bytes_over(words, sizeof(words), false));

	(void)state;
	assert_int_equal(trailer.size, 32);
	assert_int_equal(trailer.time_ns, 1234);
	trailer = perf_events_trailer(&events, bytes_over(words, 24, false));
	assert_int_equal(trailer.size, 0);
	events.items.items[0].sample_id_all = false;
	trailer = perf_events_trailer(&events, bytes_over(words, sizeof(words), false));
	assert_int_equal(trailer.size, 0);
	perf_events_deinit(&events);
}

static void flags_of_an_attr_lie_the_other_way_round_in_big_endian(void **state)
{
	const struct made_attr attr = { .sample_id_all = true };

	(void)state;
	assert_true(parse_attr(&attr, false).sample_id_all);
	assert_true(parse_attr(&attr, true).sample_id_all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_sample_type_is_read_in_both_byte_orders),
		cmocka_unit_test(a_sample_that_is_cut_anywhere_is_refused),
		cmocka_unit_test(a_count_beyond_the_sample_is_refused),
		cmocka_unit_test(a_sample_belongs_to_the_event_of_its_id),
		cmocka_unit_test(other_records_have_a_trailer_with_their_time),
		cmocka_unit_test(flags_of_an_attr_lie_the_other_way_round_in_big_endian),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
