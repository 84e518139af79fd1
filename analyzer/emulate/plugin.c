/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fieldline-emulate.so: what QEMU calls. It instruments the guest's code as QEMU translates it,
 * takes each CPU's turns, and hands what the code does to guest, region and recorder.
 *
 * Until the region comes near only the starts of blocks are seen: counted for the turns, and for
 * the functions that tell of memory. Then all translated code is thrown away and made anew with
 * its accesses reported, which slows the guest by a factor of three.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "emulate/accesses.h"
#include "emulate/blocks.h"
#include "emulate/event_log.h"
#include "emulate/guest.h"
#include "emulate/machine.h"
#include "emulate/output.h"
#include "emulate/region.h"
#include "emulate/schedule.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv);

struct plugin {
	struct settings settings;
	struct machine machine;
	struct guest guest;
	struct recorder *recorder;
	struct region region;
	struct schedule schedule;
	struct event_log log;
	struct blocks blocks;
	enum log_outcome outcome; /* of the access that is being modelled */
	uint64_t nr_accesses;	  /* of the region, with a period */
	struct accesses accesses;
	uint64_t clock; /* instructions since boot, of all CPUs: nanoseconds of the guest */
	uint64_t clock_at_start;
	uint32_t nr_checks; /* of registers, still to make */
	bool finds_cpu;	    /* since QEMU does not tell: */
	uint32_t cpu;	    /* that runs now */
	const uint64_t *cpu_state;
	bool instruments;
	bool models;	    /* accesses go to the model */
	bool fast;	    /* several threads */
	bool looks_closely; /* each hit matters, or one thread must wait for another */
	/* Only --fast runs CPUs on several threads. */
	pthread_mutex_t mutex;
};

enum { NR_REGISTER_CHECKS = 1000 };

/* QEMU hands its callbacks no context of ours. */
static struct plugin *plugin;

static void lock(void)
{
	if (plugin->fast)
		pthread_mutex_lock(&plugin->mutex);
}

static void unlock(void)
{
	if (plugin->fast)
		pthread_mutex_unlock(&plugin->mutex);
}

/* A line for whoever started the emulator. */
static __attribute__((format(printf, 1, 2))) void tell(const char *format, ...)
{
	char line[512];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(line, sizeof(line) - 1, format, arguments);
	va_end(arguments);
	if (!plugin->settings.numbers.status_fd || length < 0)
		return;
	if ((size_t)length > sizeof(line) - 2)
		length = sizeof(line) - 2;
	line[length++] = '\n';
	/* Whoever listened may be gone; then there is nobody to tell. */
	if (write((int)plugin->settings.numbers.status_fd, line, (size_t)length) < 0)
		plugin->settings.numbers.status_fd = 0;
}

static void write_counts(void)
{
	struct output_run run = {
		.region = &plugin->region,
		.nr_instructions = plugin->clock - plugin->clock_at_start,
		.nr_io = plugin->accesses.nr_io,
		.nr_places = plugin->blocks.all_places.nr,
		.places = plugin->blocks.all_places.items,
	};
	auto_error struct error *err =
		output_write_counts(plugin->settings.output, &plugin->guest, &run);

	if (err)
		tell("error %s", error_message(err));
	else
		tell("done %" PRIu64, plugin->region.nr - plugin->region.start);
}

/* Instrumented code is made from now on, and all that was made before goes. */
static void start_instrumenting(uint32_t cpu)
{
	if (plugin->instruments)
		return;
	plugin->instruments = true;
	plugin->machine.flush(plugin->guest.cpus[cpu].cpu);
}

static void start_modelling(uint32_t cpu)
{
	const struct settings_numbers *numbers = &plugin->settings.numbers;

	if (plugin->models)
		return;
	start_instrumenting(cpu);
	guest_add_percpu_areas(&plugin->guest);
	schedule_set_turns(&plugin->schedule, (uint32_t)numbers->turn_shortest,
			   (uint32_t)numbers->turn_longest);
	plugin->models = true;
	tell("warming %" PRIu64, plugin->region.nr);
}

static void enter_region_state(uint32_t cpu)
{
	switch (plugin->region.state) {
	case REGION_ARMED:
		tell("armed");
		break;
	case REGION_WARMING:
		start_modelling(cpu);
		break;
	case REGION_COUNTING:
		start_modelling(cpu);
		recorder_start(plugin->recorder);
		plugin->clock_at_start = plugin->clock;
		plugin->accesses.nr_io = 0;
		event_log_start(&plugin->log, &plugin->guest, plugin->clock);
		tell("counting %" PRIu64, plugin->region.nr);
		break;
	case REGION_DONE:
		plugin->models = false;
		recorder_stop(plugin->recorder);
		event_log_close(&plugin->log);
		write_counts();
		break;
	case REGION_IDLE:
		break;
	}
}

