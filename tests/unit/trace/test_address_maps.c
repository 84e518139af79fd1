/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/made_recording.h"
#include "trace/address_maps.h"

enum { KERNEL = 1, USER = 2 };

static void add_map(struct address_maps *maps, struct item item)
{
	address_maps_add(maps, &item);
}

static struct c2c_place place_of(struct address_maps *maps, uint16_t misc, uint32_t pid,
				 uint64_t addr)
{
	struct item item = made_sample(1, addr, 0);

	item.sample.misc = misc;
	item.sample.pid = item.sample.tid = pid;
	return address_maps_place(maps, &item.sample);
}

static void the_kernel_and_processes_do_not_see_each_other(void **state)
{
	struct address_maps *maps = address_maps_create();

	(void)state;
	add_map(maps, made_kernel_map());
	add_map(maps, made_user_map(1, 0x1000, 0x1000, "//anon", 0));
	assert_true(place_of(maps, KERNEL, 1, MADE_TEXT + 5).is_addr_mapped);
	assert_false(place_of(maps, USER, 1, MADE_TEXT + 5).is_addr_mapped);
	assert_true(place_of(maps, USER, 1, 0x1fff).is_addr_mapped);
	assert_false(place_of(maps, USER, 1, 0x2000).is_addr_mapped);
	assert_false(place_of(maps, USER, 2, 0x1000).is_addr_mapped);
	assert_false(place_of(maps, KERNEL, 1, 0x1000).is_addr_mapped);
	/* Code is looked for in both. */
	assert_true(place_of(maps, USER, 1, 0).is_ip_mapped);
	address_maps_destroy(maps);
}

static void a_file_is_one_place_wherever_it_is_mapped(void **state)
{
	struct address_maps *maps = address_maps_create();
	struct c2c_place first, second;

	(void)state;
	add_map(maps, made_user_map(1, 0x10000, 0x1000, "/a", 7));
	add_map(maps, made_user_map(2, 0x50000, 0x1000, "/a", 7));
	first = place_of(maps, USER, 1, 0x10040);
	second = place_of(maps, USER, 2, 0x50040);
	assert_int_equal(first.addr, 0x3040);
	assert_int_equal(second.addr, first.addr);
	assert_int_equal(second.file_id, first.file_id);
	assert_int_equal(second.pid, first.pid);
	address_maps_destroy(maps);
}

static void anonymous_memory_is_one_of_each_process_unless_shared(void **state)
{
	struct address_maps *maps = address_maps_create();
	struct item shared = made_user_map(1, 0x9000, 0x1000, "//anon", 0);

	(void)state;
	add_map(maps, made_user_map(1, 0x1000, 0x1000, "//anon", 0));
	shared.map.shared = true;
	add_map(maps, shared);
	assert_int_equal(place_of(maps, USER, 1, 0x1000).pid, 1);
	assert_int_equal(place_of(maps, USER, 1, 0x1000).addr, 0x1000);
	assert_int_equal(place_of(maps, USER, 1, 0x9000).pid, 0);
	address_maps_destroy(maps);
}

static void a_new_map_takes_what_it_covers_and_leaves_the_rest(void **state)
{
	struct address_maps *maps = address_maps_create();

	(void)state;
	add_map(maps, made_user_map(1, 0x1000, 0x1000, "/a", 7));
	add_map(maps, made_user_map(1, 0x2000, 0x1000, "/b", 8));
	add_map(maps, made_user_map(1, 0x3000, 0x1000, "/c", 9));
	add_map(maps, made_user_map(1, 0x1800, 0x1a00, "/new", 1)); /* over a's end, b, c's start */
	add_map(maps, made_user_map(1, 0x2100, 0x100, "/in", 2));   /* in the middle of that */
	assert_int_equal(place_of(maps, USER, 1, 0x17ff).file_id, 7);
	assert_int_equal(place_of(maps, USER, 1, 0x1800).file_id, 1);
	assert_int_equal(place_of(maps, USER, 1, 0x20ff).file_id, 1);
	assert_int_equal(place_of(maps, USER, 1, 0x2100).file_id, 2);
	assert_int_equal(place_of(maps, USER, 1, 0x2200).file_id, 1);
	assert_int_equal(place_of(maps, USER, 1, 0x31ff).file_id, 1);
	assert_int_equal(place_of(maps, USER, 1, 0x3200).file_id, 9);
	/* What is left keeps its place in its file. */
	assert_int_equal(place_of(maps, USER, 1, 0x3240).addr, 0x3240);
	assert_int_equal(place_of(maps, USER, 1, 0x2240).addr, 0x3000 + 0x2240 - 0x1800);
	address_maps_destroy(maps);
}

static void a_fork_hands_memory_on_and_an_exec_does_not(void **state)
{
	struct address_maps *maps = address_maps_create();
	struct item fork = { .kind = ITEM_FORK, .task = { 2, 2, 1, 1, false } };

	(void)state;
	add_map(maps, made_user_map(1, 0x1000, 0x1000, "//anon", 0));
	address_maps_add(maps, &fork);
	assert_true(place_of(maps, USER, 2, 0x1000).is_addr_mapped);
	assert_int_equal(place_of(maps, USER, 2, 0x1000).pid, 2);
	fork.task = (struct recorded_task){ 3, 3, 1, 1, true };
	address_maps_add(maps, &fork);
	assert_false(place_of(maps, USER, 3, 0x1000).is_addr_mapped);
	address_maps_destroy(maps);
}

static void a_thread_sees_the_memory_of_its_process(void **state)
{
	struct address_maps *maps = address_maps_create();
	struct item item = made_sample(1, 0x1000, 0);

	(void)state;
	add_map(maps, made_user_map(1, 0x1000, 0x1000, "//anon", 0));
	item.sample.misc = USER;
	item.sample.pid = 1;
	item.sample.tid = 17;
	assert_true(address_maps_place(maps, &item.sample).is_addr_mapped);
	address_maps_destroy(maps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_and_processes_do_not_see_each_other),
		cmocka_unit_test(a_file_is_one_place_wherever_it_is_mapped),
		cmocka_unit_test(anonymous_memory_is_one_of_each_process_unless_shared),
		cmocka_unit_test(a_new_map_takes_what_it_covers_and_leaves_the_rest),
		cmocka_unit_test(a_fork_hands_memory_on_and_an_exec_does_not),
		cmocka_unit_test(a_thread_sees_the_memory_of_its_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
