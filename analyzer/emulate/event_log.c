/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/event_log.h"

#include <errno.h>

#include "base/text.h"
#include "emulate/record.h"

/* As enum map_kind of trace/recording.h has them, and PERF_TYPE_RAW. */
enum { MAP_OF_KERNEL = 1, MAP_OF_MODULE = 2, TYPE_RAW = 4, EXECUTABLE = 1 };

/* MEM_TRANS_RETIRED.LOAD_LATENCY, MEM_INST_RETIRED.ALL_STORES (Intel SDM 3B, Skylake). */
enum { CONFIG_LOADS = 0x1cd, CONFIG_STORES = 0x82d0, LATENCY_CYCLES = 30 };

struct error *event_log_open(const char *directory, struct event_log *ret)
{
	auto_text struct text path = {};
	uint8_t header[LOG_HEADER_BYTES];
	FILE *file;

	text_printf(&path, "%s/events.log", directory);
	file = fopen(text_chars(&path), "we");
	if (!file)
		return error_from_errno(errno, "cannot write '%s'", text_chars(&path));
	log_put_header(header);
	fwrite(header, 1, sizeof(header), file);
	*ret = (struct event_log){ .file = file };
	return NULL;
}

void event_log_close(struct event_log *log)
{
	if (log->file)
		fclose(log->file);
	log->file = NULL;
}

static void write_record(struct event_log *log, struct record *record, enum log_type type)
{
	size_t nr = record_end(record, type);

	fwrite(record->bytes, 1, nr, log->file);
}

static void write_about(struct event_log *log, const char *name, const char *value)
{
	struct record record = {};

	record_string(&record, name);
	record_string(&record, value);
	write_record(log, &record, LOG_ABOUT);
}

/* "Linux version 6.1.0-57-cloud-amd64 (debian-kernel@..." */
static void write_release(struct event_log *log, const struct guest *guest)
{
	char banner[128];
	char *word = banner, *release = NULL;

	machine_read_string(guest->machine, guest->cpus[0].cpu, guest->settings->numbers.banner,
			    banner, sizeof(banner));
	for (int i = 0; i < 3; i++)
		release = strsep(&word, " ");
	if (release)
		write_about(log, LOG_ABOUT_OS_RELEASE, release);
}

static void write_machine(struct event_log *log, const struct guest *guest)
{
	const struct coherence_topology *topology = &guest->settings->topology;
	struct record record = {};
	char text[32];

	write_about(log, LOG_ABOUT_ARCH, "x86_64");
	write_about(log, LOG_ABOUT_HOSTNAME, "fieldline-emulate");
	write_about(log, LOG_ABOUT_CPU_DESC, "QEMU TCG with a coherence model");
	write_about(log, LOG_ABOUT_CPUID, "GenuineIntel,6,26,3");
	write_about(log, LOG_ABOUT_ARGUMENT, "fieldline");
	write_about(log, LOG_ABOUT_ARGUMENT, "emulate");
	write_release(log, guest);
	snprintf(text, sizeof(text), "%u", guest->nr_cpus);
	write_about(log, LOG_ABOUT_NR_CPUS, text);
	write_about(log, LOG_ABOUT_NR_CPUS_ONLINE, text);
	for (unsigned int i = 0; i < topology->nr_sockets; i++) {
		unsigned int first = i * topology->nr_cpus_per_socket;

		snprintf(text, sizeof(text), "%u-%u", first,
			 first + topology->nr_cpus_per_socket - 1);
		record_number(&record, i);
		record_number(&record, 0);
		record_number(&record, 0);
		record_string(&record, text);
		write_record(log, &record, LOG_NODE);
	}
}

/* Accesses that a record of one stands for. */
static uint64_t period_of(const struct guest *guest)
{
	uint64_t period = guest->settings->numbers.period;

	return period ? period : 1;
}

static void write_event(struct event_log *log, unsigned int index, uint64_t config,
			uint64_t config1, uint64_t period, const char *name)
{
	struct record record = {};

	record_number(&record, index);
	record_number(&record, TYPE_RAW);
	record_number(&record, config);
	record_number(&record, config1);
	record_number(&record, 0);
	record_number(&record, period);
	record_number(&record, 0);
	record_string(&record, name);
	write_record(log, &record, LOG_EVENT);
}

static void write_map(struct event_log *log, unsigned int kind, uint64_t start, uint64_t size,
		      const char *name)
{
	struct record record = {};

	record_number(&record, kind);
	record_number(&record, 0);
	record_number(&record, 0);
	record_number(&record, start);
	record_number(&record, size);
	record_number(&record, 0); /* offset in a file */
	record_number(&record, EXECUTABLE);
	record_number(&record, 0);
	record_number(&record, kind == MAP_OF_KERNEL ? start : 0);
	record_string(&record, ""); /* build-id */
	record_string(&record, name);
	write_record(log, &record, LOG_MAP);
}

static void write_code(struct event_log *log, const struct guest *guest)
{
	const struct settings_numbers *numbers = &guest->settings->numbers;

	write_map(log, MAP_OF_KERNEL, numbers->text_start, numbers->text_end - numbers->text_start,
		  "[kernel.kallsyms]_text");
	for (size_t i = 0; i < guest->modules.nr; i++) {
		const struct guest_module *module = &guest->modules.items[i];
		char name[sizeof(module->name) + 2];

		snprintf(name, sizeof(name), "[%s]", module->name);
		write_map(log, MAP_OF_MODULE, module->start, module->size, name);
	}
}

