/* SPDX-License-Identifier: GPL-2.0-only */
/* What is logged, as the reader of recordings finds it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <linux/perf_event.h>

#include "emulate/event_log.h"
#include "unit/emulate/world.h"
#include "unit/trace/read_back.h"

#define OBJECT 0xffff888000200000ull
#define OTHER 0xffff888000300000ull
#define SITE 0xffffffff81234567ull
#define START_NS 1000

enum { BANNER = 0x100 };

struct logged {
	char directory[64];
	char path[80];
	struct event_log log;
};

static void open_log(struct logged *logged)
{
	strcpy(logged->directory, "/tmp/fieldline-events-XXXXXX");
	assert_non_null(mkdtemp(logged->directory));
	snprintf(logged->path, sizeof(logged->path), "%s/events.log", logged->directory);
	assert_null(event_log_open(logged->directory, &logged->log));
}

static void read_log(struct logged *logged, struct read_back *back)
{
	event_log_close(&logged->log);
	read_back_path(back, logged->path, false);
	unlink(logged->path);
	rmdir(logged->directory);
	assert_string_equal(back->error, "");
	assert_int_equal(recording_counts(back->recording)->nr_damaged, 0);
	assert_false(recording_counts(back->recording)->is_truncated);
}

static uint32_t add_object(struct world *world, const char *cache, uint64_t size, uint64_t start)
{
	struct sources *sources = recorder_sources(world->recorder);
	struct source_cache added = { .address = start, .size = 256, .object_size = 192 };
	struct source source = { .form = COUNTS_FORM_SLAB, .site = SITE, .size = size };
	uint32_t number;

	snprintf(added.name, sizeof(added.name), "%s", cache);
	source.cache = sources_add_cache(sources, &added);
	number = sources_number(sources, &source);
	allocations_add_object(recorder_allocations(world->recorder), number, start, 192, 0);
	return number;
}

/* A kernel with a module and an object of either cache. */
static void boot(struct world *world)
{
	struct settings_numbers *numbers = &world->settings.numbers;

	strcpy((char *)&world->memory[BANNER], "Linux version 6.1.0-57-cloud-amd64 (debian)");
	numbers->banner = MEMORY + BANNER;
	numbers->text_start = 0xffffffff81000000;
	numbers->text_end = 0xffffffff82000000;
	world->settings.topology = (struct coherence_topology){ 1, 2 };
	world->settings.log_cache = "dentry";
	world->guest.cpus[1].pid = 42;
	world->guest.cpus[1].tgid = 40;
	*vec_add(&world->guest.modules) =
		(struct guest_module){ 0xffffffffc0000000, 0x4000, "xfs" };
	add_object(world, "kmalloc-256", 190, OTHER);
	add_object(world, "dentry", 0, OBJECT);
}

static void the_machine_is_told_first(void **state)
{
	const struct recording_about *about;
	struct world *world = *state;
	struct logged logged;
	auto_read_back struct read_back back = {};

	boot(world);
	open_log(&logged);
	event_log_start(&logged.log, &world->guest, START_NS);
	read_log(&logged, &back);
	about = recording_about(back.recording);
	assert_string_equal(about->os_release, "6.1.0-57-cloud-amd64");
	assert_string_equal(about->arch, "x86_64");
	assert_int_equal(about->nr_cpus, 2);
	assert_int_equal(about->nodes.nr, 1);
	assert_string_equal(about->nodes.items[0].cpus, "0-1");
	assert_int_equal(about->events.nr, 2);
	assert_string_equal(about->events.items[EVENT_LOG_STORES].name, "cpu/mem-stores/P");
}

static void code_and_objects_that_are_there_come_before_what_happens(void **state)
{
	const struct item *item;
	struct world *world = *state;
	struct logged logged;
	auto_read_back struct read_back back = {};

	boot(world);
	open_log(&logged);
	event_log_start(&logged.log, &world->guest, START_NS);
	read_log(&logged, &back);
	assert_int_equal(back.nr, 4);
	assert_int_equal(back.items[0].kind, ITEM_MAP);
	assert_int_equal(back.items[0].map.kind, MAP_KERNEL);
	assert_int_equal(back.items[0].map.start, 0xffffffff81000000);
	assert_int_equal(back.items[0].map.size, 0x1000000);
	assert_int_equal(back.items[1].map.kind, MAP_MODULE);
	assert_string_equal(back.items[1].map.name, "[xfs]");
	item = &back.items[2];
	assert_int_equal(item->kind, ITEM_ALLOCATION);
	assert_int_equal(item->allocation.addr, OTHER);
	assert_int_equal(item->allocation.size, 190);
	assert_int_equal(item->allocation.allocated, 192);
	assert_int_equal(item->allocation.site, SITE);
	assert_string_equal(item->allocation.cache, "kmalloc-256");
	item = &back.items[3];
	assert_int_equal(item->allocation.size, 192); /* the cache's, where none was asked for */
	assert_string_equal(item->allocation.cache, "dentry");
}

