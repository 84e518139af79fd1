/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The exact counts of an emulated run, as they lie in a file. Records and numbers are those of
 * log_format.h; the file starts with COUNTS_MAGIC and ends with COUNTS_END, so that one that was
 * cut is known. This header stands alone: what runs inside an emulator writes with it too.
 */
#ifndef FIELDLINE_TRACE_COUNTS_FORMAT_H
#define FIELDLINE_TRACE_COUNTS_FORMAT_H

#include "trace/log_format.h"

#define COUNTS_MAGIC "FIELDCNT"

enum {
	COUNTS_VERSION = 1,
	COUNTS_NR_KINDS = 3,  /* load, store, atomic */
	COUNTS_NR_EVENTS = 8, /* as enum coherence_event_kind */
	COUNTS_NR_CAUSES = 4, /* as enum coherence_cause */
	COUNTS_RECORD_MAX = 512,
};

/*
 * Types of records. A `total` is: accesses by kind, events, causes, copies invalidated, misses of
 * true sharing, misses of false sharing; all numbers.
 */
enum counts_type {
	COUNTS_ABOUT = 1, /* name, value; both strings */
	COUNTS_TOTAL,	  /* name, a total: of all that was modelled in the region */
	COUNTS_CACHE,	  /* id, object size, size, name: of a slab cache */
	COUNTS_SOURCE,	  /* id, form, cache + 1, call site, size asked for */
	COUNTS_PLACE,	  /* id, address of the instruction, 1 = atomic */
	COUNTS_MODULE,	  /* start, size, name */
	COUNTS_SECTION,	  /* address, name of module, name of section */
	COUNTS_ROW,	  /* source, offset, size, phase, place, context, cpu, a total */
	COUNTS_PAIR,	  /* writer's source, offset, place; reader's; true, false */
	COUNTS_OBJECT,	  /* source, start, a total */
	COUNTS_END,	  /* nothing */
};

/* What memory is, and so what an offset counts from. */
enum counts_form {
	COUNTS_FORM_UNKNOWN, /* the site, which is the start of 4 GiB */
	COUNTS_FORM_IMAGE,   /* COUNTS_IMAGE_START: the kernel's and modules' sections */
	COUNTS_FORM_PAGE,    /* a struct page, in the array of them */
	COUNTS_FORM_SLAB,    /* the object */
	COUNTS_FORM_PAGES,   /* of the page allocator */
	COUNTS_FORM_VMALLOC,
	COUNTS_FORM_PERCPU,	   /* a CPU's copy of an allocation */
	COUNTS_FORM_PERCPU_STATIC, /* a CPU's copy of the static variables */
	COUNTS_FORM_EARLY,	   /* what was allocated before the page allocator was there */
	/* Down to there from the CFA of the function at the site, whose frame has that size. */
	COUNTS_FORM_FRAME,
	COUNTS_NR_FORMS,
};

#define COUNTS_IMAGE_START 0xffffffff80000000ull

/* Where the kernel was when it made an access. */
enum counts_context {
	COUNTS_TASK,
	COUNTS_SOFTIRQ,
	COUNTS_HARDIRQ,
	COUNTS_EXCEPTION,
	COUNTS_NR_CONTEXTS,
};

struct counts_total {
	uint64_t accesses[COUNTS_NR_KINDS];
	uint64_t events[COUNTS_NR_EVENTS];
	uint64_t causes[COUNTS_NR_CAUSES];
	uint64_t nr_invalidated;
	uint64_t nr_true;
	uint64_t nr_false;
};

enum { COUNTS_TOTAL_NUMBERS = sizeof(struct counts_total) / sizeof(uint64_t) };

#endif
