/* SPDX-License-Identifier: GPL-2.0-only */
/* What waits is counted once and in its order, whatever is made meanwhile: by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/aggregate.h"
#include "model/data_src.h"
#include "support/types.h"

#define OBJECT 0xffff888000010000ull

enum { OBJECT_SIZE = 128, MANY = 500 };

static const struct type words =
	STRUCT("words", OBJECT_SIZE, FIELD("first", &type_long, 0), FIELD("last", &type_long, 56),
	       FIELD("behind", &type_long, 64));

/* One CPU writes, the other one reads; each access 10 ns behind the one before. */
struct player {
	struct aggregate *aggregate;
	uint64_t time_ns;
};

static void play(struct player *player, bool is_store, uint64_t object, uint64_t offset,
		 uint32_t size)
{
	const struct data_src_parts parts = { .op = is_store ? OP_STORE : OP_LOAD,
					      .level = LEVEL_HIT | LEVEL_L3,
					      .snoop = SNOOP_NONE };
	const struct sample sample = {
		.ip = 1,
		.addr = object + offset,
		.time_ns = player->time_ns += 10,
		.period = 1,
		.data_src = data_src_make(&parts),
		.cpu = is_store ? 0 : 1,
		.has = SAMPLE_HAS_IP | SAMPLE_HAS_ADDR | SAMPLE_HAS_CPU | SAMPLE_HAS_DATA_SRC |
		       SAMPLE_HAS_TIME,
	};
	const struct access access = {
		.type = &words,
		.offset = offset,
		.object = object,
		.size = size,
		.is_load = !is_store,
		.is_store = is_store,
		.basis = BASIS_INSTRUCTION,
		.confidence = CONFIDENCE_HIGH,
	};

	aggregate_add(player->aggregate, &sample, &access, is_store ? "write" : "read");
}

static struct player start(void)
{
	const struct aggregate_options options = { .cacheline = 64, .window_ns = UINT64_MAX };

	return (struct player){ .aggregate = aggregate_create(&options) };
}

static void finish(struct player *player, struct profile *ret)
{
	aggregate_finish(player->aggregate, ret);
	aggregate_destroy(player->aggregate);
}

/* Of a write and two reads the first read misses; were one out of order, more would. */
static void each_number_of_accesses_is_counted_in_order(void **state)
{
	(void)state;
	for (unsigned int nr = 1; nr < 150; nr++) {
		auto_profile struct profile profile = {};
		struct player player = start();
		unsigned int nr_first_reads = 0;

		for (unsigned int i = 0; i < nr; i++) {
			play(&player, i % 3 == 0, OBJECT, 0, 8);
			nr_first_reads += i % 3 == 1;
		}
		finish(&player, &profile);
		assert_int_equal(profile.types.items[0].counts.samples, nr);
		assert_int_equal(profile.addresses.nr, 1);
		assert_int_equal(profile.addresses.items[0].counts.samples, nr);
		assert_int_equal(profile.addresses.items[0].nr_true, nr_first_reads);
		assert_int_equal(profile.addresses.items[0].nr_false, 0);
	}
}

static void assert_each_line(const struct profile *profile, size_t nr_lines, uint64_t nr_samples)
{
	assert_int_equal(profile->addresses.nr, nr_lines);
	for (size_t i = 0; i < nr_lines; i++) {
		assert_int_equal(profile->addresses.items[i].counts.samples, nr_samples);
		assert_int_equal(profile->addresses.items[i].nr_true, 1);
		assert_int_equal(profile->addresses.items[i].nr_false, 0);
	}
}

/* Both accesses wait before there is a line, and while lines move for want of room. */
static void a_line_that_is_not_there_yet_is_the_same_for_all_that_wait(void **state)
{
	auto_profile struct profile profile = {};
	struct player player = start();

	(void)state;
	for (uint64_t i = 0; i < MANY; i++) {
		play(&player, true, OBJECT + i * OBJECT_SIZE, 0, 8);
		play(&player, false, OBJECT + i * OBJECT_SIZE, 0, 8);
	}
	finish(&player, &profile);
	assert_each_line(&profile, MANY, 2);
}

static void a_line_that_was_there_long_ago_is_found_again(void **state)
{
	auto_profile struct profile profile = {};
	struct player player = start();

	(void)state;
	for (uint64_t i = 0; i < MANY; i++)
		play(&player, true, OBJECT + i * OBJECT_SIZE, 0, 8);
	for (uint64_t i = MANY; i-- > 0;)
		play(&player, false, OBJECT + i * OBJECT_SIZE, 0, 8);
	finish(&player, &profile);
	assert_each_line(&profile, MANY, 2);
}

/* Only the first line is fetched; the sample counts on both. */
static void what_lies_on_the_next_line_is_counted_there(void **state)
{
	auto_profile struct profile profile = {};
	struct player player = start();

	(void)state;
	for (uint64_t i = 0; i < MANY; i++) {
		play(&player, true, OBJECT + i * OBJECT_SIZE, 56, 16);
		play(&player, false, OBJECT + i * OBJECT_SIZE, 56, 16);
	}
	finish(&player, &profile);
	assert_each_line(&profile, 2 * MANY, 2);
	assert_int_equal(profile.types.items[0].counts.samples, 2 * MANY);
}

static void nothing_waits_in_an_empty_profile(void **state)
{
	auto_profile struct profile profile = {};
	struct player player = start();

	(void)state;
	finish(&player, &profile);
	assert_int_equal(profile.addresses.nr, 0);
	assert_int_equal(profile.types.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_number_of_accesses_is_counted_in_order),
		cmocka_unit_test(a_line_that_is_not_there_yet_is_the_same_for_all_that_wait),
		cmocka_unit_test(a_line_that_was_there_long_ago_is_found_again),
		cmocka_unit_test(what_lies_on_the_next_line_is_counted_there),
		cmocka_unit_test(nothing_waits_in_an_empty_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
