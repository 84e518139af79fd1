/* SPDX-License-Identifier: GPL-2.0-only */
/* Accesses typed in, and what they add up to; random ones are held against coherence/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/aggregate.h"
#include "coherence/coherence.h"
#include "model/data_src.h"
#include "support/types.h"

/* "atomic_long_t" makes a lock's word of it; the lock is what holds both. */
static const struct type counter = STRUCT("", 8, FIELD("counter", &type_long, 0));
static const struct type atomic_long = { .kind = TYPE_TYPEDEF,
					 .name = "atomic_long_t",
					 .target = &counter };
static const struct type sem = STRUCT("rw_semaphore", 16, FIELD("count", &atomic_long, 0),
				      FIELD("owner", &atomic_long, 8));
/* Two lines and a half. */
static const struct type inode =
	STRUCT("inode", 160, FIELD("i_mode", &type_long, 0), FIELD("i_state", &type_long, 40),
	       FIELD("i_rwsem", &sem, 48), FIELD("i_size", &type_long, 128));

enum { HITM = 1, NO_TIME = 2, GUESS = 4, REMOTE = 8, LOCKED = 16 };

struct step {
	uint32_t cpu;
	char kind; /* r, w, or u: reads and writes */
	uint64_t object, offset;
	uint32_t size;
	uint64_t time_ns;
	const char *function;
	unsigned int flags;
};

static void add(struct aggregate *aggregate, const struct type *type, const struct step *step)
{
	const struct data_src_parts parts = {
		.op = step->kind == 'w' ? OP_STORE : OP_LOAD,
		.level = LEVEL_HIT | (step->flags & REMOTE ? LEVEL_REMOTE_CACHE1 : LEVEL_L3),
		.snoop = step->flags & HITM ? SNOOP_HITM : SNOOP_NONE,
		.lock = step->flags & LOCKED ? LOCK_LOCKED : LOCK_NA,
	};
	const struct sample sample = {
		.ip = 1,
		.addr = step->object + step->offset,
		.time_ns = step->flags & NO_TIME ? 0 : step->time_ns,
		.period = 1,
		.data_src = data_src_make(&parts),
		.weight = 100,
		.cpu = step->cpu,
		.has = SAMPLE_HAS_IP | SAMPLE_HAS_ADDR | SAMPLE_HAS_CPU | SAMPLE_HAS_DATA_SRC |
		       SAMPLE_HAS_WEIGHT | (step->flags & NO_TIME ? 0 : SAMPLE_HAS_TIME),
	};
	const struct access access = {
		.type = type,
		.offset = step->offset,
		.object = type ? step->object : 0,
		.size = step->size,
		.is_load = step->kind != 'w',
		.is_store = step->kind != 'r',
		.basis = type ? BASIS_INSTRUCTION : 0,
		.confidence = !type		  ? CONFIDENCE_NONE :
			      step->flags & GUESS ? CONFIDENCE_LOW :
						    CONFIDENCE_HIGH,
		.unresolved = type ? ACCESS_RESOLVED : ACCESS_LOST_TRACK,
	};

	aggregate_add(aggregate, &sample, &access, step->function);
}

static const struct aggregate_options samples = { .cacheline = 64,
						  .window_ns = AGGREGATE_WINDOW_NS };

/* The steps again and again, each round far from the last one. */
static void play(const struct step *steps, size_t nr, unsigned int nr_rounds, struct profile *ret)
{
	auto_aggregate struct aggregate *aggregate = aggregate_create(&samples);

	for (unsigned int round = 0; round < nr_rounds; round++) {
		for (size_t i = 0; i < nr; i++) {
			struct step step = steps[i];

			step.time_ns += 1000000 * (uint64_t)round;
			add(aggregate, &inode, &step);
		}
	}
	aggregate_finish(aggregate, ret);
}

#define PLAY(nr_rounds, ret, ...)                                                             \
	play((const struct step[]){ __VA_ARGS__ },                                            \
	     sizeof((const struct step[]){ __VA_ARGS__ }) / sizeof(struct step), (nr_rounds), \
	     (ret))

#define OBJECT 0xffff888000010000ull

static const struct profile_line *only_line(const struct profile *profile)
{
	assert_int_equal(profile->lines.nr, 1);
	return &profile->lines.items[0];
}

static void expect_verdict(const struct profile_line *line, enum verdict verdict,
			   enum certainty certainty)
{
	assert_string_equal(verdict_word(line->verdict), verdict_word(verdict));
	assert_string_equal(certainty_word(line->certainty), certainty_word(certainty));
}

