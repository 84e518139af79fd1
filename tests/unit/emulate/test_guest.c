/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/emulate/world.h"

static void a_kernel_that_starts_is_told_its_clocks(void **state)
{
	struct world *world = *state;
	const uint64_t registers[16] = {};

	world->settings.numbers.jiffies = MEMORY + 8;
	world->settings.numbers.lapic_timer_period = MEMORY + 16;
	world->settings.numbers.preset_lpj = MEMORY + 24;
	put(world, 8, (uint32_t)(-300 * 250), 8);
	put(world, 20, 0x5a5a5a5a, 4); /* lapic_timer_period is an int */
	assert_int_equal(guest_enter(&world->guest, 0, ROLE_START, registers), 0);
	assert_int_equal(get(world, 16, 4), 4000000);
	assert_int_equal(get(world, 20, 4), 0x5a5a5a5a);
	assert_int_equal(get(world, 24, 8), 4000000);
}

static void on_several_threads_the_clocks_are_the_hosts(void **state)
{
	struct world *world = *state;
	const uint64_t registers[16] = {};

	world->settings.numbers.fast = 1;
	world->settings.numbers.jiffies = MEMORY + 8;
	world->settings.numbers.preset_lpj = MEMORY + 24;
	put(world, 8, (uint32_t)(-300 * 250), 8);
	guest_enter(&world->guest, 0, ROLE_START, registers);
	assert_int_equal(get(world, 24, 8), 0);
}

/* A function that was called with these arguments and yields a result. */
static void run(struct world *world, enum function_role role, uint64_t first, uint64_t second,
		uint64_t result)
{
	uint64_t registers[16] = {
		[MACHINE_RSP] = MEMORY + 64, [MACHINE_RDI] = first, [MACHINE_RSI] = second
	};

	put(world, 64, MEMORY + 1, 8); /* where it returns to */
	assert_int_equal(guest_enter(&world->guest, 0, role, registers), MEMORY + 1);
	registers[MACHINE_RSP] += 8;
	registers[MACHINE_RAX] = result;
	guest_return(&world->guest, 0, MEMORY + 1, registers);
}

static void check_owner(struct world *world, uint64_t address, enum counts_form form,
			uint64_t start, uint64_t size)
{
	const struct allocation *found =
		allocations_find(recorder_allocations(world->recorder), address);
	const struct source *source;

	assert_non_null(found);
	source = &recorder_sources(world->recorder)->all.items[found->source];
	assert_int_equal(source->form, form);
	assert_int_equal(source->site, MEMORY + 1);
	assert_int_equal(found->start, start);
	assert_int_equal(found->size, size);
}

static void memory_is_known_before_there_is_a_page_allocator(void **state)
{
	struct world *world = *state;
	const uint64_t map = 0xffff888000000000ull;

	run(world, ROLE_EARLY_ALLOC, 0x3000, 0, 0x100000); /* physical */
	check_owner(world, map + 0x102fff, COUNTS_FORM_EARLY, map + 0x100000, 0x3000);
	run(world, ROLE_EARLY_ALLOC, 0x40, 0, map + 0x200040);
	check_owner(world, map + 0x200078, COUNTS_FORM_EARLY, map + 0x200040, 0x40);
	assert_null(allocations_find(recorder_allocations(world->recorder), map + 0x200080));
	run(world, ROLE_EARLY_ALLOC, 0x40, 0, 0); /* there was none */
	assert_null(allocations_find(recorder_allocations(world->recorder), map));
}

static void mapped_pages_have_the_size_of_all(void **state)
{
	struct world *world = *state;
	const uint64_t start = 0xffffc90000004000ull;

	run(world, ROLE_VMAP, MEMORY, 4, start);
	check_owner(world, start + 0x3ff8, COUNTS_FORM_VMALLOC, start, 0x4000);
}

