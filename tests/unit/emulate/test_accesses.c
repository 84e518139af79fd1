/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "emulate/accesses.h"

/* QEMU's side: what it says of an access is 1 << shift bytes, a store or not. */
enum { STORE = 1 << 8 };

struct qemu_plugin_hwaddr {
	uint64_t address;
	bool is_device;
};

static struct qemu_plugin_hwaddr mapped;
static unsigned int nr_asked;

unsigned int qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info)
{
	return info & 0xff;
}

bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info)
{
	return info & STORE;
}

struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t info, uint64_t vaddr)
{
	(void)info;
	(void)vaddr;
	nr_asked++;
	return &mapped;
}

bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *haddr)
{
	return haddr->is_device;
}

uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *haddr)
{
	return haddr->address;
}

#define DIRECT 0xffff888000001008ull
#define STACK 0xffffc90000001008ull

static const uint32_t info_8 = 3;

struct world {
	struct guest guest;
	struct accesses accesses;
	struct coherence_access access;
};

static int setup(void **state)
{
	static struct world world;

	world = (struct world){ .accesses = { .guest = &world.guest } };
	mapped = (struct qemu_plugin_hwaddr){};
	nr_asked = 0;
	*state = &world;
	return 0;
}

static bool make(struct world *world, uint32_t info, uint64_t address, bool is_wide, bool is_atomic)
{
	const struct place place = { .number = 7, .is_wide = is_wide, .is_atomic = is_atomic };

	return accesses_make(&world->accesses, 1, info, address, access_word(&place),
			     &world->access);
}

static void memory_of_the_kernel_is_where_it_is(void **state)
{
	struct world *world = *state;

	world->guest.cpus[1].nr_softirqs = 1;
	assert_true(make(world, 2 | STORE, DIRECT, false, false));
	assert_int_equal(world->access.address, DIRECT);
	assert_int_equal(world->access.size, 4);
	assert_int_equal(world->access.cpu, 1);
	assert_int_equal(world->access.kind, COHERENCE_STORE);
	assert_int_equal(world->access.place, recorder_place(7, COUNTS_SOFTIRQ));
	assert_int_equal(nr_asked, 0);
}

static void a_users_address_becomes_the_kernels(void **state)
{
	struct world *world = *state;

	mapped.address = 0x5678;
	assert_true(make(world, info_8, 0x7fff00001678, false, false));
	assert_int_equal(world->access.address, 0xffff888000005678);
}

static void devices_are_left_out(void **state)
{
	struct world *world = *state;

	mapped.is_device = true;
	assert_false(make(world, info_8, 0xffffffffff5fc0b0, false, false));
	assert_false(make(world, info_8, STACK, false, false));
	assert_int_equal(world->accesses.nr_io, 2);
}

static void a_page_is_asked_for_once_until_a_device_is_mapped(void **state)
{
	struct world *world = *state;

	for (int i = 0; i < 3; i++)
		assert_true(make(world, info_8, STACK + 16 * i, false, false));
	assert_int_equal(nr_asked, 1);
	world->guest.nr_device_mappings++;
	mapped.is_device = true;
	for (int i = 0; i < 3; i++)
		assert_false(make(world, info_8, STACK, false, false));
	assert_int_equal(nr_asked, 4);
}

static void an_atomic_is_one_access(void **state)
{
	struct world *world = *state;

	assert_true(make(world, info_8, DIRECT, false, true));
	assert_int_equal(world->access.kind, COHERENCE_ATOMIC);
	assert_false(make(world, info_8 | STORE, DIRECT, false, true));
	/* On several threads QEMU tells of one store. */
	world->accesses.fast = true;
	assert_true(make(world, info_8 | STORE, DIRECT, false, true));
	assert_int_equal(world->access.kind, COHERENCE_ATOMIC);
}

static void two_halves_are_one_access_of_16_bytes(void **state)
{
	struct world *world = *state;

	for (int i = 0; i < 2; i++) {
		assert_true(make(world, info_8, DIRECT, true, false));
		assert_int_equal(world->access.size, 16);
		assert_false(make(world, info_8, DIRECT + 8, true, false));
	}
	/* No second half: something else. */
	assert_true(make(world, info_8, DIRECT, true, false));
	assert_true(make(world, info_8, DIRECT + 16, true, false));
	assert_true(make(world, info_8 | STORE, DIRECT + 24, true, false));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(memory_of_the_kernel_is_where_it_is, setup),
		cmocka_unit_test_setup(a_users_address_becomes_the_kernels, setup),
		cmocka_unit_test_setup(devices_are_left_out, setup),
		cmocka_unit_test_setup(a_page_is_asked_for_once_until_a_device_is_mapped, setup),
		cmocka_unit_test_setup(an_atomic_is_one_access, setup),
		cmocka_unit_test_setup(two_halves_are_one_access_of_16_bytes, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