static void bytes_that_another_cpu_wrote_are_true_sharing(void **state)
{
	auto_profile struct profile profile = {};
	const struct profile_line *line;
	const struct profile_place *places;

	(void)state;
	PLAY(3, &profile, { 0, 'w', OBJECT, 40, 8, 100, "set_state", 0 },
	     { 1, 'r', OBJECT, 40, 8, 200, "get_state", HITM });
	line = only_line(&profile);
	expect_verdict(line, VERDICT_TRUE, CERTAINTY_CONFIRMED);
	/* Each read, and each write but the first: CPU 0 held the line until CPU 1 read it only. */
	assert_int_equal(line->nr_true, 3);
	assert_int_equal(line->nr_false, 0);
	assert_int_equal(line->nr_pairs, 1);
	places = profile.places.items;
	assert_string_equal(places[profile.pairs.items[0].writer].function, "set_state");
	assert_string_equal(places[profile.pairs.items[0].other].function, "get_state");
	assert_true(profile.pairs.items[0].timed && profile.pairs.items[0].overlaps);
	assert_int_equal(profile.pairs.items[0].nr, 3);
	assert_int_equal(line->counts.hitm_local, 3);
	assert_int_equal(profile_counts_latency(&line->counts), 100);
	assert_int_equal(cpu_set_count(&line->writers), 1);
	assert_true(cpu_set_has(&line->readers, 1));
}

static void disjoint_bytes_of_one_object_are_false_sharing(void **state)
{
	auto_profile struct profile profile = {};
	const struct profile_line *line;

	(void)state;
	PLAY(4, &profile, { 0, 'w', OBJECT, 40, 8, 100, "set_state", 0 },
	     { 1, 'r', OBJECT, 0, 8, 200, "get_mode", HITM });
	line = only_line(&profile);
	expect_verdict(line, VERDICT_FALSE, CERTAINTY_CONFIRMED);
	assert_int_equal(line->nr_false, 4);
	assert_int_equal(line->nr_neighbour, 0);
	assert_false(profile.pairs.items[line->first_pair].overlaps);
}

static void a_line_of_both_is_mixed(void **state)
{
	auto_profile struct profile profile = {};

	(void)state;
	PLAY(4, &profile, { 0, 'w', OBJECT, 40, 8, 100, "set_state", 0 },
	     { 1, 'r', OBJECT, 0, 8, 200, "get_mode", HITM },
	     { 2, 'r', OBJECT, 40, 8, 300, "get_state", HITM });
	expect_verdict(only_line(&profile), VERDICT_MIXED, CERTAINTY_CONFIRMED);
	assert_int_equal(only_line(&profile)->nr_true, 4);
	assert_int_equal(only_line(&profile)->nr_false, 4);
}

static void guessed_fields_are_only_suspected(void **state)
{
	auto_profile struct profile profile = {};

	(void)state;
	PLAY(4, &profile, { 0, 'w', OBJECT, 40, 8, 100, "set_state", GUESS },
	     { 1, 'r', OBJECT, 0, 8, 200, "get_mode", HITM });
	expect_verdict(only_line(&profile), VERDICT_FALSE, CERTAINTY_SUSPECTED);
	/* Only the reader is known to have touched an object. */
	assert_int_equal(profile.objects.items[0].counts.samples, 4);
	assert_int_equal(profile.types.items[0].counts.samples, 8);
}

static void without_times_or_out_of_the_window_bytes_and_cpus_must_do(void **state)
{
	auto_profile struct profile untimed = {}, far = {};

	(void)state;
	PLAY(4, &untimed, { 0, 'w', OBJECT, 40, 8, 0, "set_state", NO_TIME },
	     { 1, 'r', OBJECT, 0, 8, 0, "get_mode", HITM | NO_TIME });
	expect_verdict(only_line(&untimed), VERDICT_FALSE, CERTAINTY_SUSPECTED);
	assert_int_equal(only_line(&untimed)->nr_false, 0);
	assert_int_equal(untimed.pairs.nr, 1);
	assert_false(untimed.pairs.items[0].timed);
	assert_int_equal(untimed.pairs.items[0].nr, 4);
	PLAY(4, &far, { 0, 'w', OBJECT, 40, 8, 0, "set_state", 0 },
	     { 1, 'r', OBJECT, 40, 8, 50000, "get_state", HITM });
	expect_verdict(only_line(&far), VERDICT_TRUE, CERTAINTY_SUSPECTED);
}