enum { OPERATIONS_PER_LINE = 1000 };

static void count_operation(uint32_t cpu)
{
	if (plugin->region.state == REGION_DONE)
		return;
	if (region_operation(&plugin->region))
		enter_region_state(cpu);
	else if (plugin->region.nr % OPERATIONS_PER_LINE == 0)
		tell("operations %" PRIu64, plugin->region.nr);
}

/* Wrong registers would give wrong answers without a word: better none. */
static void check_registers(uint32_t cpu, const uint64_t *registers)
{
	if (!plugin->nr_checks)
		return;
	plugin->nr_checks--;
	if (machine_check_registers(&plugin->machine, plugin->guest.cpus[cpu].cpu, registers))
		return;
	tell("error this QEMU keeps the guest's registers elsewhere than Debian's 7.2 does");
	plugin->nr_checks = 0;
	plugin->region.state = REGION_DONE;
}

static void enter_block(uint32_t cpu, const struct block *block, const uint64_t *from)
{
	uint64_t return_address, buffer[MACHINE_NR_REGISTERS];
	const uint64_t *registers = machine_registers(&plugin->machine, from, buffer);

	if (block->is_return)
		guest_return(&plugin->guest, cpu, block->address, registers);
	if (block->role == BLOCK_NO_ROLE)
		return;
	check_registers(cpu, registers);
	if (block->role == ROLE_OPERATION) {
		count_operation(cpu);
		return;
	}
	return_address =
		guest_enter(&plugin->guest, cpu, (enum function_role)block->role, registers);
	if (return_address)
		blocks_mark_return(&plugin->blocks, return_address);
}

/* The CPU whose state that is: a state lies inside of its CPU. */
static uint32_t cpu_of(const void *state)
{
	const struct guest_cpu *cpus = plugin->guest.cpus;
	uint32_t found = 0;

	for (uint32_t i = 1; i < plugin->guest.nr_cpus; i++)
		if ((uintptr_t)state - (uintptr_t)cpus[i].cpu <
		    (uintptr_t)state - (uintptr_t)cpus[found].cpu)
			found = i;
	return found;
}

/*
 * Newer QEMUs, when they have one thread, tell all CPUs that run a block the number of the one for
 * which it was translated (QEMU 10.0, gen_cpu_index()).
 */
static uint32_t running_cpu(uint32_t told)
{
	return plugin->finds_cpu ? plugin->cpu : told;
}

MACHINE_ENTRY(plugin_run_block);

void plugin_run_block_with_registers(unsigned int cpu, void *userdata, const uint64_t *registers)
{
	uintptr_t word = (uintptr_t)userdata;
	uint32_t nr = block_word_nr_instructions(word);

	if (plugin->finds_cpu && registers != plugin->cpu_state) {
		plugin->cpu_state = registers;
		plugin->cpu = cpu_of(registers);
	}
	cpu = running_cpu(cpu);
	if (__builtin_expect(blocks_may_tell(&plugin->blocks, word), 0)) {
		lock();
		enter_block(cpu, blocks_find(&plugin->blocks, word), registers);
		unlock();
	}
	plugin->clock += nr;
	if (plugin->fast)
		return;
	if (schedule_run(&plugin->schedule, cpu, nr))
		plugin->machine.end_turn(plugin->guest.cpus[cpu].cpu);
}

static void run_mark(unsigned int cpu, void *userdata)
{
	lock();
	if (region_mark(&plugin->region, (enum region_mark)(uintptr_t)userdata))
		enter_region_state(running_cpu(cpu));
	unlock();
}

static void note_frame(const struct coherence_access *access, uint32_t place)
{
	const struct place *at = plugin->blocks.all_places.items[place];

	frames_note(recorder_frames(plugin->recorder), access, at->ip, at->is_call, at->is_return);
}

/* Whether the access is logged besides the events: a hit on the chosen cache, or a PMU's sample. */
static bool is_sample(const struct coherence_access *access)
{
	uint64_t period = plugin->settings.numbers.period;

	if (period)
		return ++plugin->nr_accesses % period == 0;
	return plugin->outcome == LOG_OUTCOME_NONE &&
	       event_log_chooses(&plugin->log, &plugin->guest, access->address);
}

