/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/emulation.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/facts.h"

enum {
	DEFAULT_CPUS = 8,
	DEFAULT_LINE_SIZE = 64,
	MAX_CPUS = 32, /* -M pc numbers no more without an interrupt remapper in the guest */
};

static struct error *parse_topology(const struct emulate_options *options,
				    struct coherence_topology *ret)
{
	uint64_t smp = emulation_number(&options->smp, DEFAULT_CPUS);
	struct error *err;

	if (!smp || smp > MAX_CPUS)
		return error_create(ERROR_USAGE, "--smp: from 1 to %d CPUs", MAX_CPUS);
	*ret = (struct coherence_topology){ 1, (unsigned int)smp };
	if (!options->topology)
		return NULL;
	err = coherence_parse_topology(options->topology, ret);
	if (!err && options->smp.given && ret->nr_sockets * ret->nr_cpus_per_socket != smp)
		err = error_create(ERROR_USAGE, "--topology %s does not have the %u CPUs of --smp",
				   options->topology, (unsigned int)smp);
	if (!err && ret->nr_sockets * ret->nr_cpus_per_socket > MAX_CPUS)
		err = error_create(ERROR_USAGE, "--topology: at most %d CPUs", MAX_CPUS);
	return err;
}

/* SETSxWAYS */
static struct error *parse_cache(const char *cache, struct coherence_config *ret)
{
	const char *what = "--cache (SETSxWAYS, like 1024x16)", *times = strchr(cache, 'x');
	auto_text struct text sets = {};
	uint64_t nr_sets = 0, nr_ways = 0;
	struct error *err;

	text_add_bytes(&sets, cache, times ? (size_t)(times - cache) : strlen(cache));
	err = options_parse_number(what, text_chars(&sets), &nr_sets);
	if (!err)
		err = options_parse_number(what, times ? times + 1 : "", &nr_ways);
	if (err)
		return err;
	if (!nr_sets || !nr_ways)
		return error_create(ERROR_USAGE,
				    "--cache %s: at least one line; leave it out for "
				    "caches without a limit",
				    cache);
	ret->nr_sets = nr_sets < UINT_MAX ? (unsigned int)nr_sets : UINT_MAX;
	ret->nr_ways = nr_ways < UINT_MAX ? (unsigned int)nr_ways : UINT_MAX;
	return NULL;
}

static struct error *choose_caches(const struct emulate_options *options,
				   const struct coherence_topology *topology,
				   struct coherence_config *ret)
{
	uint64_t line_size = emulation_number(&options->line_size, DEFAULT_LINE_SIZE);
	struct error *err = NULL;

	*ret = (struct coherence_config){
		.topology = *topology,
		.line_size = line_size < UINT_MAX ? (unsigned int)line_size : UINT_MAX,
		.protocol = options->moesi ? COHERENCE_MOESI : COHERENCE_MESI,
	};
	if (options->cache)
		err = parse_cache(options->cache, ret);
	return err ? err : coherence_check(ret);
}

static struct error *choose_machine(const struct emulate_options *options,
				    const struct coherence_topology *topology,
				    const struct coherence_machine **ret)
{
	struct error *err;

	if (!options->machine)
		return NULL;
	err = coherence_find_machine(options->machine, ret);
	if (!err && (*ret)->is_one_socket && topology->nr_sockets > 1)
		return error_create(ERROR_USAGE,
				    "--machine %s has one socket, --topology %s has more",
				    options->machine, options->topology);
	return err;
}

/* DIR, made if it is not there, in full: QEMU reads commas in names as separators. */
static struct error *make_directory(const struct emulate_options *options,
				    const struct workload *workload, char **ret)
{
	const char *base = strrchr(workload->path, '/') ?: workload->path;
	auto_text struct text name = {};
	char *path;

	text_add(&name, options->directory ?: "");
	if (!options->directory)
		text_printf(&name, "emulated-%s", base + (*base == '/'));
	if (mkdir(text_chars(&name), 0777) && errno != EEXIST)
		return error_from_errno(errno, "cannot make the directory '%s'", name.chars);
	path = realpath(text_chars(&name), NULL);
	if (!path)
		return error_from_errno(errno, "cannot use the directory '%s'", name.chars);
	*ret = path;
	if (strchr(path, ',') || strchr(path, ' '))
		return error_create(ERROR_USAGE, "'%s': no commas and spaces in --output", path);
	return NULL;
}