static void hitm_alone_is_not_called_false_sharing(void **state)
{
	auto_profile struct profile profile = {};

	(void)state;
	PLAY(50, &profile, { 1, 'r', OBJECT, 0, 8, 200, "get_mode", HITM },
	     { 2, 'r', OBJECT, 40, 8, 300, "get_state", HITM });
	expect_verdict(only_line(&profile), VERDICT_UNDECIDED, CERTAINTY_NONE);
}

static void where_data_came_from_is_counted_apart(void **state)
{
	auto_profile struct profile profile = {};
	const struct profile_counts *counts = &profile.totals.counts;

	(void)state;
	PLAY(1, &profile, { 0, 'r', OBJECT, 0, 8, 100, "f", HITM },
	     { 0, 'r', OBJECT, 0, 8, 200, "f", HITM | REMOTE },
	     { 0, 'r', OBJECT, 0, 8, 300, "f", HITM | REMOTE },
	     { 0, 'u', OBJECT, 0, 8, 400, "f", LOCKED },
	     { 0, 'w', OBJECT, 0, 8, 500, "f", REMOTE });
	assert_int_equal(counts->samples, 5);
	assert_int_equal(counts->loads, 4);
	assert_int_equal(counts->stores, 2);
	assert_int_equal(counts->locked, 1);
	assert_int_equal(counts->hitm_local, 1);
	assert_int_equal(counts->hitm_remote, 2);
	assert_int_equal(profile_counts_contended(counts), 3);
}

/* Far apart in time, only bytes and CPUs are left: those of the HITM itself, and of another CPU. */
static void what_only_fits_needs_hitm_and_another_cpu(void **state)
{
	auto_profile struct profile own = {}, calm = {};

	(void)state;
	PLAY(9, &own, { 1, 'w', OBJECT, 40, 8, 100, "set_state", 0 },
	     { 1, 'r', OBJECT, 40, 8, 50000, "get_state", HITM });
	expect_verdict(only_line(&own), VERDICT_UNDECIDED, CERTAINTY_NONE);
	PLAY(9, &calm, { 0, 'w', OBJECT, 40, 8, 100, "set_state", 0 },
	     { 1, 'r', OBJECT, 40, 8, 50000, "get_state", 0 });
	expect_verdict(only_line(&calm), VERDICT_NONE, CERTAINTY_NONE);
}

static void one_cpu_alone_and_readers_alone_share_nothing(void **state)
{
	auto_profile struct profile one = {}, readers = {};

	(void)state;
	PLAY(9, &one, { 1, 'w', OBJECT, 0, 8, 200, "set_mode", 0 },
	     { 1, 'r', OBJECT, 40, 8, 300, "get_state", 0 });
	expect_verdict(only_line(&one), VERDICT_NONE, CERTAINTY_NONE);
	PLAY(9, &readers, { 1, 'r', OBJECT, 0, 8, 200, "get_mode", 0 },
	     { 2, 'r', OBJECT, 0, 8, 300, "get_mode", 0 });
	expect_verdict(only_line(&readers), VERDICT_NONE, CERTAINTY_NONE);
}

/* The second object starts where the first ends, in the middle of a line. */
static void a_neighbour_on_the_line_is_told_apart(void **state)
{
	auto_profile struct profile profile = {};
	const struct profile_line *line;

	(void)state;
	PLAY(4, &profile, { 0, 'w', OBJECT, 128, 8, 100, "set_size", 0 },
	     { 1, 'r', OBJECT + 160, 0, 8, 200, "get_mode", HITM });
	assert_int_equal(profile.lines.nr, 2);
	line = &profile.lines.items[1];
	assert_int_equal(line->phase, 32);
	assert_int_equal(line->nr_false, 4);
	assert_int_equal(line->nr_neighbour, 4);
	assert_true(profile.pairs.items[line->first_pair].neighbour);
}

static void so_is_one_behind_it(void **state)
{
	auto_profile struct profile profile = {};

	(void)state;
	PLAY(4, &profile, { 0, 'w', OBJECT + 160, 0, 8, 100, "set_mode", 0 },
	     { 1, 'r', OBJECT, 128, 8, 200, "get_size", HITM });
	assert_int_equal(profile.lines.items[0].phase, 0);
	assert_int_equal(profile.lines.items[0].nr_neighbour, 4);
}

