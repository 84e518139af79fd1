/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/session.h"

#include <string.h>
#include <sys/stat.h>

#include "analyze/aggregate.h"
#include "base/map.h"
#include "cmd/module_sections.h"
#include "cmd/recorded_kernel.h"
#include "cmd/session_limits.h"
#include "resolve/objects.h"
#include "resolve/resolver.h"
#include "trace/recording.h"

DEFINE_VEC(ip_vec, uint64_t);

struct session {
	struct session_request request; /* its paths are in the arena where they were found */
	struct arena arena;
	struct resolver *resolver;
	struct objects *objects;
	struct aggregate *aggregate;
	struct profile profile;
	uint64_t nr_memory; /* samples that say where they went */
	/* Reading goes in passes: which instructions, what tells of objects, the report. */
	bool is_collecting;
	bool is_settled;
	bool may_allocate; /* the recording: then it is learned from by time */
	struct map ips_seen;
	struct ip_vec ips;
	struct recorded_kernel kernel;
	struct module_sections sections;
	struct session_facts facts;
	struct map inferred; /* hash of a type and an instruction -> done */
};

const struct profile *session_profile(const struct session *session)
{
	return &session->profile;
}

void session_close(struct session *session)
{
	if (!session)
		return;
	aggregate_destroy(session->aggregate);
	profile_deinit(&session->profile);
	objects_destroy(session->objects);
	resolver_close(session->resolver);
	recorded_kernel_deinit(&session->kernel);
	module_sections_deinit(&session->sections);
	map_deinit(&session->inferred);
	map_deinit(&session->ips_seen);
	vec_deinit(&session->ips);
	arena_deinit(&session->arena);
	free(session);
}

/* Whether the sections are those of this load of the module: it may have been loaded again. */
static bool are_of_load(const struct module_section *sections, size_t nr,
			const struct recorded_map *map)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(sections[i].name, ".text"))
			return sections[i].address - map->start < map->size;
	}
	return false;
}

static void place_sections(struct session *session, const struct recorded_map *map)
{
	size_t nr;
	const struct module_section *sections =
		module_sections_of(&session->sections, map->name, &nr);
	struct placed_section placed;
	bool any = false;

	if (!are_of_load(sections, nr, map))
		return;
	for (size_t i = 0; i < nr; i++) {
		if (!resolver_place_section(session->resolver, map->start, sections[i].name,
					    sections[i].address, &placed))
			continue;
		any = true;
		if (!placed.executable)
			objects_add_section(session->objects, &placed);
	}
	session->facts.nr_modules_placed += any;
}

static struct error *use_map(struct session *session, const struct recorded_map *map)
{
	struct error *err = recorded_kernel_use(&session->kernel, map);

	if (!err && map->kind == MAP_KERNEL)
		objects_set_slide(session->objects, session->kernel.slide);
	if (!err && map->kind == MAP_MODULE)
		place_sections(session, map);
	return err;
}

/* What runs behind a sampled instruction for certain, once for each kind of object. */
static void infer(struct session *session, const struct sample *sample, const struct type *type)
{
	struct neighbour neighbours[NEIGHBOURS_MAX];
	unsigned int nr;
	bool is_new;

	map_add(&session->inferred, hash_mix(hash_mix(0, (uintptr_t)type), sample->ip), &is_new);
	if (!is_new)
		return;
	nr = objects_neighbours(session->objects, sample->ip, neighbours);
	for (unsigned int i = 0; i < nr; i++) {
		struct sample made = *sample;
		struct access access;

		made.ip = neighbours[i].ip;
		made.addr += neighbours[i].distance;
		resolver_resolve(session->resolver, &made, &access);
		objects_resolve(session->objects, &made, &access);
		aggregate_infer(session->aggregate, &made, &access,
				resolver_function(session->resolver, made.ip));
	}
}

static void collect(struct session *session, uint64_t ip)
{
	bool is_new;

	map_add(&session->ips_seen, ip, &is_new);
	if (is_new)
		*vec_add(&session->ips) = ip;
}

/* The heart of it: resolve the sample; learn from it, or add it to the profile. */
static void use_sample(struct session *session, const struct sample *sample)
{
	struct access access;

	if (session->is_collecting) {
		collect(session, sample->ip);
		return;
	}
	resolver_resolve(session->resolver, sample, &access);
	if (!session->is_settled) {
		objects_learn(session->objects, sample, &access);
		return;
	}
	objects_resolve(session->objects, sample, &access);
	aggregate_add(session->aggregate, sample, &access,
		      resolver_function(session->resolver, sample->ip));
	if (access.type && access.object)
		infer(session, sample, access.type);
}

static struct error *use_item(struct session *session, const struct recording *recording,
			      const struct item *item)
{
	const struct recorded_allocation *allocation = &item->allocation;

	switch (item->kind) {
	case ITEM_MAP:
		return use_map(session, &item->map);
	case ITEM_SAMPLE:
		if (!recorded_memory_sample(recording_about(recording), item))
			return NULL;
		session->nr_memory++;
		use_sample(session, &item->sample);
		return NULL;
	case ITEM_ALLOCATION:
		session->facts.has_allocations = true;
		if (session->is_collecting)
			return NULL;
		objects_allocated(session->objects, allocation->addr,
				  allocation->size ? allocation->size : allocation->allocated,
				  allocation->cache, allocation->site);
		return NULL;
	case ITEM_FREE:
		if (session->is_collecting)
			return NULL;
		objects_freed(session->objects, allocation->addr);
		return NULL;
	case ITEM_TEXT_POKE:
		session->facts.is_patched = true;
		return NULL;
	default:
		return NULL;
	}
}

