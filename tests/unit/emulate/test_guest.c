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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