static void objects_of_different_phase_have_different_lines(void **state)
{
	auto_profile struct profile profile = {};

	(void)state;
	PLAY(1, &profile, { 0, 'w', OBJECT, 48, 8, 100, "lock", 0 },
	     { 1, 'w', OBJECT + 0x1010, 48, 8, 200, "lock", 0 },
	     { 1, 'w', OBJECT + 0x2010, 48, 8, 300, "lock", 0 });
	assert_int_equal(profile.lines.nr, 2);
	assert_int_equal(profile.lines.items[0].phase, 0);
	assert_int_equal(profile.lines.items[0].line, 0);
	assert_int_equal(profile.lines.items[0].nr_objects, 1);
	assert_int_equal(profile.lines.items[1].phase, 16);
	assert_int_equal(profile.lines.items[1].line, 1);
	assert_int_equal(profile.lines.items[1].nr_objects, 2);
	assert_int_equal(profile.types.items[0].nr_objects, 3);
	assert_int_equal(profile.types.items[0].nr_phases, 2);
	assert_int_equal(profile.phases.items[0].phase, 16);
	assert_int_equal(profile.phases.items[0].nr_objects, 2);
	/* One place, whatever the object. */
	assert_int_equal(profile.places.nr, 1);
	assert_int_equal(profile.places.items[0].counts.stores, 3);
}

/* At phase 8 the count ends a line (8 + 48 + 8 = 64) and the owner begins the next. */
#define LOCK_ROUND(object)                                         \
	{ 0, 'u', object, 48, 8, 100, "down_read", HITM },         \
		{ 0, 'w', object, 56, 8, 110, "down_read", 0 },    \
		{ 1, 'u', object, 48, 8, 200, "down_read", HITM }, \
		{ 1, 'w', object, 56, 8, 210, "down_read", HITM }, \
	{                                                          \
		0, 'u', object, 48, 8, 300, "up_read", HITM        \
	}

static void words_of_a_lock_that_a_boundary_parts_are_a_cut_pair(void **state)
{
	auto_profile struct profile cut = {}, whole = {};

	(void)state;
	PLAY(4, &cut, LOCK_ROUND(OBJECT + 8));
	assert_int_equal(cut.cuts.nr, 1);
	assert_int_equal(cut.types.items[0].nr_cuts, 1);
	assert_int_equal(cut.cuts.items[0].phase, 8);
	assert_int_equal(cut.cuts.items[0].first_offset, 48);
	assert_int_equal(cut.cuts.items[0].second_offset, 56);
	assert_string_equal(cut.cuts.items[0].lock, "i_rwsem");
	assert_string_equal(cut.cuts.items[0].function, "down_read");
	assert_string_equal(certainty_word(cut.cuts.items[0].certainty), "confirmed");
	assert_int_equal(cut.cuts.items[0].first_counts.stores, 12);
	PLAY(4, &whole, LOCK_ROUND(OBJECT + 16));
	assert_int_equal(whole.cuts.nr, 0);
}

static void what_is_not_fought_over_is_no_cut_pair(void **state)
{
	auto_profile struct profile profile = {};

	(void)state;
	PLAY(9, &profile, { 0, 'u', OBJECT + 8, 48, 8, 100, "down_read", 0 },
	     { 0, 'w', OBJECT + 8, 56, 8, 110, "down_read", 0 });
	assert_int_equal(profile.cuts.nr, 0);
}

static void one_word_that_is_fought_over_is_no_pair(void **state)
{
	auto_profile struct profile owner = {}, count = {};

	(void)state;
	PLAY(9, &owner, { 0, 'u', OBJECT + 8, 48, 8, 100, "down_read", 0 },
	     { 0, 'w', OBJECT + 8, 56, 8, 110, "down_read", 0 },
	     { 1, 'r', OBJECT + 8, 56, 8, 200, "spin", HITM });
	assert_int_equal(owner.cuts.nr, 0);
	PLAY(9, &count, { 0, 'u', OBJECT + 8, 48, 8, 100, "down_read", 0 },
	     { 0, 'w', OBJECT + 8, 56, 8, 110, "down_read", 0 },
	     { 1, 'r', OBJECT + 8, 48, 8, 200, "spin", HITM });
	assert_int_equal(count.cuts.nr, 0);
}