static struct error *no_memory_samples(const struct session *session,
				       const struct recording *recording)
{
	uint64_t nr = recording_counts(recording)->nr_samples;

	return error_create(ERROR_NOT_FOUND,
			    "'%s' has %llu samples, and none says what memory it touched: record "
			    "with `perf c2c record`, `perf mem record` or perfscripts/record",
			    session->request.recording, (unsigned long long)nr);
}

/* The node of each CPU, as far as the recording tells. */
static void place_cpus(struct session *session, const struct recording_about *about)
{
	for (size_t i = 0; i < session->profile.cpus.nr; i++) {
		struct profile_cpu *cpu = &session->profile.cpus.items[i];

		if (cpu->cpu < about->cpus.nr && about->cpus.items[cpu->cpu].node >= 0)
			cpu->node = (uint32_t)about->cpus.items[cpu->cpu].node;
	}
}

static void name_objects(struct session *session)
{
	struct profile *profile = &session->profile;

	for (size_t i = 0; i < profile->objects.nr; i++)
		profile->objects.items[i].name = objects_name(
			session->objects, profile->objects.items[i].base, &profile->arena);
}

static struct error *read_all(struct session *session)
{
	const struct recording_options options = {
		.by_time =
			session->is_settled || (session->may_allocate && !session->is_collecting),
	};
	auto_recording struct recording *recording = NULL;
	struct error *err = recording_open(session->request.recording, &options, &recording);
	const struct item *item = NULL;

	if (!err)
		err = recorded_kernel_check(&session->kernel, recording_about(recording));
	while (!err && !(err = recording_next(recording, &item)) && item)
		err = use_item(session, recording, item);
	if (!err && !session->nr_memory)
		err = no_memory_samples(session, recording);
	if (!err && session->is_settled) {
		aggregate_finish(session->aggregate, &session->profile);
		session_limits_add(&session->profile, recording, &session->kernel, &session->facts);
		place_cpus(session, recording_about(recording));
	}
	return err;
}

static bool is_there(const char *path)
{
	struct stat status;

	return !stat(path, &status);
}

/* What perfscripts/record left: a directory with the recording and the kernel in it. */
static struct error *look_beside(struct session *session)
{
	struct session_request *request = &session->request;
	const char *directory = request->recording;
	const char *recording = arena_printf(&session->arena, "%s/perf.data", directory);
	const char *vmlinux = arena_printf(&session->arena, "%s/vmlinux", directory);
	const char *modules = arena_printf(&session->arena, "%s/modules", directory);
	const char *sections = arena_printf(&session->arena, "%s/module-sections", directory);

	if (!is_there(recording))
		return NULL;
	request->recording = recording;
	if (!request->vmlinux && is_there(vmlinux))
		request->vmlinux = vmlinux;
	if (!request->modules && is_there(modules))
		request->modules = modules;
	return is_there(sections) ? module_sections_read(sections, &session->sections) : NULL;
}

static struct error *open_kernel(struct session *session)
{
	const struct resolver_request request = {
		.vmlinux = session->request.vmlinux,
		.modules = session->request.modules,
		.no_cache = session->request.no_cache,
	};
	struct error *err;

	if (!request.vmlinux)
		return error_create(ERROR_USAGE,
				    "c2c wants the vmlinux of the recording's kernel, with debug "
				    "information: --kernel VMLINUX (perfscripts/fetch-kernel has "
				    "Debian's)");
	err = resolver_open(&request, &session->resolver);
	session->kernel.resolver = session->resolver;
	session->kernel.force = session->request.force;
	return err ? err : objects_create(resolver_code(session->resolver), &session->objects);
}

static void begin_profile(struct session *session)
{
	const struct source *source = resolver_source(session->resolver);
	const struct aggregate_options options = {
		.cacheline = session->request.cacheline ? session->request.cacheline :
							  source->arch->cacheline,
		.window_ns = session->request.window_ns,
		.every_access = session->request.every_access,
	};

	session->aggregate = aggregate_create(&options);
	session->is_settled = true;
	session->nr_memory = 0;
}

/* Before the kernel, which takes longer. */
static struct error *check_recording(struct session *session)
{
	auto_recording struct recording *recording = NULL;
	struct error *err = recording_open(session->request.recording,
					   &(struct recording_options){}, &recording);

	if (!err)
		session->may_allocate = recorded_may_allocate(recording_about(recording));
	return err;
}

/* Functions tell each other what void pointers point at: those needed are looked at together. */
static struct error *prepare(struct session *session)
{
	struct error *err;

	if (resolver_has_table(session->resolver) && !session->request.modules)
		return NULL;
	session->is_collecting = true;
	err = read_all(session);
	session->is_collecting = false;
	if (!err)
		resolver_prepare(session->resolver, session->ips.items, session->ips.nr);
	return err;
}

/* Again and again, where it can be: see objects.h. */
static struct error *run(struct session *session)
{
	bool is_pipe = !strcmp(session->request.recording, "-");
	struct error *err = look_beside(session);

	if (!err && !is_pipe)
		err = check_recording(session);
	if (!err)
		err = open_kernel(session);
	if (!err && !is_pipe)
		err = prepare(session);
	if (!err && !is_pipe)
		err = read_all(session);
	if (err)
		return err;
	objects_settle(session->objects);
	begin_profile(session);
	err = read_all(session);
	if (err)
		return err;
	session->profile.set.source = *resolver_source(session->resolver);
	name_objects(session);
	return NULL;
}

struct error *session_run(const struct session_request *request, struct session **ret)
{
	auto_session struct session *session = memory_alloc(1, sizeof(*session));
	struct error *err;

	session->request = *request;
	err = run(session);
	if (!err)
		*ret = take_pointer(session);
	return err;
}
