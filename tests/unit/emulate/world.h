/* SPDX-License-Identifier: GPL-2.0-only */
/* A guest of two CPUs whose memory is a few bytes: setup() and teardown() are cmocka's. */
#ifndef FIELDLINE_TESTS_UNIT_EMULATE_WORLD_H
#define FIELDLINE_TESTS_UNIT_EMULATE_WORLD_H

#include <stdlib.h>
#include <string.h>

#include "emulate/guest.h"

/* The guest's memory: 4 KiB, which debug_access() finds through the "CPU". */
enum { MEMORY_SIZE = 4096 };
#define MEMORY 0xffffffff83000000ull

struct world {
	uint8_t memory[MEMORY_SIZE];
	struct settings settings;
	struct machine machine;
	struct recorder *recorder;
	struct guest guest;
};

static inline int debug_access(void *cpu, uint64_t address, void *buffer, size_t size, bool write)
{
	struct world *world = cpu;

	if (address < MEMORY || address + size > MEMORY + MEMORY_SIZE)
		return -1;
	if (write)
		memcpy(&world->memory[address - MEMORY], buffer, size);
	else
		memcpy(buffer, &world->memory[address - MEMORY], size);
	return 0;
}

static inline int setup(void **state)
{
	static const struct recorder_config config = {
		.coherence = { .topology = { 1, 2 }, .line_size = 64 },
		.page_struct = 64,
	};
	struct world *world = memory_alloc(1, sizeof(*world));

	assert_null(recorder_create(&config, &world->recorder));
	world->machine.debug_access = debug_access;
	world->guest = (struct guest){
		.machine = &world->machine,
		.settings = &world->settings,
		.recorder = world->recorder,
		.cpus = { { .cpu = world }, { .cpu = world } },
		.nr_cpus = 2,
	};
	*state = world;
	return 0;
}

static inline int teardown(void **state)
{
	struct world *world = *state;

	recorder_destroy(world->recorder);
	vec_deinit(&world->guest.calls);
	map_deinit(&world->guest.call_numbers);
	vec_deinit(&world->guest.modules);
	vec_deinit(&world->guest.sections);
	free(world);
	return 0;
}

static inline void put(struct world *world, uint64_t offset, uint64_t value, size_t size)
{
	memcpy(&world->memory[offset], &value, size);
}

static inline uint64_t get(const struct world *world, uint64_t offset, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, &world->memory[offset], size);
	return value;
}

#endif