static void access_is_the_sample_of_a_pmu(void **state)
{
	const struct coherence_access access = {
		.address = OBJECT + 24, .size = 8, .cpu = 1, .kind = COHERENCE_ATOMIC
	};
	const struct sample *sample;
	struct world *world = *state;
	struct logged logged;
	auto_read_back struct read_back back = {};

	boot(world);
	open_log(&logged);
	event_log_access(&logged.log, &world->guest, &access, LOG_HITM_LOCAL, 0xffffffff81000010,
			 2000);
	read_log(&logged, &back);
	assert_int_equal(back.nr, 1);
	assert_int_equal(back.items[0].kind, ITEM_SAMPLE);
	sample = &back.items[0].sample;
	assert_int_equal(sample->addr, OBJECT + 24);
	assert_int_equal(sample->size, 8);
	assert_int_equal(sample->ip, 0xffffffff81000010);
	assert_int_equal(sample->cpu, 1);
	assert_int_equal(sample->pid, 40);
	assert_int_equal(sample->tid, 42);
	assert_int_equal(sample->time_ns, 2000);
	assert_int_equal(sample->period, 1);
	assert_int_equal(sample->event, EVENT_LOG_LOADS);
	assert_true(sample->data_src & PERF_MEM_S(OP, LOAD));
	assert_false(sample->data_src & PERF_MEM_S(OP, STORE)); /* a locked load to a PMU */
	assert_true(sample->data_src & PERF_MEM_S(SNOOP, HITM));
	assert_true(sample->data_src & PERF_MEM_S(LOCK, LOCKED));
}

static void a_period_is_told_with_each_access(void **state)
{
	const struct coherence_access access = {
		.address = OBJECT, .size = 4, .cpu = 0, .kind = COHERENCE_STORE
	};
	struct world *world = *state;
	struct logged logged;
	auto_read_back struct read_back back = {};

	boot(world);
	world->settings.numbers.period = 100;
	open_log(&logged);
	event_log_access(&logged.log, &world->guest, &access, LOG_HIT, 0xffffffff81000010, 2000);
	read_log(&logged, &back);
	assert_int_equal(back.items[0].sample.period, 100);
	assert_int_equal(back.items[0].sample.event, EVENT_LOG_STORES);
	assert_false(back.items[0].sample.data_src & PERF_MEM_S(OP, LOAD));
	assert_false(back.items[0].sample.data_src & PERF_MEM_S(SNOOP, HITM));
}

static void what_is_freed_and_renamed_is_told(void **state)
{
	const struct allocation *allocation;
	struct world *world = *state;
	struct logged logged;
	auto_read_back struct read_back back = {};

	boot(world);
	open_log(&logged);
	allocations_free_object(recorder_allocations(world->recorder), OBJECT);
	allocation = allocations_find(recorder_allocations(world->recorder), OBJECT);
	assert_non_null(allocation);
	event_log_allocation(&logged.log, &world->guest, 1, allocation, 3000);
	event_log_comm(&logged.log, &world->guest, 1, "fio");
	read_log(&logged, &back);
	assert_int_equal(back.nr, 2);
	assert_int_equal(back.items[0].kind, ITEM_FREE);
	assert_int_equal(back.items[0].allocation.addr, OBJECT);
	assert_string_equal(back.items[0].allocation.cache, "dentry");
	assert_int_equal(back.items[1].kind, ITEM_COMM);
	assert_string_equal(back.items[1].comm.name, "fio");
	assert_int_equal(back.items[1].comm.tid, 42);
}

static void free_objects_and_pages_are_not_listed(void **state)
{
	const struct source page = { .form = COUNTS_FORM_PAGES, .site = SITE };
	struct world *world = *state;
	struct logged logged;
	auto_read_back struct read_back back = {};

	boot(world);
	allocations_free_object(recorder_allocations(world->recorder), OBJECT);
	allocations_add_pages(recorder_allocations(world->recorder),
			      sources_number(recorder_sources(world->recorder), &page),
			      0xffff888000400000, ALLOCATIONS_PAGE, 0);
	open_log(&logged);
	event_log_start(&logged.log, &world->guest, START_NS);
	read_log(&logged, &back);
	assert_int_equal(back.nr, 3);
	assert_int_equal(back.items[2].allocation.addr, OTHER);
}

static void all_of_the_chosen_cache_is_wanted(void **state)
{
	struct world *world = *state;
	struct logged logged;
	auto_read_back struct read_back back = {};

	boot(world);
	open_log(&logged);
	event_log_start(&logged.log, &world->guest, START_NS);
	assert_true(event_log_chooses(&logged.log, &world->guest, OBJECT));
	assert_true(event_log_chooses(&logged.log, &world->guest, OBJECT + 191));
	assert_false(event_log_chooses(&logged.log, &world->guest, OBJECT + 192));
	assert_false(event_log_chooses(&logged.log, &world->guest, OTHER));
	read_log(&logged, &back);
	assert_false(event_log_chooses(&logged.log, &world->guest, OBJECT)); /* closed */
}

static void a_directory_that_is_not_there_is_named(void **state)
{
	struct event_log log = {};
	auto_error struct error *err = event_log_open("/nonexistent", &log);

	(void)state;
	assert_non_null(err);
	assert_non_null(strstr(error_message(err), "/nonexistent/events.log"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_machine_is_told_first, setup, teardown),
		cmocka_unit_test_setup_teardown(
			code_and_objects_that_are_there_come_before_what_happens, setup, teardown),
		cmocka_unit_test_setup_teardown(access_is_the_sample_of_a_pmu, setup, teardown),
		cmocka_unit_test_setup_teardown(a_period_is_told_with_each_access, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_freed_and_renamed_is_told, setup, teardown),
		cmocka_unit_test_setup_teardown(free_objects_and_pages_are_not_listed, setup,
						teardown),
		cmocka_unit_test_setup_teardown(all_of_the_chosen_cache_is_wanted, setup, teardown),
		cmocka_unit_test(a_directory_that_is_not_there_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