static void model_access(const struct coherence_access *access, uint32_t place)
{
	plugin->outcome = LOG_OUTCOME_NONE;
	if (plugin->settings.numbers.every_access)
		note_frame(access, place);
	recorder_access(plugin->recorder, access);
	if (!plugin->log.file || plugin->region.state != REGION_COUNTING || !is_sample(access))
		return;
	if (plugin->outcome == LOG_OUTCOME_NONE)
		plugin->outcome = LOG_HIT;
	event_log_access(&plugin->log, &plugin->guest, access, plugin->outcome,
			 plugin->blocks.all_places.items[place]->ip, plugin->clock);
}

/* Nine of ten accesses end here. */
static bool is_quiet(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, uintptr_t word)
{
	bool is_store;

	if (plugin->looks_closely || word & (ACCESS_IS_WIDE | ACCESS_IS_ATOMIC) ||
	    !accesses_know(&plugin->accesses, address))
		return false;
	is_store = qemu_plugin_mem_is_store(info);
	return recorder_access_quietly(plugin->recorder, address,
				       1u << qemu_plugin_mem_size_shift(info), cpu,
				       is_store ? COHERENCE_STORE : COHERENCE_LOAD);
}

static void on_memory(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address,
		      void *userdata)
{
	uintptr_t word = (uintptr_t)userdata;
	struct coherence_access access;

	cpu = running_cpu(cpu);
	if (!plugin->models || is_quiet(cpu, info, address, word))
		return;
	lock();
	if (plugin->models && accesses_make(&plugin->accesses, cpu, info, address, word, &access))
		model_access(&access, access_word_place(word));
	unlock();
}

enum { MAX_INSTRUCTION = 15 };

static void instrument(struct qemu_plugin_insn *insn, bool is_kernel)
{
	uint8_t code[MAX_INSTRUCTION];
	size_t size = qemu_plugin_insn_size(insn);
	struct decoded decoded;

	if (size > sizeof(code))
		size = sizeof(code);
	machine_read_code(&plugin->machine, insn, code, size);
	decoded = decode(code, size);
	if (!is_kernel) {
		if (decoded.mark)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, run_mark,
							       QEMU_PLUGIN_CB_NO_REGS,
							       (void *)(uintptr_t)decoded.mark);
	} else if (plugin->instruments) {
		qemu_plugin_register_vcpu_mem_cb(
			insn, on_memory, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
			(void *)access_word(blocks_get_place(
				&plugin->blocks, qemu_plugin_insn_vaddr(insn), &decoded)));
	}
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	uint64_t address = qemu_plugin_tb_vaddr(tb);
	size_t nr = qemu_plugin_tb_n_insns(tb);

	(void)id;
	lock();
	qemu_plugin_register_vcpu_tb_exec_cb(
		tb, plugin_run_block, machine_register_flag(&plugin->machine),
		(void *)block_word(blocks_get(&plugin->blocks, address, (uint32_t)nr)));
	for (size_t i = 0; i < nr; i++)
		instrument(qemu_plugin_tb_get_insn(tb, i), address >> 63);
	unlock();
}

static void on_cpu(qemu_plugin_id_t id, unsigned int cpu)
{
	(void)id;
	machine_add_cpu(&plugin->machine);
	plugin->guest.cpus[cpu].cpu = plugin->machine.get_cpu((int)cpu);
}

static void on_switch(void *context, uint32_t cpu, const char *comm)
{
	(void)context;
	if (plugin->region.state == REGION_COUNTING)
		event_log_comm(&plugin->log, &plugin->guest, cpu, comm);
}

static void on_allocation(void *context, uint32_t cpu, const struct allocation *allocation)
{
	(void)context;
	if (plugin->region.state == REGION_COUNTING)
		event_log_allocation(&plugin->log, &plugin->guest, cpu, allocation, plugin->clock);
}

static enum log_outcome outcome_of(enum coherence_event_kind kind)
{
	static const enum log_outcome outcomes[COHERENCE_NR_EVENTS] = {
		[COHERENCE_HIT] = LOG_HIT,
		[COHERENCE_UPGRADE] = LOG_UPGRADE,
		[COHERENCE_MEMORY] = LOG_MEMORY,
		[COHERENCE_CLEAN_LOCAL] = LOG_CLEAN_LOCAL,
		[COHERENCE_CLEAN_REMOTE] = LOG_CLEAN_REMOTE,
		[COHERENCE_HITM_LOCAL] = LOG_HITM_LOCAL,
		[COHERENCE_HITM_REMOTE] = LOG_HITM_REMOTE,
	};

	return outcomes[kind];
}