/* alloc_pages(flags, 0) runs and yields page. */
static void allocate_page(struct world *world, uint64_t page)
{
	uint64_t registers[16] = { [MACHINE_RSP] = MEMORY + 0xf00 };

	put(world, 0xf00, 0xffffffff81000100, 8);
	assert_int_equal(guest_enter(&world->guest, 0, ROLE_PAGES_ALLOC, registers),
			 0xffffffff81000100);
	registers[MACHINE_RSP] += 8;
	registers[MACHINE_RAX] = page;
	guest_return(&world->guest, 0, 0xffffffff81000100, registers);
}

static const struct allocation *find(const struct world *world, uint64_t address)
{
	return allocations_find(recorder_allocations(world->recorder), address);
}

static void a_page_is_known_by_its_place_in_the_one_array(void **state)
{
	struct world *world = *state;

	allocate_page(world, 0xffffea0000000000 + 64 * 0x123);
	assert_non_null(find(world, 0xffff888000123fff));
	assert_null(find(world, 0xffff888000124000));
}

static void a_page_is_known_by_the_array_of_its_section(void **state)
{
	struct world *world = *state;
	/* Arrays of 0x8000 struct pages; what is stored is less the section's first frame. */
	const uint64_t first = 0xffff888004000000, third = 0xffff888006000000;

	world->settings.numbers.memory_sections = MEMORY + 8;
	world->settings.numbers.memory_section_size = 16;
	world->settings.numbers.memory_section_map = 0;
	put(world, 8, MEMORY + 16, 8);
	put(world, 16, MEMORY + 0x100, 8);
	put(world, 0x100, first | 7, 8);
	put(world, 0x100 + 16, 8, 8); /* flags only: no memory there */
	put(world, 0x100 + 32, (third - 2 * 0x8000 * 64) | 7, 8);
	allocate_page(world, third + 64 * 5);
	assert_non_null(find(world, 0xffff888000000000 + (2 * 0x8000 + 5) * 4096ull));
	allocate_page(world, first + 64 * 9);
	assert_non_null(find(world, 0xffff888000009000));
	allocate_page(world, third + 64 * 0x8000); /* of no section */
	assert_null(find(world, 0xffff888000000000 + 3 * 0x8000 * 4096ull));
}

enum { CACHE = 0x200, CACHE_NAME = 0x280, OBJECTS = 0x300 };
#define OBJECT 0xffff888000300000ull
#define RETURN 0xffffffff81000200ull

/* A struct kmem_cache: name, size and object size, 8 bytes each. */
static void add_cache(struct world *world)
{
	struct settings_numbers *numbers = &world->settings.numbers;

	numbers->cache_name = 0;
	numbers->cache_size = 8;
	numbers->cache_object_size = 16;
	put(world, CACHE, MEMORY + CACHE_NAME, 8);
	put(world, CACHE + 8, 256, 4);
	put(world, CACHE + 16, 192, 4);
	strcpy((char *)&world->memory[CACHE_NAME], "dentry");
}

/* Registers are the arguments; the return's address stands at RSP. */
static void call(struct world *world, enum function_role role, uint64_t *registers, uint64_t result)
{
	registers[MACHINE_RSP] = MEMORY + 0xe00;
	put(world, 0xe00, RETURN, 8);
	assert_int_equal(guest_enter(&world->guest, 0, role, registers), RETURN);
	registers[MACHINE_RSP] += 8;
	registers[MACHINE_RAX] = result;
	guest_return(&world->guest, 0, RETURN, registers);
}

static const struct source *source_of(struct world *world, uint64_t address)
{
	const struct allocation *found = find(world, address);

	assert_non_null(found);
	return &recorder_sources(world->recorder)->all.items[found->source];
}