static void what_is_not_resolved_is_counted_and_keeps_its_line(void **state)
{
	auto_aggregate struct aggregate *aggregate = aggregate_create(&samples);
	const struct step step = { 3, 'r', OBJECT, 72, 8, 100, "somewhere", HITM };
	auto_profile struct profile profile = {};

	(void)state;
	add(aggregate, NULL, &step);
	add(aggregate, &inode, &step);
	aggregate_finish(aggregate, &profile);
	assert_int_equal(profile.totals.nr_resolved, 1);
	assert_int_equal(profile.totals.nr_unresolved[ACCESS_LOST_TRACK], 1);
	assert_int_equal(profile.totals.nr_by_basis[BASIS_INSTRUCTION], 1);
	assert_string_equal(profile.types.items[1].label, "(unresolved)");
	assert_int_equal(profile.places.items[1].offset, 8);
	assert_int_equal(profile.addresses.nr, 1);
	assert_int_equal(profile.addresses.items[0].address, OBJECT + 64);
	assert_int_equal(profile.addresses.items[0].counts.samples, 2);
}

static void places_of_small_numbers_are_not_mixed_up(void **state)
{
	auto_aggregate struct aggregate *aggregate = aggregate_create(&samples);
	auto_profile struct profile profile = {};

	(void)state;
	for (uint64_t offset = 0; offset < 16; offset++) {
		const struct step step = { 0, 'r', OBJECT, offset, 1, 100, "f", 0 };

		add(aggregate, &inode, &step);
		add(aggregate, &sem, &step);
		add(aggregate, &counter, &step);
	}
	aggregate_finish(aggregate, &profile);
	assert_int_equal(profile.places.nr, 48);
	assert_int_equal(profile.lines.nr, 3);
	assert_int_equal(profile.objects.nr, 3);
}

/* Each is seen once, in no order of their addresses. */
static void of_many_objects_and_lines_the_most_contended_are_kept(void **state)
{
	enum { NR = 4500, KEPT = 1000, EVERY = 1500, STRIDE = 1237 };
	auto_aggregate struct aggregate *aggregate = aggregate_create(&samples);
	auto_profile struct profile profile = {};

	(void)state;
	for (uint64_t i = 0; i < NR; i++) {
		uint64_t at = i * STRIDE % NR;
		const struct step step = { 0,	'r', OBJECT + 64 * at,	   0, 8,
					   100, "f", at % EVERY ? 0 : HITM };

		add(aggregate, &sem, &step);
	}
	aggregate_finish(aggregate, &profile);
	assert_int_equal(profile.types.items[0].nr_objects, NR);
	assert_int_equal(profile.objects.nr, KEPT);
	assert_int_equal(profile.addresses.nr, KEPT);
	assert_int_equal(profile.totals.nr_objects_left_out, NR - KEPT);
	assert_int_equal(profile.totals.nr_addresses_left_out, NR - KEPT);
	for (uint64_t i = 0; i < KEPT; i++) {
		bool is_contended = i < NR / EVERY;
		/* The first of all is contended. */
		uint64_t expected = OBJECT + 64 * (is_contended ? EVERY * i : i - NR / EVERY + 1);

		assert_int_equal(profile.objects.items[i].counts.hitm_local, is_contended);
		assert_int_equal(profile.objects.items[i].base, expected);
		assert_int_equal(profile.addresses.items[i].address, expected);
		assert_int_equal(profile.addresses.items[i].object, expected);
	}
}

static void time_is_cut_into_slices_that_hold_all(void **state)
{
	auto_profile struct profile profile = {};
	uint64_t nr = 0;

	(void)state;
	PLAY(1000, &profile, { 0, 'r', OBJECT, 0, 8, 100, "get_mode", 0 });
	for (unsigned int i = 0; i < PROFILE_NR_SLICES; i++)
		nr += profile.slices[i].samples;
	assert_int_equal(nr, 1000);
	assert_int_equal(profile.totals.first_ns, 100);
	assert_int_equal(profile.totals.last_ns, 999000100);
	assert_true(profile.totals.slice_ns * PROFILE_NR_SLICES > 999000000);
	assert_true(profile.totals.slice_ns * PROFILE_NR_SLICES / 2 <= 999000000);
}

/* xorshift64 (Marsaglia 2003). */
static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

enum { NR_OBJECTS = 3, NR_CPUS = 4, NR_LINES = 10 };

/* Objects lie one behind the other, so that they share lines; accesses may cross lines. */
static struct step random_step(uint64_t *seed)
{
	uint64_t random = next_random(seed);
	struct step step = { .cpu = random % NR_CPUS,
			     .kind = "rrwu"[random >> 8 & 3],
			     .size = 1u << (random >> 24 & 3) };

