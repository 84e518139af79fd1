/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "propose/modelled.h"
#include "support/types.h"

#define MAX_CPUS 8

static const struct view lines_of_64 = { 64, 0 };
static const struct type rwsem =
	STRUCT("rw_semaphore", 16, FIELD("count", &type_long, 0), FIELD("owner", &type_long, 8));

/* A struct with the semaphore at an offset, and something that is only read at 0. */
#define WITH_LOCK(offset)                                             \
	STRUCT("s", 192, FIELD("read", &type_long, 0),                \
	       FIELD("head", ARRAY(&type_long, (offset) / 8 - 1), 8), \
	       FIELD("sem", &rwsem, offset))

static uint64_t transfers(const struct type *type, struct touch *items, size_t nr, uint32_t nr_cpus)
{
	struct touches touches = { .items = { items, nr, nr }, .nr_cpus = nr_cpus };

	return modelled_transfers(type, lines_of_64, &touches);
}

static void words_written_together_cost_one_transfer_on_one_line(void **state)
{
	const struct type whole = WITH_LOCK(64), cut = WITH_LOCK(120);
	struct touch touches[] = { { "sem.count", "down_read", 1000, 1000 },
				   { "sem.owner", "down_read", 1000, 1000 } };
	uint64_t one = transfers(&whole, touches, 2, 8), two = transfers(&cut, touches, 2, 8);

	(void)state;
	/* All write: the line comes unless the last one was oneself. */
	assert_int_equal(one, 875);
	assert_int_equal(two, 2 * one);
}

static void what_is_only_read_moves_where_it_shares_a_line(void **state)
{
	const struct type apart = WITH_LOCK(64), together = WITH_LOCK(16);
	struct touch touches[] = { { "sem.count", "down_read", 1000, 1000 },
				   { "read", "lookup", 1000, 0 } };

	(void)state;
	assert_int_equal(transfers(&apart, touches, 2, 8), 875);
	assert_true(transfers(&together, touches, 2, 8) > 1500);
	/* Nothing moves where nobody writes, or where there is nobody else. */
	assert_int_equal(transfers(&apart, &touches[1], 1, 8), 0);
	assert_int_equal(transfers(&apart, touches, 2, 1), 0);
	assert_int_equal(modelled_transfers(&apart, lines_of_64, NULL), 0);
}

static void a_field_that_is_gone_counts_nowhere(void **state)
{
	const struct type type = WITH_LOCK(64);
	struct touch touches[] = { { "nowhere", "f", 1000, 1000 } };

	(void)state;
	assert_int_equal(transfers(&type, touches, 1, 8), 0);
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 33;
}

/* One line in caches that never forget, visited by CPUs at random. */
static uint64_t simulate(uint32_t nr_cpus, uint64_t nr, uint64_t percent_writes)
{
	bool has[MAX_CPUS] = {};
	uint64_t random = 1, transfers = 0;

	for (uint64_t i = 0; i < nr; i++) {
		uint32_t cpu = (uint32_t)(next_random(&random) % nr_cpus);
		bool writes = next_random(&random) % 100 < percent_writes;
		uint32_t nr_others = 0;

		for (uint32_t other = 0; other < nr_cpus; other++)
			nr_others += has[other] && other != cpu;
		transfers += !has[cpu] || (writes && nr_others);
		for (uint32_t other = 0; other < nr_cpus && writes; other++)
			has[other] = false;
		has[cpu] = true;
	}
	return transfers;
}

static void the_formula_agrees_with_a_simulation(void **state)
{
	static const uint64_t percents[] = { 3, 10, 30, 60, 100 };
	const struct type type = WITH_LOCK(64);
	const uint64_t nr = 200000;

	(void)state;
	for (uint32_t nr_cpus = 2; nr_cpus <= MAX_CPUS; nr_cpus += 3) {
		for (size_t i = 0; i < array_size(percents); i++) {
			struct touch touch = { "sem.count", "f", nr, nr * percents[i] / 100 };
			uint64_t model = transfers(&type, &touch, 1, nr_cpus);
			uint64_t real = simulate(nr_cpus, nr, percents[i]);

			if (model * 100 < real * 97 || model * 100 > real * 103)
				fail_msg("%u CPUs, %d %% writes: %d, simulated %d", nr_cpus,
					 (int)percents[i], (int)model, (int)real);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_written_together_cost_one_transfer_on_one_line),
		cmocka_unit_test(what_is_only_read_moves_where_it_shares_a_line),
		cmocka_unit_test(a_field_that_is_gone_counts_nowhere),
		cmocka_unit_test(the_formula_agrees_with_a_simulation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
