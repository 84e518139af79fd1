/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the plugin is told, in a file of `key value` lines that fieldline emulate writes: how to
 * run, and facts of this kernel that only its debug information knows. A word that is not known
 * is an error.
 */
#ifndef FIELDLINE_EMULATE_SETTINGS_H
#define FIELDLINE_EMULATE_SETTINGS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "coherence/coherence.h"

/* What a kernel function's entry or return tells. */
enum function_role {
	ROLE_OPERATION,	     /* entry: one more operation of the workload */
	ROLE_SWITCH,	     /* __switch_to(previous, next) */
	ROLE_SLAB_ALLOC,     /* (cache, ...) -> object */
	ROLE_SLAB_KMALLOC,   /* (cache, flags, node, size, caller) -> object */
	ROLE_SLAB_BULK,	     /* (cache, flags, nr, objects) -> nr */
	ROLE_SLAB_FREE,	     /* (cache, object) */
	ROLE_KFREE,	     /* (object) */
	ROLE_SLAB_FREE_BULK, /* (cache, nr, objects) */
	ROLE_PAGES_ALLOC,    /* (flags, order, ...) -> struct page */
	ROLE_VMALLOC,	     /* (size, ...; the caller is the third on the stack) -> address */
	ROLE_VMAP,	     /* (pages, nr, ...) -> address */
	ROLE_EARLY_ALLOC,    /* (size, ...) -> address, physical or direct-mapped */
	ROLE_PERCPU_ALLOC,   /* (size, align, ...) -> per-CPU address */
	ROLE_MODULE,	     /* do_init_module(module) */
	ROLE_IRQ_ENTER,	     /* irq_enter_rcu() */
	ROLE_IRQ_EXIT,	     /* irq_exit_rcu() */
	ROLE_SOFTIRQ,	     /* __do_softirq(), until it returns */
	ROLE_EXCEPTION,	     /* exc_page_fault() and others, until they return */
	ROLE_DEVICE_MAPPING, /* ioremap_page_range() */
	ROLE_START,	     /* start_kernel() */
	ROLE_NR
};

/* In the order of the enum: what settings call them. */
extern const char *const function_roles[];

struct settings_function {
	enum function_role role;
	uint64_t address;
};

DEFINE_VEC(settings_function_vec, struct settings_function);

/* Numbers: how to run, offsets of members in bytes, addresses of symbols. */
struct settings_numbers {
	uint64_t seed;
	uint64_t turn_shortest, turn_longest; /* instructions, in the region */
	uint64_t turn_boot;
	uint64_t start, count, warm_up; /* operations */
	uint64_t wait_for_mark;		/* operations count from there, not from boot */
	uint64_t line_size;
	uint64_t moesi;
	uint64_t nr_sets, nr_ways;
	uint64_t fast;	    /* several threads, not reproducible */
	uint64_t status_fd; /* where lines of progress go; 0 = nowhere */
	uint64_t log_events;
	uint64_t period;       /* log every so many accesses, not what CPUs fight over; 0 = no */
	uint64_t every_access; /* count hits on all lines */
	uint64_t cache_name, cache_size, cache_object_size;
	uint64_t page_struct;	  /* bytes of a struct page */
	uint64_t memory_sections; /* address of mem_section */
	uint64_t memory_section_size, memory_section_map;
	uint64_t task_pid, task_tgid, task_comm;
	uint64_t module_name, module_base, module_size;
	uint64_t module_sections;			    /* sect_attrs */
	uint64_t sections_nr, sections_first, section_size; /* of struct module_sect_attrs */
	uint64_t section_name, section_address;
	uint64_t percpu_offsets; /* address of __per_cpu_offset */
	uint64_t percpu_size;	 /* bytes of static variables */
	uint64_t text_start, text_end;
	uint64_t banner; /* address of linux_banner */
	/* Addresses of what guest.c tells the kernel of its clocks; 0 = it has no such variable. */
	uint64_t jiffies, lapic_timer_period, preset_lpj;
};

struct settings {
	struct arena arena;
	struct settings_numbers numbers;
	const char *output;    /* directory */
	const char *log_cache; /* log all accesses to objects of this cache; NULL = none */
	struct coherence_topology topology;
	struct settings_function_vec functions;
};

struct error *settings_read(const char *path, struct settings *ret);
void settings_deinit(struct settings *settings);
#define auto_settings __attribute__((cleanup(settings_deinit)))

#endif
