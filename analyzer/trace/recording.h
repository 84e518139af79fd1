/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording of memory accesses, read from front to back: perf.data (a file, a directory or what
 * `perf record -o -` pipes), the text of `perf script`, or our own log.
 *
 *	auto_recording struct recording *recording = NULL;
 *	const struct item *item;
 *
 *	err = recording_open(path, &(struct recording_options){}, &recording);
 *	while (!err && !(err = recording_next(recording, &item)) && item)
 *		use(item);
 *
 * Memory is bounded by the largest record and by what the file tells of its machine, never by the
 * number of samples; with by_time by what perf had buffered at once, too.
 *
 * What can't be read is no error as long as the rest can: it is told in notes, with its place. A
 * recording that ends in the middle (perf was killed) is read up to there.
 */
#ifndef FIELDLINE_TRACE_RECORDING_H
#define FIELDLINE_TRACE_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/sample.h"
#include "trace/about.h"

enum item_kind {
	ITEM_SAMPLE,	 /* of any event: `sample.has` tells whether it is a memory sample */
	ITEM_MAP,	 /* the kernel, a module, a file or anonymous memory is mapped */
	ITEM_COMM,	 /* a thread has a new name */
	ITEM_FORK,	 /* a thread or process begins */
	ITEM_EXIT,	 /* it ends */
	ITEM_LOST,	 /* the kernel or perf had to drop records */
	ITEM_TEXT_POKE,	 /* the kernel rewrote its code */
	ITEM_ALLOCATION, /* an object was allocated: follows the sample of its tracepoint */
	ITEM_FREE,
};

enum map_kind {
	MAP_USER,     /* a file or memory of a process */
	MAP_KERNEL,   /* the kernel's text; `symbol` tells how far it was moved (KASLR) */
	MAP_MODULE,   /* a module's text, named "[ext4]" or by the path of its file */
	MAP_KSYMBOL,  /* code made while running: BPF, trampolines */
	MAP_UNMAPPED, /* a MAP_KSYMBOL is gone */
};

enum { BUILD_ID_MAX = 20 };

struct recorded_map {
	enum map_kind kind;
	uint32_t pid; /* MAP_USER */
	uint32_t tid;
	uint64_t start;
	uint64_t size;
	uint64_t file_offset; /* of start; MAP_KERNEL: see symbol */
	/*
	 * MAP_KERNEL: the name of a symbol ("_text", "_stext") and the address it had while
	 * recording, 0 = not known. The kernel was moved by that minus vmlinux's own address.
	 */
	const char *symbol;
	uint64_t symbol_addr;
	const char *name; /* never NULL: "[kernel.kallsyms]_text", "[ext4]", "/bin/ls", "//anon" */
	bool executable;
	bool shared;	  /* MAP_USER: with other processes */
	uint64_t file_id; /* MAP_USER: the same for the same file; 0 = no file */
	uint8_t build_id[BUILD_ID_MAX];
	uint8_t build_id_size; /* 0 = not told */
};

struct recorded_comm {
	uint32_t pid;
	uint32_t tid;
	const char *name;
	bool exec;
};

struct recorded_task {
	uint32_t pid;
	uint32_t tid;
	uint32_t parent_pid;
	uint32_t parent_tid;
	bool exec; /* a fork that hands no memory on */
};

struct recorded_poke {
	uint64_t addr;
	const uint8_t *old_bytes;
	const uint8_t *new_bytes;
	uint16_t nr_old;
	uint16_t nr_new;
};

/* Of kmem:* tracepoints or of an emulator. */
struct recorded_allocation {
	uint64_t addr;
	uint64_t size;	    /* asked for; 0 = not told. Of pages: all of them */
	uint64_t allocated; /* what the object takes; 0 = not told */
	uint64_t site;	    /* the instruction that called the allocator; 0 = not told */
	uint32_t cpu;
	uint32_t pid;
	const char *cache; /* NULL = not told, "pages" of the page allocator, else as in slabinfo */
};

struct item {
	enum item_kind kind;
	uint64_t offset;  /* of its record in the file; of a compressed one, of what holds it */
	uint64_t time_ns; /* 0 = not told */
	union {
		struct sample sample;
		struct recorded_map map;
		struct recorded_comm comm;
		struct recorded_task task; /* ITEM_FORK, ITEM_EXIT */
		uint64_t nr_lost;
		struct recorded_poke poke;
		struct recorded_allocation allocation; /* ITEM_FREE: addr, site and cache */
	};
};

struct recording_options {
	/* Items in the order of their times, as far as perf's rounds allow; else of the file. */
	bool by_time;
};

/* Something that could not be read, or that the reader must know. */
struct recording_note {
	uint64_t offset; /* of the first record it is about */
	uint64_t nr;	 /* how many records */
	const char *text;
};

struct recording_counts {
	uint64_t nr_records; /* of any kind */
	uint64_t nr_samples;
	uint64_t nr_lost;    /* records and samples, as told by the kernel */
	uint64_t nr_skipped; /* records that nothing here reads */
	uint64_t nr_damaged; /* records that make no sense, and were left out */
	bool is_truncated;   /* it ends in the middle of a record */
};

struct recording;

/* "-" is standard input. ERROR_INPUT when path is no recording that can be read at all. */
struct error *recording_open(const char *path, const struct recording_options *options,
			     struct recording **ret);
void recording_close(struct recording *recording);

/* The next item, valid until the next call; NULL at the end. */
struct error *recording_next(struct recording *recording, const struct item **ret);

/*
 * What the recording tells of itself. Of a file it is whole after opening; of a pipe or log all
 * that precedes the first item is there, and it may grow with reading, as the events of a text do.
 * What describes an item is there when the item is.
 */
const struct recording_about *recording_about(const struct recording *recording);
const struct recording_counts *recording_counts(const struct recording *recording);
/* What could not be read so far; *ret_nr of them. */
const struct recording_note *recording_notes(const struct recording *recording, size_t *ret_nr);

static inline void recording_close_pointer(struct recording **recording)
{
	recording_close(*recording);
}

#define auto_recording __attribute__((cleanup(recording_close_pointer)))

#endif