/* Caches that were seen since the last time. */
static void write_caches(struct event_log *log, const struct guest *guest)
{
	const struct source_cache_vec *caches = &recorder_sources(guest->recorder)->caches;
	const char *wanted = guest->settings->log_cache;
	struct record record = {};

	for (; log->nr_caches < caches->nr; log->nr_caches++) {
		const struct source_cache *cache = &caches->items[log->nr_caches];

		record_number(&record, log->nr_caches);
		record_number(&record, cache->object_size);
		record_string(&record, cache->name);
		write_record(log, &record, LOG_CACHE);
		if (wanted && !strcmp(wanted, cache->name))
			log->cache = (uint32_t)log->nr_caches + 1;
	}
}

void event_log_start(struct event_log *log, const struct guest *guest, uint64_t time_ns)
{
	const struct allocation_vec *all = &recorder_allocations(guest->recorder)->all;

	if (!log->file)
		return;
	write_machine(log, guest);
	write_event(log, EVENT_LOG_LOADS, CONFIG_LOADS, LATENCY_CYCLES, period_of(guest),
		    "cpu/mem-loads,ldlat=30/P");
	write_event(log, EVENT_LOG_STORES, CONFIG_STORES, 0, period_of(guest), "cpu/mem-stores/P");
	write_code(log, guest);
	for (size_t i = 0; i < all->nr; i++) {
		const struct allocation *allocation = &all->items[i];

		/* Memory that was handed out again in other pieces is still in the list. */
		if (!allocation->is_free && allocations_find(recorder_allocations(guest->recorder),
							     allocation->start) == allocation)
			event_log_allocation(log, guest, 0, allocation, time_ns);
	}
}

void event_log_allocation(struct event_log *log, const struct guest *guest, uint32_t cpu,
			  const struct allocation *allocation, uint64_t time_ns)
{
	const struct source *source =
		&recorder_sources(guest->recorder)->all.items[allocation->source];
	struct log_allocation record = {
		.time_ns = time_ns,
		.cpu = cpu,
		.pid = guest->cpus[cpu].pid,
		.cache = source->cache,
		.addr = allocation->start,
		.size = source->size ? source->size : allocation->size,
		.size_taken = allocation->size,
		.site = source->site,
	};
	uint8_t bytes[LOG_RECORD_MAX];
	size_t nr;

	if (!log->file || source->form != COUNTS_FORM_SLAB)
		return;
	write_caches(log, guest);
	nr = log_put_allocation(bytes, &log->last, allocation->is_free ? LOG_FREE : LOG_ALLOCATION,
				&record);
	fwrite(bytes, 1, nr, log->file);
}

bool event_log_chooses(struct event_log *log, const struct guest *guest, uint64_t address)
{
	const struct allocation *allocation;

	if (!log->file || !log->cache)
		return false;
	allocation = allocations_find(recorder_allocations(guest->recorder), address);
	return allocation &&
	       recorder_sources(guest->recorder)->all.items[allocation->source].cache == log->cache;
}

static uint32_t kind_of(unsigned int access)
{
	if (access == COHERENCE_ATOMIC)
		return LOG_LOAD | LOG_STORE | LOG_LOCKED;
	return access == COHERENCE_LOAD ? LOG_LOAD : LOG_STORE;
}

void event_log_access(struct event_log *log, const struct guest *guest,
		      const struct coherence_access *access, enum log_outcome outcome, uint64_t ip,
		      uint64_t time_ns)
{
	const struct guest_cpu *state = &guest->cpus[access->cpu];
	uint64_t period = period_of(guest);
	struct log_access record = {
		.has = LOG_HAS_EVENT | LOG_HAS_CPU | LOG_HAS_TIME | LOG_HAS_IP | LOG_HAS_ADDR |
		       LOG_HAS_SIZE | LOG_HAS_TID | LOG_HAS_OUTCOME |
		       (period > 1 ? LOG_HAS_PERIOD : 0),
		.kind = kind_of(access->kind),
		.event = access->kind == COHERENCE_STORE ? EVENT_LOG_STORES : EVENT_LOG_LOADS,
		.cpu = access->cpu,
		.time_ns = time_ns,
		.ip = ip,
		.addr = access->address,
		.size = access->size,
		.pid = state->tgid,
		.tid = state->pid,
		.outcome = outcome,
		.period = period,
	};
	uint8_t bytes[LOG_RECORD_MAX];

	if (log->file)
		fwrite(bytes, 1, log_put_access(bytes, &log->last, &record), log->file);
}

void event_log_comm(struct event_log *log, const struct guest *guest, uint32_t cpu,
		    const char *name)
{
	struct record record = {};

	if (!log->file)
		return;
	record_number(&record, guest->cpus[cpu].tgid);
	record_number(&record, guest->cpus[cpu].pid);
	record_number(&record, 0);
	record_string(&record, name);
	write_record(log, &record, LOG_COMM);
}