/* An access that crosses lines has two; each is told. */
static void on_event(void *context, const struct coherence_event *event)
{
	const struct coherence_touch *touch = &event->touch;
	struct coherence_access access = {
		.address = event->line + touch->offset,
		.size = touch->size,
		.cpu = touch->cpu,
		.kind = (uint8_t)event->access,
	};

	(void)context;
	if (event->kind == COHERENCE_WRITE_BACK)
		return;
	plugin->outcome = outcome_of(event->kind);
	if (plugin->settings.numbers.period)
		return;
	/* A first touch is nothing that CPUs do to each other. */
	if (event->cause == COHERENCE_COLD && event->kind == COHERENCE_MEMORY) {
		plugin->outcome = LOG_OUTCOME_NONE;
		return;
	}
	event_log_access(&plugin->log, &plugin->guest, &access, plugin->outcome,
			 plugin->blocks.all_places.items[touch->place >> 2]->ip, plugin->clock);
}

static void on_quit(qemu_plugin_id_t id, void *userdata)
{
	(void)id;
	(void)userdata;
	if (plugin->region.state != REGION_DONE)
		tell("early %" PRIu64, plugin->region.nr);
}

static struct error *prepare(const qemu_info_t *info, const char *path)
{
	const struct settings_numbers *numbers = &plugin->settings.numbers;
	struct recorder_config config = { .on_event = on_event };
	struct error *err;

	err = settings_read(path, &plugin->settings);
	if (!err)
		err = machine_open(info, &plugin->machine);
	if (err)
		return err;
	config.page_struct = (uint32_t)numbers->page_struct;
	config.every_access = numbers->every_access;
	config.coherence = (struct coherence_config){
		.topology = plugin->settings.topology,
		.line_size = (unsigned int)numbers->line_size,
		.protocol = numbers->moesi ? COHERENCE_MOESI : COHERENCE_MESI,
		.nr_sets = (unsigned int)numbers->nr_sets,
		.nr_ways = (unsigned int)numbers->nr_ways,
	};
	err = recorder_create(&config, &plugin->recorder);
	if (!err && numbers->log_events)
		err = event_log_open(plugin->settings.output, &plugin->log);
	return err;
}

static struct error *start(const qemu_info_t *info, const char *path)
{
	const struct settings_numbers *numbers = &plugin->settings.numbers;
	const struct coherence_topology *topology = &plugin->settings.topology;
	struct error *err = prepare(info, path);
	unsigned int nr_cpus = (unsigned int)info->system.smp_vcpus;

	if (err)
		return err;
	if (nr_cpus != topology->nr_sockets * topology->nr_cpus_per_socket)
		return error_create(ERROR_USAGE, "the guest has %u CPUs, the topology has not",
				    nr_cpus);
	plugin->guest = (struct guest){
		.machine = &plugin->machine,
		.settings = &plugin->settings,
		.recorder = plugin->recorder,
		.nr_cpus = nr_cpus,
		.on_switch = on_switch,
		.on_allocation = on_allocation,
	};
	plugin->fast = numbers->fast;
	plugin->finds_cpu = plugin->machine.reads_registers && !numbers->fast;
	plugin->looks_closely = numbers->fast || numbers->every_access || numbers->period ||
				plugin->settings.log_cache;
	plugin->accesses = (struct accesses){ .guest = &plugin->guest, .fast = plugin->fast };
	plugin->region = (struct region){
		.start = numbers->start,
		.count = numbers->count,
		.warm_up = numbers->warm_up,
	};
	if (!numbers->wait_for_mark)
		region_arm(&plugin->region);
	plugin->schedule = schedule_create(numbers->seed, (uint32_t)numbers->turn_boot,
					   (uint32_t)numbers->turn_boot);
	plugin->nr_checks = NR_REGISTER_CHECKS;
	for (size_t i = 0; i < plugin->settings.functions.nr; i++)
		blocks_set_role(&plugin->blocks, plugin->settings.functions.items[i].address,
				plugin->settings.functions.items[i].role);
	return NULL;
}

/* QEMU reads the version when it has loaded us. */
static __attribute__((constructor)) void ask_for_version(void)
{
	qemu_plugin_version = machine_plugin_version();
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	static const char argument[] = "settings=";
	auto_error struct error *err = NULL;

	plugin = memory_alloc(1, sizeof(*plugin));
	pthread_mutex_init(&plugin->mutex, NULL);
	if (argc != 1 || strncmp(argv[0], argument, strlen(argument)))
		err = error_create(ERROR_USAGE, "wants one argument, settings=FILE");
	else
		err = start(info, argv[0] + strlen(argument));
	if (err) {
		fprintf(stderr, "fieldline-emulate: %s\n", error_message(err));
		return 1;
	}
	qemu_plugin_register_vcpu_init_cb(id, on_cpu);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_quit, NULL);
	return 0;
}
