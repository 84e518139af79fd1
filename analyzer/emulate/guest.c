/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/guest.h"

#include <string.h>

#include "emulate/address_space.h"

enum { MAX_BULK = 256, MAX_ORDER = 11, MAX_SECTIONS = 128 };

static uint64_t read_u64(const struct guest *guest, uint32_t cpu, uint64_t address)
{
	return machine_read_u64(guest->machine, guest->cpus[cpu].cpu, address);
}

static uint32_t read_u32(const struct guest *guest, uint32_t cpu, uint64_t address)
{
	return machine_read_u32(guest->machine, guest->cpus[cpu].cpu, address);
}

static void read_string(const struct guest *guest, uint32_t cpu, uint64_t address, char *buffer,
			size_t size)
{
	machine_read_string(guest->machine, guest->cpus[cpu].cpu, address, buffer, size);
}

/* Names of the first caches come late: one that has none is read again when next used. */
static uint32_t find_cache(struct guest *guest, uint32_t cpu, uint64_t address)
{
	const struct settings_numbers *offsets = &guest->settings->numbers;
	struct sources *sources = recorder_sources(guest->recorder);
	uint32_t number = sources_find_cache(sources, address);
	struct source_cache cache = { .address = address };

	if (number && sources->caches.items[number - 1].name[0])
		return number;
	cache.size = read_u32(guest, cpu, address + offsets->cache_size);
	cache.object_size = read_u32(guest, cpu, address + offsets->cache_object_size);
	read_string(guest, cpu, read_u64(guest, cpu, address + offsets->cache_name), cache.name,
		    sizeof(cache.name));
	if (!number)
		return sources_add_cache(sources, &cache);
	sources->caches.items[number - 1] = cache;
	return number;
}

static uint32_t find_source(struct guest *guest, enum counts_form form, uint32_t cache,
			    uint64_t site, uint64_t size)
{
	return sources_number(recorder_sources(guest->recorder),
			      &(struct source){ form, cache, site, size });
}

static void tell_object(struct guest *guest, uint32_t cpu, uint64_t object)
{
	const struct allocation *allocation =
		allocations_find(recorder_allocations(guest->recorder), object);

	if (guest->on_allocation && allocation && allocation->start == object)
		guest->on_allocation(guest->context, cpu, allocation);
}

static void free_object(struct guest *guest, uint32_t cpu, uint64_t object)
{
	allocations_free_object(recorder_allocations(guest->recorder), object);
	tell_object(guest, cpu, object);
}

static void add_object(struct guest *guest, uint32_t cpu, const struct guest_call *call,
		       uint64_t object, uint64_t size)
{
	struct sources *sources = recorder_sources(guest->recorder);
	uint32_t cache = find_cache(guest, cpu, call->arguments[0]);
	uint32_t source = find_source(guest, COUNTS_FORM_SLAB, cache, call->site, size);

	/* ERR_PTR() and ZERO_SIZE_PTR are no objects. */
	if (object < GUEST_DIRECT_MAP || object >= (uint64_t)-ALLOCATIONS_PAGE)
		return;
	allocations_add_object(recorder_allocations(guest->recorder), source, object,
			       sources->caches.items[cache - 1].object_size,
			       recorder_now(guest->recorder));
	tell_object(guest, cpu, object);
}

static void add_objects(struct guest *guest, uint32_t cpu, const struct guest_call *call,
			uint64_t nr)
{
	for (uint64_t i = 0; i < nr && i < MAX_BULK; i++)
		add_object(guest, cpu, call, read_u64(guest, cpu, call->arguments[3] + 8 * i), 0);
}

/*
 * The arrays of struct pages of a kernel without CONFIG_SPARSEMEM_VMEMMAP: mem_section points to
 * pages of section descriptors. The first page tells of 32 GiB, which is more than a guest has. A
 * descriptor holds, above flags, where the array would start did it begin with frame 0.
 */
