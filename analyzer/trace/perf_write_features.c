/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/perf_write_features.h"

#include "base/text.h"
#include "trace/perf_format.h"

/* As perf pads its strings: to a multiple of this, the NUL included. */
enum { NAME_ALIGN = 64 };

static void put_string(struct pack *pack, const char *chars)
{
	size_t nr = strlen(chars) + 1;
	size_t padded = (nr + NAME_ALIGN - 1) / NAME_ALIGN * NAME_ALIGN;

	pack_u32(pack, (uint32_t)padded);
	pack_bytes(pack, chars, nr);
	pack_zeros(pack, padded - nr);
}

static uint64_t attr_flags(bool big_endian)
{
	static const enum perf_attr_flag flags[] = {
		PERF_ATTR_DISABLED,  PERF_ATTR_MMAP,	      PERF_ATTR_COMM,  PERF_ATTR_TASK,
		PERF_ATTR_MMAP_DATA, PERF_ATTR_SAMPLE_ID_ALL, PERF_ATTR_MMAP2, PERF_ATTR_COMM_EXEC,
	};
	uint64_t word = 0;

	for (size_t i = 0; i < array_size(flags); i++)
		word |= 1ull << (big_endian ? 63 - flags[i] : flags[i]);
	return word;
}

void perf_write_attr(struct pack *pack, const struct recorded_event *event, uint64_t sample_type)
{
	/*
	 * A tracepoint's layout is not written, and perf refuses a file with a tracepoint that it
	 * can't find there: the software event that never counts takes its place, under its name.
	 */
	bool is_tracepoint = event->type == PERF_TYPE_TRACEPOINT;
	size_t end = pack->nr + PERF_WRITE_ATTR_BYTES;

	pack_u32(pack, is_tracepoint ? PERF_TYPE_SOFTWARE : event->type);
	pack_u32(pack, PERF_WRITE_ATTR_BYTES);
	pack_u64(pack, is_tracepoint ? PERF_COUNT_SW_DUMMY : event->config);
	pack_u64(pack, event->period ? event->period : 1);
	pack_u64(pack, sample_type);
	pack_u64(pack, 0); /* read_format */
	pack_u64(pack, attr_flags(pack->big_endian));
	pack_u64(pack, 0); /* wakeup, bp_type */
	pack_u64(pack, event->config1);
	pack_u64(pack, event->config2);
	pack_zeros(pack, end - pack->nr);
}

static void put_event_desc(struct pack *pack, const struct recording_about *about,
			   uint64_t sample_type)
{
	pack_u32(pack, (uint32_t)about->events.nr);
	pack_u32(pack, PERF_WRITE_ATTR_BYTES);
	for (size_t i = 0; i < about->events.nr; i++) {
		perf_write_attr(pack, &about->events.items[i], sample_type);
		pack_u32(pack, 1);
		put_string(pack, about->events.items[i].name);
		pack_u64(pack, perf_write_event_id(i));
	}
}

struct coverage {
	uint8_t *covered; /* a byte a CPU */
};

static void cover(void *context, uint32_t cpu)
{
	struct coverage *coverage = context;

	coverage->covered[cpu] = 1;
}

/* The list of CPUs below nr that are not covered: perf c2c crashes on a CPU without a node. */
static void add_uncovered(struct text *text, const struct coverage *coverage, uint32_t nr)
{
	for (uint32_t cpu = 0; cpu < nr; cpu++) {
		uint32_t last = cpu;

		if (coverage->covered[cpu])
			continue;
		while (last + 1 < nr && !coverage->covered[last + 1])
			last++;
		text_printf(text, "%s%u", text->length ? "," : "", cpu);
		if (last > cpu)
			text_printf(text, "-%u", last);
		cpu = last;
	}
}

static void put_numa_topology(struct pack *pack, const struct recording_about *about,
			      uint32_t nr_cpus)
{
	static const struct recorded_node only_node = { .cpus = "" };
	const struct recorded_node *nodes = about->nodes.nr ? about->nodes.items : &only_node;
	size_t nr = about->nodes.nr ? about->nodes.nr : 1;
	auto_free uint8_t *covered = memory_alloc(nr_cpus + 1, 1);
	struct coverage coverage = { covered };

	for (size_t i = 0; i < nr; i++)
		about_each_cpu(nodes[i].cpus, nr_cpus, cover, &coverage);
	pack_u32(pack, (uint32_t)nr);
	for (size_t i = 0; i < nr; i++) {
		auto_text struct text cpus = {};

		text_add(&cpus, nodes[i].cpus);
		if (!i)
			add_uncovered(&cpus, &coverage, nr_cpus);
		pack_u32(pack, nodes[i].id);
		pack_u64(pack, nodes[i].total_kb);
		pack_u64(pack, nodes[i].free_kb);
		put_string(pack, text_chars(&cpus));
	}
}

