/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/perf_features.h"

#include "trace/perf_format.h"

/* A length and that many bytes, of which those up to a NUL count; NULL when they are not there. */
static const char *perf_string_parse(struct recording *recording, struct bytes *bytes)
{
	uint32_t nr = bytes_u32(bytes);
	const uint8_t *chars = bytes_take(bytes, nr);

	/* After a failure an empty string would still be there for the taking. */
	return bytes->failed ? NULL : recording_keep(recording, chars, nr);
}

static bool parse_cmdline(struct recording *recording, struct bytes *bytes)
{
	uint32_t nr = bytes_u32(bytes);
	const char *word;

	recording->about.cmdline.nr = 0;
	for (uint32_t i = 0; i < nr && !bytes->failed; i++) {
		word = perf_string_parse(recording, bytes);
		if (word)
			*vec_add(&recording->about.cmdline) = word;
	}
	return !bytes->failed;
}

/* Only the names are of use: the attributes themselves stand in the header, or in ATTR records. */
static bool parse_event_desc(struct recording *recording, struct bytes *bytes)
{
	uint32_t nr = bytes_u32(bytes);
	uint32_t attr_size = bytes_u32(bytes);
	const char *name;
	uint32_t nr_ids;

	for (uint32_t i = 0; i < nr && i < recording->about.events.nr; i++) {
		bytes_take(bytes, attr_size);
		nr_ids = bytes_u32(bytes);
		name = perf_string_parse(recording, bytes);
		bytes_take(bytes, 8ull * nr_ids);
		if (!bytes->failed)
			recording->about.events.items[i].name = name;
	}
	return !bytes->failed;
}

static void skip_strings(struct bytes *bytes)
{
	uint32_t nr = bytes_u32(bytes);

	for (uint32_t i = 0; i < nr && !bytes->failed; i++)
		bytes_take(bytes, bytes_u32(bytes));
}

/* Three revisions: siblings only; with core and socket of each CPU; with its die. */
static bool parse_cpu_topology(struct recording *recording, struct bytes *bytes)
{
	struct recording_about *about = &recording->about;
	uint32_t nr = about->nr_cpus < ABOUT_MAX_CPUS ? about->nr_cpus : ABOUT_MAX_CPUS;
	struct recorded_cpu *cpu;

	skip_strings(bytes); /* cores */
	skip_strings(bytes); /* threads */
	if (bytes->failed || !bytes_left(bytes))
		return !bytes->failed;
	for (uint32_t i = 0; i < nr && bytes_left(bytes) >= 8; i++) {
		cpu = about_cpu(about, i);
		cpu->core = (int32_t)bytes_u32(bytes);
		cpu->socket = (int32_t)bytes_u32(bytes);
	}
	if (!bytes_left(bytes))
		return true;
	skip_strings(bytes); /* dies */
	for (uint32_t i = 0; i < nr && bytes_left(bytes) >= 4; i++)
		about_cpu(about, i)->die = (int32_t)bytes_u32(bytes);
	return !bytes->failed;
}

static bool parse_numa_topology(struct recording *recording, struct bytes *bytes)
{
	uint32_t nr = bytes_u32(bytes);

	recording->about.nodes.nr = 0;
	for (uint32_t i = 0; i < nr; i++) {
		struct recorded_node node = { .id = bytes_u32(bytes) };

		node.total_kb = bytes_u64(bytes);
		node.free_kb = bytes_u64(bytes);
		node.cpus = perf_string_parse(recording, bytes);
		if (!node.cpus)
			break;
		about_add_node(&recording->about, node);
	}
	return !bytes->failed;
}

void perf_build_id_parse(struct recording *recording, uint16_t misc, struct bytes *bytes)
{
	uint16_t cpu_mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct recorded_build_id build_id = {
		.is_kernel = cpu_mode == PERF_RECORD_MISC_KERNEL,
		.size = sizeof(build_id.bytes),
	};
	const uint8_t *id;
	uint8_t size;

	bytes_u32(bytes); /* pid: of a guest */
	id = bytes_take(bytes, sizeof(build_id.bytes));
	size = bytes_u8(bytes);
	bytes_take(bytes, 3);
	if (bytes->failed)
		return;
	if (misc & PERF_MISC_BUILD_ID_SIZE && size < build_id.size)
		build_id.size = size;
	memcpy(build_id.bytes, id, build_id.size);
	build_id.name = recording_keep(recording, bytes->at, bytes_left(bytes));
	*vec_add(&recording->about.build_ids) = build_id;
}

static bool parse_build_ids(struct recording *recording, struct bytes *bytes)
{
	struct bytes entry;
	const uint8_t *body;
	uint16_t misc, size;

	while (bytes_left(bytes) >= PERF_RECORD_HEADER_BYTES) {
		bytes_u32(bytes); /* type */
		misc = bytes_u16(bytes);
		size = bytes_u16(bytes);
		if (size < PERF_RECORD_HEADER_BYTES)
			return false;
		body = bytes_take(bytes, size - PERF_RECORD_HEADER_BYTES);
		if (!body)
			return false;
		entry = bytes_over(body, size - PERF_RECORD_HEADER_BYTES, bytes->big_endian);
		perf_build_id_parse(recording, misc, &entry);
	}
	return true;
}

static bool parse_string(struct recording *recording, struct bytes *bytes, const char **ret)
{
	*ret = perf_string_parse(recording, bytes);
	return *ret != NULL;
}

bool perf_feature_parse(struct recording *recording, unsigned int feature, struct bytes *bytes)
{
	struct recording_about *about = &recording->about;

	switch (feature) {
	case PERF_FEATURE_BUILD_ID:
		return parse_build_ids(recording, bytes);
	case PERF_FEATURE_HOSTNAME:
		return parse_string(recording, bytes, &about->hostname);
	case PERF_FEATURE_OSRELEASE:
		return parse_string(recording, bytes, &about->os_release);
	case PERF_FEATURE_VERSION:
		return parse_string(recording, bytes, &about->version);
	case PERF_FEATURE_ARCH:
		return parse_string(recording, bytes, &about->arch);
	case PERF_FEATURE_CPUDESC:
		return parse_string(recording, bytes, &about->cpu_desc);
	case PERF_FEATURE_CPUID:
		return parse_string(recording, bytes, &about->cpuid);
	case PERF_FEATURE_NRCPUS:
		about->nr_cpus = bytes_u32(bytes);
		about->nr_cpus_online = bytes_u32(bytes);
		break;
	case PERF_FEATURE_TOTAL_MEM:
		about->total_memory_kb = bytes_u64(bytes);
		break;
	case PERF_FEATURE_CMDLINE:
		return parse_cmdline(recording, bytes);
	case PERF_FEATURE_EVENT_DESC:
		return parse_event_desc(recording, bytes);
	case PERF_FEATURE_CPU_TOPOLOGY:
		return parse_cpu_topology(recording, bytes);
	case PERF_FEATURE_NUMA_TOPOLOGY:
		return parse_numa_topology(recording, bytes);
	case PERF_FEATURE_SAMPLE_TIME:
		about->first_time_ns = bytes_u64(bytes);
		about->last_time_ns = bytes_u64(bytes);
		break;
	default:
		return true;
	}
	return !bytes->failed;
}