static void an_object_is_of_its_cache_and_who_called(void **state)
{
	struct world *world = *state;
	const struct source *source;
	uint64_t alloc[16] = { [MACHINE_RDI] = MEMORY + CACHE };
	uint64_t kmalloc[16] = { [MACHINE_RDI] = MEMORY + CACHE,
				 [MACHINE_RCX] = 150,
				 [MACHINE_R8] = 0xffffffff81777777 };
	uint64_t failed[16] = { [MACHINE_RDI] = MEMORY + CACHE };

	add_cache(world);
	call(world, ROLE_SLAB_ALLOC, alloc, OBJECT);
	source = source_of(world, OBJECT + 191);
	assert_int_equal(source->form, COUNTS_FORM_SLAB);
	assert_int_equal(source->site, RETURN);
	assert_int_equal(source->size, 0);
	assert_string_equal(recorder_sources(world->recorder)->caches.items[source->cache - 1].name,
			    "dentry");
	assert_null(find(world, OBJECT + 192));
	call(world, ROLE_SLAB_KMALLOC, kmalloc, OBJECT + 256);
	source = source_of(world, OBJECT + 256);
	assert_int_equal(source->site, 0xffffffff81777777);
	assert_int_equal(source->size, 150);
	call(world, ROLE_SLAB_ALLOC, failed, 0);
	call(world, ROLE_SLAB_ALLOC, failed, 16); /* ZERO_SIZE_PTR */
	assert_null(find(world, 0));
	assert_null(find(world, 16));
	/* One cache, however often it is used. */
	assert_int_equal(recorder_sources(world->recorder)->caches.nr, 1);
}

static void objects_come_and_go_by_the_bulk(void **state)
{
	struct world *world = *state;
	uint64_t alloc[16] = {
		[MACHINE_RDI] = MEMORY + CACHE, [MACHINE_RDX] = 2, [MACHINE_RCX] = MEMORY + OBJECTS
	};
	uint64_t release[16] = { [MACHINE_RSI] = 2, [MACHINE_RDX] = MEMORY + OBJECTS };

	add_cache(world);
	put(world, OBJECTS, OBJECT, 8);
	put(world, OBJECTS + 8, OBJECT + 512, 8);
	put(world, OBJECTS + 16, OBJECT + 1024, 8);
	call(world, ROLE_SLAB_BULK, alloc, 2);
	assert_non_null(find(world, OBJECT));
	assert_non_null(find(world, OBJECT + 512));
	assert_null(find(world, OBJECT + 1024));
	assert_int_equal(guest_enter(&world->guest, 0, ROLE_SLAB_FREE_BULK, release), 0);
	assert_true(find(world, OBJECT)->is_free);
	assert_true(find(world, OBJECT + 512)->is_free);
}

static void per_cpu_memory_is_one_object_on_each_cpu(void **state)
{
	struct world *world = *state;
	struct settings_numbers *numbers = &world->settings.numbers;
	const uint64_t areas[2] = { 0xffff888001000000, 0xffff888001100000 };
	uint64_t alloc[16] = { [MACHINE_RDI] = 24 };

	numbers->percpu_offsets = MEMORY + OBJECTS;
	numbers->percpu_size = 0x2000;
	put(world, OBJECTS, areas[0], 8);
	put(world, OBJECTS + 8, areas[1], 8);
	guest_add_percpu_areas(&world->guest);
	call(world, ROLE_PERCPU_ALLOC, alloc, 0x8000);
	for (int cpu = 0; cpu < 2; cpu++) {
		assert_int_equal(source_of(world, areas[cpu] + 0x1ff8)->form,
				 COUNTS_FORM_PERCPU_STATIC);
		assert_null(find(world, areas[cpu] + 0x2000));
		assert_int_equal(source_of(world, areas[cpu] + 0x8010)->form, COUNTS_FORM_PERCPU);
		assert_int_equal(find(world, areas[cpu] + 0x8010)->start, areas[cpu] + 0x8000);
		assert_int_equal(find(world, areas[cpu] + 0x8010)->size, 24);
	}
}