/* perf's list of siblings is for people to read: only the numbers of each CPU are known here. */
static bool put_cpu_topology(struct pack *pack, const struct recording_about *about,
			     uint32_t nr_cpus)
{
	const struct recorded_cpu_vec *cpus = &about->cpus;

	if (!cpus->nr || cpus->items[0].core < 0)
		return false;
	pack_u32(pack, 0);
	pack_u32(pack, 0);
	for (uint32_t i = 0; i < nr_cpus; i++) {
		pack_u32(pack, i < cpus->nr ? (uint32_t)cpus->items[i].core : UINT32_MAX);
		pack_u32(pack, i < cpus->nr ? (uint32_t)cpus->items[i].socket : UINT32_MAX);
	}
	pack_u32(pack, 0);
	for (uint32_t i = 0; i < nr_cpus; i++)
		pack_u32(pack, i < cpus->nr ? (uint32_t)cpus->items[i].die : UINT32_MAX);
	return true;
}

static void put_cmdline(struct pack *pack, const struct recording_about *about)
{
	pack_u32(pack, (uint32_t)about->cmdline.nr);
	for (size_t i = 0; i < about->cmdline.nr; i++)
		put_string(pack, about->cmdline.items[i]);
}

bool perf_write_build_id(struct pack *pack, uint32_t type, const struct recorded_build_id *build_id)
{
	size_t nr = strlen(build_id->name) + 1;
	size_t padded = (nr + 7) / 8 * 8;

	if (padded > PERF_RECORD_BYTES_MAX / 2)
		return false;
	pack_u32(pack, type);
	pack_u16(pack, PERF_MISC_BUILD_ID_SIZE | (build_id->is_kernel ? PERF_RECORD_MISC_KERNEL :
									PERF_RECORD_MISC_USER));
	pack_u16(pack, (uint16_t)(PERF_RECORD_HEADER_BYTES + 4 + 24 + padded));
	pack_u32(pack, UINT32_MAX); /* the host's */
	pack_bytes(pack, build_id->bytes, sizeof(build_id->bytes));
	pack_bytes(pack, &build_id->size, 1);
	pack_zeros(pack, 3);
	pack_bytes(pack, build_id->name, nr);
	pack_zeros(pack, padded - nr);
	return true;
}

static bool put_build_ids(struct pack *pack, const struct recording_about *about)
{
	for (size_t i = 0; i < about->build_ids.nr; i++)
		perf_write_build_id(pack, 0, &about->build_ids.items[i]);
	return about->build_ids.nr;
}

static bool put_known(struct pack *pack, const char *chars)
{
	if (chars)
		put_string(pack, chars);
	return chars;
}

bool perf_write_feature(struct pack *pack, unsigned int feature,
			const struct recording_about *about, uint32_t nr_cpus, uint64_t sample_type)
{
	switch (feature) {
	case PERF_FEATURE_BUILD_ID:
		return put_build_ids(pack, about);
	case PERF_FEATURE_HOSTNAME:
		return put_known(pack, about->hostname);
	case PERF_FEATURE_OSRELEASE:
		return put_known(pack, about->os_release);
	case PERF_FEATURE_VERSION:
		return put_known(pack, about->version);
	case PERF_FEATURE_ARCH:
		return put_known(pack, about->arch);
	case PERF_FEATURE_CPUDESC:
		return put_known(pack, about->cpu_desc);
	case PERF_FEATURE_CPUID:
		return put_known(pack, about->cpuid);
	case PERF_FEATURE_NRCPUS:
		if (!nr_cpus)
			return false;
		pack_u32(pack, nr_cpus);
		pack_u32(pack, about->nr_cpus_online ? about->nr_cpus_online : nr_cpus);
		return true;
	case PERF_FEATURE_TOTAL_MEM:
		if (about->total_memory_kb)
			pack_u64(pack, about->total_memory_kb);
		return about->total_memory_kb;
	case PERF_FEATURE_CMDLINE:
		if (about->cmdline.nr)
			put_cmdline(pack, about);
		return about->cmdline.nr;
	case PERF_FEATURE_EVENT_DESC:
		put_event_desc(pack, about, sample_type);
		return true;
	case PERF_FEATURE_CPU_TOPOLOGY:
		return put_cpu_topology(pack, about, nr_cpus);
	case PERF_FEATURE_NUMA_TOPOLOGY:
		if (!nr_cpus)
			return false;
		put_numa_topology(pack, about, nr_cpus);
		return true;
	default:
		return false;
	}
}