static void add_settings(const struct emulate_options *options,
			 const struct coherence_config *coherence, const struct workload *workload,
			 struct text *settings)
{
	const struct coherence_topology *topology = &coherence->topology;

	text_printf(settings, "topology %ux%u\nstart %llu\ncount %llu\nwarm_up %llu\n",
		    topology->nr_sockets, topology->nr_cpus_per_socket,
		    (unsigned long long)emulation_number(&options->start, workload->start),
		    (unsigned long long)emulation_number(&options->count, workload->count),
		    (unsigned long long)emulation_number(&options->warm_up, workload->warm_up));
	text_printf(settings, "line_size %u\nmoesi %d\nnr_sets %u\nnr_ways %u\n",
		    coherence->line_size, coherence->protocol == COHERENCE_MOESI,
		    coherence->nr_sets, coherence->nr_ways);
	if (options->perf_data || options->log_cache)
		text_add(settings, "log_events 1\n");
	if (options->period.given)
		text_printf(settings, "period %llu\n", (unsigned long long)options->period.value);
	if (options->every_access)
		text_add(settings, "every_access 1\n");
	if (options->log_cache)
		text_printf(settings, "log_cache %s\n", options->log_cache);
}

/* Given ones, else the workload's own, else an I/O on a block device. */
static void choose_operations(const struct emulate_options *options,
			      const struct workload *workload, struct string_vec *ret)
{
	const struct string_vec *from =
		options->operations.nr ? &options->operations : &workload->operations;

	for (size_t i = 0; i < from->nr; i++)
		*vec_add(ret) = from->items[i];
	if (!ret->nr) {
		*vec_add(ret) = "blkdev_read_iter";
		*vec_add(ret) = "blkdev_write_iter";
	}
}

void emulation_show_progress(void *context, const char *line)
{
	(void)context;
	if (!isatty(STDERR_FILENO))
		return;
	if (line)
		fprintf(stderr, "\r\033[K%s", line);
	else
		fprintf(stderr, "\r\033[K");
}

void emulation_deinit(struct emulation *emulation)
{
	if (emulation->archive.length)
		unlink(text_chars(&emulation->archive));
	workload_deinit(&emulation->workload);
	vec_deinit(&emulation->operations);
	text_deinit(&emulation->settings);
	text_deinit(&emulation->words);
	text_deinit(&emulation->archive);
	free(emulation->directory);
	free(emulation->plugin);
	free(emulation->mark);
}

struct error *emulation_prepare(struct emulation *emulation, const char *name)
{
	const struct emulate_options *options = emulation->options;
	struct error *err = parse_topology(options, &emulation->topology);
	struct coherence_config coherence;

	if (!err)
		err = choose_caches(options, &emulation->topology, &coherence);
	if (!err)
		err = choose_machine(options, &emulation->topology, &emulation->machine);
	if (!err)
		err = workload_find(name, &emulation->workload);
	if (!err)
		err = make_directory(options, &emulation->workload, &emulation->directory);
	if (err)
		return err;
	choose_operations(options, &emulation->workload, &emulation->operations);
	if (options->again)
		return NULL;
	err = workload_own_file("fieldline-emulate.so", &emulation->plugin);
	if (!err)
		err = workload_own_file("mark", &emulation->mark);
	if (err)
		return err;
	add_settings(options, &coherence, &emulation->workload, &emulation->settings);
	text_add(&emulation->words, emulation->workload.boot);
	for (size_t i = 0; i < options->set.nr; i++)
		text_printf(&emulation->words, " %s", options->set.items[i]);
	emulation_show_progress(NULL, "reading the kernel's debug information");
	err = facts_read(options->vmlinux, &emulation->operations, &emulation->settings);
	if (err)
		return err;
	text_printf(&emulation->archive, "%s/initramfs.cpio", emulation->directory);
	emulation_show_progress(NULL, "packing the workload");
	return workload_pack(&emulation->workload, options->modules, emulation->mark,
			     text_chars(&emulation->archive));
}
