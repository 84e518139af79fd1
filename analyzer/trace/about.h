/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recording tells of itself: the machine, the events, the files that were running. Read with
 * the recording, and given to a writer. Strings are borrowed; NULL or 0 is "not told".
 */
#ifndef FIELDLINE_TRACE_ABOUT_H
#define FIELDLINE_TRACE_ABOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"

/* No machine has more; what names more is cut there. */
enum { ABOUT_MAX_CPUS = 1 << 16, ABOUT_MAX_NODES = 1024 };

enum recording_format {
	RECORDING_PERF_DATA, /* a file or a directory */
	RECORDING_PERF_PIPE,
	RECORDING_PERF_SCRIPT,
	RECORDING_LOG,
};

struct recorded_event {
	const char *name; /* "cpu/mem-loads,ldlat=30/P"; never NULL once read */
	uint32_t type;	  /* PERF_TYPE_*: 2 is a tracepoint, 4 raw */
	uint64_t config;
	uint64_t config1; /* load latency threshold of ldlat events */
	uint64_t config2;
	uint64_t period;      /* 0 with a frequency */
	uint64_t sample_type; /* PERF_SAMPLE_* */
};

struct recorded_node {
	uint32_t id;
	uint64_t total_kb;
	uint64_t free_kb;
	const char *cpus; /* "0-3,8" */
};

struct recorded_cpu {
	int32_t core; /* -1 = not told */
	int32_t socket;
	int32_t die;
	int32_t node;
};

struct recorded_build_id {
	const char *name; /* "[kernel.kallsyms]", a path */
	uint8_t bytes[20];
	uint8_t size;
	bool is_kernel; /* the kernel's or a module's */
};

DEFINE_VEC(recorded_event_vec, struct recorded_event);
DEFINE_VEC(recorded_node_vec, struct recorded_node);
DEFINE_VEC(recorded_cpu_vec, struct recorded_cpu);
DEFINE_VEC(recorded_build_id_vec, struct recorded_build_id);

struct recording_about {
	enum recording_format format;
	bool big_endian;
	const char *hostname;
	const char *os_release; /* uname -r */
	const char *version;	/* of what recorded */
	const char *arch;	/* uname -m */
	const char *cpu_desc;
	const char *cpuid;
	struct string_vec cmdline;
	uint32_t nr_cpus; /* possible ones; cpus may be shorter */
	uint32_t nr_cpus_online;
	uint64_t total_memory_kb;
	uint64_t first_time_ns; /* of its samples, where the recording says so up front */
	uint64_t last_time_ns;
	struct recorded_event_vec events;
	struct recorded_node_vec nodes;
	struct recorded_cpu_vec cpus; /* index: the CPU */
	struct recorded_build_id_vec build_ids;
};

/* Frees the arrays. */
void about_deinit(struct recording_about *about);

#define auto_about __attribute__((cleanup(about_deinit)))

/*
 * Calls use for each CPU of "0-3,8" below limit, and for at most that many; whether the list is
 * well-formed.
 */
bool about_each_cpu(const char *cpus, uint32_t limit, void (*use)(void *context, uint32_t cpu),
		    void *context);
/* The CPU's place in `cpus`, made if there is none; NULL from ABOUT_MAX_CPUS on. */
struct recorded_cpu *about_cpu(struct recording_about *about, uint64_t cpu);
/* Adds a node, and tells its CPUs that they are in it. Beyond ABOUT_MAX_NODES it is left out. */
void about_add_node(struct recording_about *about, struct recorded_node node);

#endif