	step.object = OBJECT + 8 + 160 * ((random >> 16 & 0xff) % NR_OBJECTS);
	step.offset = (random >> 32 & 0xff) % (161 - step.size);
	if (random >> 48 & 1)
		step.offset = 8 * step.cpu;
	return step;
}

static void count_verdict(void *context, const struct coherence_verdict *verdict)
{
	uint64_t(*counts)[2] = context;

	counts[(verdict->line - OBJECT) / 64][verdict->is_true]++;
}

static uint8_t kind_of(const struct step *step)
{
	return step->kind == 'r' ? COHERENCE_LOAD :
	       step->kind == 'w' ? COHERENCE_STORE :
				   COHERENCE_ATOMIC;
}

/*
 * On a recording of every access, line by line of memory: as many true and as many false as the
 * model decides, with no byte clocks here and no places there.
 */
static void on_whole_recordings_each_line_counts_as_the_model_does(void **state)
{
	struct aggregate_options options = { .cacheline = 64,
					     .window_ns = UINT64_MAX,
					     .every_access = true };
	auto_aggregate struct aggregate *aggregate = aggregate_create(&options);
	uint64_t counts[NR_LINES][2] = {}, seed = 1993, nr_true = 0, nr_false = 0;
	struct coherence_config config = { .topology = { 1, NR_CPUS },
					   .line_size = 64,
					   .on_verdict = count_verdict,
					   .context = counts };
	auto_coherence struct coherence *coherence = NULL;
	auto_profile struct profile profile = {};

	(void)state;
	assert_null(coherence_create(&config, &coherence));
	for (unsigned int i = 0; i < 20000; i++) {
		struct step step = random_step(&seed);
		struct coherence_access access = { .address = step.object + step.offset,
						   .size = step.size,
						   .cpu = (uint8_t)step.cpu,
						   .kind = kind_of(&step) };

		step.flags = NO_TIME;
		add(aggregate, &inode, &step);
		coherence_access(coherence, &access);
	}
	coherence_flush(coherence);
	aggregate_finish(aggregate, &profile);
	assert_true(profile.addresses.nr >= 8);
	for (size_t i = 0; i < profile.addresses.nr; i++) {
		const struct profile_address *line = &profile.addresses.items[i];

		assert_int_equal(line->nr_true, counts[(line->address - OBJECT) / 64][1]);
		assert_int_equal(line->nr_false, counts[(line->address - OBJECT) / 64][0]);
		nr_true += line->nr_true;
		nr_false += line->nr_false;
	}
	assert_int_equal(nr_true, coherence_counts(coherence)->nr_true);
	assert_int_equal(nr_false, coherence_counts(coherence)->nr_false);
	for (size_t i = 0; i < profile.lines.nr; i++) {
		nr_true -= profile.lines.items[i].nr_true;
		nr_false -= profile.lines.items[i].nr_false;
	}
	/* What is told of the types' lines is the same, sorted otherwise. */
	assert_int_equal(nr_true, 0);
	assert_int_equal(nr_false, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_that_another_cpu_wrote_are_true_sharing),
		cmocka_unit_test(disjoint_bytes_of_one_object_are_false_sharing),
		cmocka_unit_test(a_line_of_both_is_mixed),
		cmocka_unit_test(guessed_fields_are_only_suspected),
		cmocka_unit_test(without_times_or_out_of_the_window_bytes_and_cpus_must_do),
		cmocka_unit_test(hitm_alone_is_not_called_false_sharing),
		cmocka_unit_test(where_data_came_from_is_counted_apart),
		cmocka_unit_test(what_only_fits_needs_hitm_and_another_cpu),
		cmocka_unit_test(one_cpu_alone_and_readers_alone_share_nothing),
		cmocka_unit_test(a_neighbour_on_the_line_is_told_apart),
		cmocka_unit_test(so_is_one_behind_it),
		cmocka_unit_test(objects_of_different_phase_have_different_lines),
		cmocka_unit_test(words_of_a_lock_that_a_boundary_parts_are_a_cut_pair),
		cmocka_unit_test(what_is_not_fought_over_is_no_cut_pair),
		cmocka_unit_test(one_word_that_is_fought_over_is_no_pair),
		cmocka_unit_test(what_is_not_resolved_is_counted_and_keeps_its_line),
		cmocka_unit_test(places_of_small_numbers_are_not_mixed_up),
		cmocka_unit_test(of_many_objects_and_lines_the_most_contended_are_kept),
		cmocka_unit_test(time_is_cut_into_slices_that_hold_all),
		cmocka_unit_test(on_whole_recordings_each_line_counts_as_the_model_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