/* The caller stands three words up, behind two functions of the allocator. */
static void vmallocs_caller_is_behind_the_allocator(void **state)
{
	struct world *world = *state;
	uint64_t alloc[16] = { [MACHINE_RDI] = 0x5000 };

	put(world, 0xe00 + 3 * 8, 0xffffffff81888888, 8);
	call(world, ROLE_VMALLOC, alloc, 0xffffc90000010000);
	assert_int_equal(source_of(world, 0xffffc90000014ff8)->form, COUNTS_FORM_VMALLOC);
	assert_int_equal(source_of(world, 0xffffc90000014ff8)->site, 0xffffffff81888888);
	assert_null(find(world, 0xffffc90000015000));
}

enum { MODULE = 0x400, ATTRIBUTES = 0x500, SECTION_NAME = 0x600 };

static void a_module_is_told_with_its_sections(void **state)
{
	struct world *world = *state;
	struct settings_numbers *numbers = &world->settings.numbers;
	const uint64_t registers[16] = { [MACHINE_RDI] = MEMORY + MODULE };
	const struct guest_module *module;

	numbers->module_name = 8;
	numbers->module_base = 64;
	numbers->module_size = 72;
	numbers->module_sections = 80;
	numbers->sections_nr = 4;
	numbers->sections_first = 16;
	numbers->section_size = 32;
	numbers->section_name = 8;
	numbers->section_address = 24;
	strcpy((char *)&world->memory[MODULE + 8], "xfs");
	put(world, MODULE + 64, 0xffffffffc0100000, 8);
	put(world, MODULE + 72, 0x9000, 4);
	put(world, MODULE + 80, MEMORY + ATTRIBUTES, 8);
	put(world, ATTRIBUTES + 4, 2, 4);
	for (uint64_t i = 0; i < 2; i++) {
		put(world, ATTRIBUTES + 16 + 32 * i + 8, MEMORY + SECTION_NAME + 16 * i, 8);
		put(world, ATTRIBUTES + 16 + 32 * i + 24, 0xffffffffc0100000 + 0x1000 * i, 8);
	}
	strcpy((char *)&world->memory[SECTION_NAME], ".text");
	strcpy((char *)&world->memory[SECTION_NAME + 16], ".data");
	assert_int_equal(guest_enter(&world->guest, 0, ROLE_MODULE, registers), 0);
	assert_int_equal(world->guest.modules.nr, 1);
	module = &world->guest.modules.items[0];
	assert_string_equal(module->name, "xfs");
	assert_int_equal(module->start, 0xffffffffc0100000);
	assert_int_equal(module->size, 0x9000);
	assert_int_equal(world->guest.sections.nr, 2);
	assert_string_equal(world->guest.sections.items[1].name, ".data");
	assert_int_equal(world->guest.sections.items[1].address, 0xffffffffc0101000);
	assert_int_equal(world->guest.sections.items[1].module, 0);
}

/* What a damaged kernel says is no reason to eat all memory. */
static void a_module_of_countless_sections_is_cut(void **state)
{
	struct world *world = *state;
	struct settings_numbers *numbers = &world->settings.numbers;
	const uint64_t registers[16] = { [MACHINE_RDI] = MEMORY + MODULE };

	numbers->module_sections = 80;
	numbers->section_size = 32;
	put(world, MODULE + 80, MEMORY + ATTRIBUTES, 8);
	put(world, ATTRIBUTES, UINT32_MAX, 4);
	guest_enter(&world->guest, 0, ROLE_MODULE, registers);
	assert_in_range(world->guest.sections.nr, 1, 10000);
}

struct switched {
	uint32_t cpu;
	char comm[16];
};

static void note_switch(void *context, uint32_t cpu, const char *comm)
{
	struct switched *switched = context;

	switched->cpu = cpu;
	strcpy(switched->comm, comm);
}