static void find_page_arrays(struct guest *guest, uint32_t cpu)
{
	const struct settings_numbers *numbers = &guest->settings->numbers;
	struct page_arrays *arrays = recorder_page_arrays(guest->recorder);
	uint64_t array_size = GUEST_SECTION_PAGES * arrays->page_struct;
	uint64_t root, nr;

	if (!numbers->memory_sections || !numbers->memory_section_size)
		return;
	root = read_u64(guest, cpu, read_u64(guest, cpu, numbers->memory_sections));
	nr = root ? ALLOCATIONS_PAGE / numbers->memory_section_size : 0;
	for (uint64_t i = 0; i < nr; i++) {
		uint64_t map = read_u64(guest, cpu,
					root + i * numbers->memory_section_size +
						numbers->memory_section_map);
		uint64_t start = map / ALLOCATIONS_PAGE * ALLOCATIONS_PAGE + i * array_size;

		if (map >= ALLOCATIONS_PAGE)
			page_arrays_add(arrays, &(struct page_array){ start, start + array_size,
								      i * GUEST_SECTION_PAGES });
	}
}

static void add_pages(struct guest *guest, uint32_t cpu, const struct guest_call *call,
		      uint64_t page)
{
	const struct page_arrays *arrays = recorder_page_arrays(guest->recorder);
	uint64_t order = call->arguments[1] & 0xffffffff;
	uint64_t start, frame;

	if (!page || order > MAX_ORDER)
		return;
	/* The first page of all: from here on the arrays stay. */
	if (page < GUEST_PAGE_ARRAY && arrays->all.nr == 1)
		find_page_arrays(guest, cpu);
	if (!page_arrays_find(arrays, page, &start, &frame))
		return;
	allocations_add_pages(
		recorder_allocations(guest->recorder),
		find_source(guest, COUNTS_FORM_PAGES, 0, call->site, ALLOCATIONS_PAGE << order),
		GUEST_DIRECT_MAP + frame * ALLOCATIONS_PAGE, ALLOCATIONS_PAGE << order,
		recorder_now(guest->recorder));
}

static void add_vmalloc(struct guest *guest, const struct guest_call *call, uint64_t address)
{
	uint64_t size = call->arguments[0];

	if (address < GUEST_DIRECT_MAP || !size || size >> 32)
		return;
	allocations_add_pages(recorder_allocations(guest->recorder),
			      find_source(guest, COUNTS_FORM_VMALLOC, 0, call->site, size), address,
			      size, recorder_now(guest->recorder));
}

/* A mapping of pages that were allocated before. */
static void add_mapping(struct guest *guest, const struct guest_call *call, uint64_t address)
{
	uint64_t size = (call->arguments[1] & 0xffffffff) * ALLOCATIONS_PAGE;

	if (address < GUEST_DIRECT_MAP || !size)
		return;
	allocations_add_pages(recorder_allocations(guest->recorder),
			      find_source(guest, COUNTS_FORM_VMALLOC, 0, call->site, size), address,
			      size, recorder_now(guest->recorder));
}

/* Before there is a page allocator. */
static void add_early(struct guest *guest, const struct guest_call *call, uint64_t address)
{
	struct allocations *allocations = recorder_allocations(guest->recorder);
	uint64_t size = call->arguments[0];
	uint32_t source = find_source(guest, COUNTS_FORM_EARLY, 0, call->site, size);

	if (!address || !size || size >> 32)
		return;
	if (address < GUEST_DIRECT_MAP)
		address += GUEST_DIRECT_MAP;
	if (address % ALLOCATIONS_PAGE)
		allocations_add_object(allocations, source, address, size,
				       recorder_now(guest->recorder));
	else
		allocations_add_pages(allocations, source, address, size,
				      recorder_now(guest->recorder));
}

static uint64_t percpu_offset(struct guest *guest, uint32_t of)
{
	return read_u64(guest, 0, guest->settings->numbers.percpu_offsets + 8 * of);
}

/* One object in each CPU's area. */
static void add_percpu(struct guest *guest, const struct guest_call *call, uint64_t pointer)
{
	uint64_t size = call->arguments[0];
	uint32_t source = find_source(guest, COUNTS_FORM_PERCPU, 0, call->site, size);

	if (!pointer || !size || size > ALLOCATIONS_PAGE * 8)
		return;
	for (uint32_t i = 0; i < guest->nr_cpus; i++)
		allocations_add_object(recorder_allocations(guest->recorder), source,
				       pointer + percpu_offset(guest, i), size,
				       recorder_now(guest->recorder));
}

