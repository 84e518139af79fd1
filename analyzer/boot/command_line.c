/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/command_line.h"

#include <inttypes.h>

static void add(struct command_line *line, const char *word)
{
	*vec_add(&line->words) = word;
}

static void add_option(struct command_line *line, const char *option, const char *value)
{
	add(line, option);
	add(line, value);
}

/*
 * The CPU model decides how the kernel behaves. -cpu max makes it take the HPET for its clock,
 * whose lock then drowns all else; with the hypervisor bit its spinlocks are others than on
 * hardware. With icount a guest's nanosecond is an instruction, so its time stamp counter runs at
 * 1 GHz whatever the host does, and a second run is the same as the first.
 */
static void add_machine(struct command_line *line, const struct guest_request *request)
{
	struct arena *arena = &line->arena;

	add_option(line, "-M", "pc");
	add_option(line, "-cpu", "Nehalem,-hypervisor");
	add_option(line, "-smp",
		   arena_printf(arena, "%u,sockets=%u", request->nr_cpus, request->nr_cpus));
	add_option(line, "-m", arena_printf(arena, "%u", request->memory_mib));
	add_option(line, "-accel", request->fast ? "tcg,thread=multi" : "tcg,thread=single");
	if (!request->fast)
		add_option(line, "-icount", "shift=0,sleep=off");
	add_option(line, "-rtc", "base=2024-01-01,clock=vm");
	add_option(line, "-seed", "1");
}

/*
 * What is not needed: warnings of stalls, which an emulated CPU's are not, and the boot's tests of
 * ciphers, a second of a run.
 */
void command_line_fill(struct command_line *line, const struct guest_request *request)
{
	struct arena *arena = &line->arena;
	const char *clock = request->fast ? "" : "tsc_early_khz=1000000 ";

	add(line, "qemu-system-x86_64");
	add(line, "-nodefaults");
	add(line, "-no-user-config");
	add(line, "-no-reboot");
	add_option(line, "-display", "none");
	add_machine(line, request);
	add_option(line, "-serial", arena_printf(arena, "file:%s/console", request->output));
	add_option(line, "-kernel", request->kernel);
	add_option(line, "-initrd", request->archive);
	add_option(line, "-append",
		   arena_printf(arena,
				"console=ttyS0 loglevel=4 panic=-1 oops=panic nokaslr "
				"mitigations=off tsc=reliable %sno_timer_check hpet=disable "
				"rcupdate.rcu_cpu_stall_suppress=1 cryptomgr.notests %s",
				clock, request->words));
	add_option(
		line, "-plugin",
		arena_printf(arena, "%s,settings=%s/settings", request->plugin, request->output));
	add(line, NULL);
}

void command_line_deinit(struct command_line *line)
{
	vec_deinit(&line->words);
	arena_deinit(&line->arena);
}