static void a_cpu_runs_what_it_switches_to_and_no_interrupt(void **state)
{
	struct world *world = *state;
	struct settings_numbers *numbers = &world->settings.numbers;
	const uint64_t registers[16] = { [MACHINE_RSI] = MEMORY + MODULE };
	struct switched switched = {};

	numbers->task_pid = 4;
	numbers->task_tgid = 8;
	numbers->task_comm = 16;
	put(world, MODULE + 4, 42, 4);
	put(world, MODULE + 8, 40, 4);
	strcpy((char *)&world->memory[MODULE + 16], "fio");
	world->guest.on_switch = note_switch;
	world->guest.context = &switched;
	guest_enter(&world->guest, 1, ROLE_IRQ_ENTER, registers);
	assert_int_equal(guest_context(&world->guest, 1), COUNTS_HARDIRQ);
	assert_int_equal(guest_enter(&world->guest, 1, ROLE_SWITCH, registers), 0);
	assert_int_equal(guest_context(&world->guest, 1), COUNTS_TASK);
	assert_int_equal(world->guest.cpus[1].pid, 42);
	assert_int_equal(world->guest.cpus[1].tgid, 40);
	assert_int_equal(switched.cpu, 1);
	assert_string_equal(switched.comm, "fio");
}

static void the_innermost_context_counts(void **state)
{
	struct world *world = *state;
	uint64_t registers[16] = { [MACHINE_RSP] = MEMORY + 0xe00 };

	put(world, 0xe00, RETURN, 8);
	guest_enter(&world->guest, 0, ROLE_EXCEPTION, registers);
	assert_int_equal(guest_context(&world->guest, 0), COUNTS_EXCEPTION);
	registers[MACHINE_RSP] = MEMORY + 0xd00;
	put(world, 0xd00, RETURN + 1, 8);
	guest_enter(&world->guest, 0, ROLE_SOFTIRQ, registers);
	assert_int_equal(guest_context(&world->guest, 0), COUNTS_SOFTIRQ);
	registers[MACHINE_RSP] += 8;
	guest_return(&world->guest, 0, RETURN, registers); /* another function's return */
	assert_int_equal(guest_context(&world->guest, 0), COUNTS_SOFTIRQ);
	guest_return(&world->guest, 0, RETURN + 1, registers);
	assert_int_equal(guest_context(&world->guest, 0), COUNTS_EXCEPTION);
	registers[MACHINE_RSP] = MEMORY + 0xe08;
	guest_return(&world->guest, 0, RETURN, registers);
	assert_int_equal(guest_context(&world->guest, 0), COUNTS_TASK);
	guest_enter(&world->guest, 0, ROLE_IRQ_EXIT, registers); /* one too many */
	assert_int_equal(guest_context(&world->guest, 0), COUNTS_TASK);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_kernel_that_starts_is_told_its_clocks, setup,
						teardown),
		cmocka_unit_test_setup_teardown(on_several_threads_the_clocks_are_the_hosts, setup,
						teardown),
		cmocka_unit_test_setup_teardown(memory_is_known_before_there_is_a_page_allocator,
						setup, teardown),
		cmocka_unit_test_setup_teardown(mapped_pages_have_the_size_of_all, setup, teardown),
		cmocka_unit_test_setup_teardown(a_page_is_known_by_its_place_in_the_one_array,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_page_is_known_by_the_array_of_its_section, setup,
						teardown),
		cmocka_unit_test_setup_teardown(an_object_is_of_its_cache_and_who_called, setup,
						teardown),
		cmocka_unit_test_setup_teardown(objects_come_and_go_by_the_bulk, setup, teardown),
		cmocka_unit_test_setup_teardown(per_cpu_memory_is_one_object_on_each_cpu, setup,
						teardown),
		cmocka_unit_test_setup_teardown(vmallocs_caller_is_behind_the_allocator, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_module_is_told_with_its_sections, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_module_of_countless_sections_is_cut, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_cpu_runs_what_it_switches_to_and_no_interrupt,
						setup, teardown),
		cmocka_unit_test_setup_teardown(the_innermost_context_counts, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