void guest_add_percpu_areas(struct guest *guest)
{
	const struct settings_numbers *numbers = &guest->settings->numbers;
	struct allocations *allocations = recorder_allocations(guest->recorder);
	uint32_t source = find_source(guest, COUNTS_FORM_PERCPU_STATIC, 0, 0, numbers->percpu_size);

	if (!numbers->percpu_offsets || !numbers->percpu_size)
		return;
	for (uint32_t i = 0; i < guest->nr_cpus; i++)
		allocations_add_object(allocations, source, percpu_offset(guest, i),
				       numbers->percpu_size, 0);
}

static void add_sections(struct guest *guest, uint32_t cpu, uint64_t module)
{
	const struct settings_numbers *offsets = &guest->settings->numbers;
	uint64_t attributes = read_u64(guest, cpu, module + offsets->module_sections);
	uint32_t nr = read_u32(guest, cpu, attributes + offsets->sections_nr);

	for (uint32_t i = 0; attributes && i < nr && i < MAX_SECTIONS; i++) {
		uint64_t at = attributes + offsets->sections_first + i * offsets->section_size;
		struct guest_section section = { .module = (uint32_t)guest->modules.nr - 1 };

		section.address = read_u64(guest, cpu, at + offsets->section_address);
		read_string(guest, cpu, read_u64(guest, cpu, at + offsets->section_name),
			    section.name, sizeof(section.name));
		*vec_add(&guest->sections) = section;
	}
}

static void add_module(struct guest *guest, uint32_t cpu, uint64_t address)
{
	const struct settings_numbers *offsets = &guest->settings->numbers;
	struct guest_module module = {
		.start = read_u64(guest, cpu, address + offsets->module_base),
		.size = read_u32(guest, cpu, address + offsets->module_size),
	};

	read_string(guest, cpu, address + offsets->module_name, module.name, sizeof(module.name));
	*vec_add(&guest->modules) = module;
	if (offsets->section_size)
		add_sections(guest, cpu, address);
}

static void switch_to(struct guest *guest, uint32_t cpu, uint64_t task)
{
	const struct settings_numbers *offsets = &guest->settings->numbers;
	struct guest_cpu *state = &guest->cpus[cpu];
	char comm[16];

	state->pid = read_u32(guest, cpu, task + offsets->task_pid);
	state->tgid = read_u32(guest, cpu, task + offsets->task_tgid);
	/* Only a task is switched away from: an exception that sleeps is its own affair. */
	state->nr_hardirqs = state->nr_softirqs = state->nr_exceptions = 0;
	if (!guest->on_switch)
		return;
	read_string(guest, cpu, task + offsets->task_comm, comm, sizeof(comm));
	guest->on_switch(guest->context, cpu, comm);
}

/*
 * What the kernel would measure, one CPU after the other: it waits in loops of pause, each of which
 * ends the CPU's turn, for most of the time that a whole run takes. The answers are known: its
 * clocks tick once an instruction, 10^9 times a second. A kernel believes the same variables where
 * its hardware says so (CPUID leaf 0x15), or its command line (lpj=).
 */
static void tell_clocks(struct guest *guest, uint32_t cpu)
{
	const struct settings_numbers *numbers = &guest->settings->numbers;
	void *machine_cpu = guest->cpus[cpu].cpu;
	/* INITIAL_JIFFIES: five minutes before they wrap. */
	uint32_t hz = -read_u32(guest, cpu, numbers->jiffies) / 300;
	uint64_t period = hz ? 1000000000 / hz : 0;

	if (!numbers->jiffies || !period || numbers->fast)
		return;
	if (numbers->lapic_timer_period)
		machine_write(guest->machine, machine_cpu, numbers->lapic_timer_period, &period,
			      sizeof(uint32_t));
	if (numbers->preset_lpj)
		machine_write(guest->machine, machine_cpu, numbers->preset_lpj, &period,
			      sizeof(period));
}

/* Remembers the call until it returns. */
static uint64_t await_return(struct guest *guest, uint32_t cpu, enum function_role role,
			     const uint64_t *registers)
{
	uint64_t stack = registers[MACHINE_RSP];
	struct map_slot *slot = map_add(&guest->call_numbers, stack + 8, NULL);
	struct guest_call *call;

	if (!slot->value) {
		*vec_add(&guest->calls) = (struct guest_call){};
		slot->value = guest->calls.nr;
	}
	call = &guest->calls.items[slot->value - 1];
	*call = (struct guest_call){
		.role = role,
		.return_address = read_u64(guest, cpu, stack),
		.arguments = { registers[MACHINE_RDI], registers[MACHINE_RSI],
			       registers[MACHINE_RDX], registers[MACHINE_RCX] },
	};
	call->site = call->return_address;
	if (role == ROLE_SLAB_KMALLOC)
		call->site = registers[MACHINE_R8];
	if (role == ROLE_VMALLOC)
		call->site = read_u64(guest, cpu, stack + 8 * 3);
	return call->return_address;
}

static void free_objects(struct guest *guest, uint32_t cpu, uint64_t nr, uint64_t objects)
{
	for (uint64_t i = 0; i < nr && i < MAX_BULK; i++)
		free_object(guest, cpu, read_u64(guest, cpu, objects + 8 * i));
}

uint64_t guest_enter(struct guest *guest, uint32_t cpu, enum function_role role,
		     const uint64_t *registers)
{
	struct guest_cpu *state = &guest->cpus[cpu];

	switch (role) {
	case ROLE_SWITCH:
		switch_to(guest, cpu, registers[MACHINE_RSI]);
		return 0;
	case ROLE_SLAB_FREE:
		free_object(guest, cpu, registers[MACHINE_RSI]);
		return 0;
	case ROLE_KFREE:
		free_object(guest, cpu, registers[MACHINE_RDI]);
		return 0;
	case ROLE_SLAB_FREE_BULK:
		free_objects(guest, cpu, registers[MACHINE_RSI], registers[MACHINE_RDX]);
		return 0;
	case ROLE_MODULE:
		add_module(guest, cpu, registers[MACHINE_RDI]);
		return 0;
	case ROLE_IRQ_ENTER:
		state->nr_hardirqs++;
		return 0;
	case ROLE_IRQ_EXIT:
		state->nr_hardirqs -= state->nr_hardirqs > 0;
		return 0;
	case ROLE_DEVICE_MAPPING:
		guest->nr_device_mappings++;
		return 0;
	case ROLE_START:
		tell_clocks(guest, cpu);
		return 0;
	case ROLE_SOFTIRQ:
		state->nr_softirqs++;
		return await_return(guest, cpu, role, registers);
	case ROLE_EXCEPTION:
		state->nr_exceptions++;
		return await_return(guest, cpu, role, registers);
	default:
		return await_return(guest, cpu, role, registers);
	}
}

void guest_return(struct guest *guest, uint32_t cpu, uint64_t address, const uint64_t *registers)
{
	const struct map_slot *slot = map_find(&guest->call_numbers, registers[MACHINE_RSP]);
	struct guest_call *call = slot ? &guest->calls.items[slot->value - 1] : NULL;
	struct guest_cpu *state = &guest->cpus[cpu];
	uint64_t result = registers[MACHINE_RAX];

	if (!call || call->return_address != address)
		return;
	call->return_address = 0;
	switch (call->role) {
	case ROLE_SLAB_ALLOC:
		add_object(guest, cpu, call, result, 0);
		break;
	case ROLE_SLAB_KMALLOC:
		add_object(guest, cpu, call, result, call->arguments[3]);
		break;
	case ROLE_SLAB_BULK:
		add_objects(guest, cpu, call, result);
		break;
	case ROLE_PAGES_ALLOC:
		add_pages(guest, cpu, call, result);
		break;
	case ROLE_VMALLOC:
		add_vmalloc(guest, call, result);
		break;
	case ROLE_VMAP:
		add_mapping(guest, call, result);
		break;
	case ROLE_EARLY_ALLOC:
		add_early(guest, call, result);
		break;
	case ROLE_PERCPU_ALLOC:
		add_percpu(guest, call, result);
		break;
	case ROLE_SOFTIRQ:
		state->nr_softirqs -= state->nr_softirqs > 0;
		break;
	case ROLE_EXCEPTION:
		state->nr_exceptions -= state->nr_exceptions > 0;
		break;
	default:
		break;
	}
}
