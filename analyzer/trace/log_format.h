/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Our own log of memory accesses, as it lies in a file. This header stands alone: what runs inside
 * an emulator writes with it too.
 *
 *	header:	"FIELDLOG", u32 version, u32 bytes of the header (16 or more); little-endian
 *	record:	type (LEB128), bytes of the payload (LEB128), payload
 *
 * In a payload a number is an unsigned LEB128, a string its length and its bytes. A number called
 * a delta is the difference to the last one of its kind in the file, zig-zagged; the reader starts
 * each kind from 0. LOG_TIME tells the time of the record behind it where that has none of its
 * own. A reader skips types that it does not know, and what follows in a payload
 * after what it knows: both may be added without a new version.
 */
#ifndef FIELDLINE_TRACE_LOG_FORMAT_H
#define FIELDLINE_TRACE_LOG_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LOG_MAGIC "FIELDLOG"

enum {
	LOG_VERSION = 1,
	LOG_HEADER_BYTES = 16,
	LOG_NUMBER_MAX = 10,  /* bytes of one number */
	LOG_RECORD_MAX = 256, /* bytes of a record that has no string, its type and length too */
	LOG_PAYLOAD_MAX = 1 << 16,
};

enum log_type {
	LOG_ABOUT = 1,	/* a name of those below, value; both strings */
	LOG_NODE,	/* id, total KiB, free KiB, string of CPUs */
	LOG_EVENT,	/* index, type, config, config1, config2, period, sample type, name */
	LOG_BUILD_ID,	/* 1 = kernel or module, string of bytes, name */
	LOG_MAP,	/* kind (enum map_kind), pid, tid, start, size, file offset, flags (1 =
			  executable, 2 = shared), file id, symbol_addr, string of the build-id's
			  bytes, name; of the kernel: "[kernel.kallsyms]_text" */
	LOG_COMM,	/* pid, tid, 1 = exec, name */
	LOG_FORK,	/* pid, tid, parent pid, parent tid, 1 = memory is not handed on */
	LOG_EXIT,	/* the same */
	LOG_LOST,	/* how many */
	LOG_CACHE,	/* id, object size, name: of a slab cache, before its first allocation */
	LOG_ALLOCATION, /* time delta, cpu, pid, cache id + 1 or 0, address, size, size taken,
			   site */
	LOG_FREE,	/* time delta, cpu, pid, cache id + 1 or 0, address, site */
	LOG_ACCESS,	/* see struct log_access */
	LOG_POKE,	/* address, string of old bytes, string of new bytes */
	LOG_CPU,	/* cpu, core + 1, socket + 1, die + 1 */
	LOG_TIME,	/* time delta */
};

/* Names of LOG_ABOUT; LOG_ABOUT_ARGUMENT comes once for each word of the command line. */
#define LOG_ABOUT_HOSTNAME "hostname"
#define LOG_ABOUT_OS_RELEASE "os_release"
#define LOG_ABOUT_VERSION "version" /* of what recorded */
#define LOG_ABOUT_ARCH "arch"	    /* as uname -m has it */
#define LOG_ABOUT_CPU_DESC "cpu_desc"
#define LOG_ABOUT_CPUID "cpuid"
#define LOG_ABOUT_ARGUMENT "argument"
#define LOG_ABOUT_NR_CPUS "nr_cpus" /* decimal, as what follows */
#define LOG_ABOUT_NR_CPUS_ONLINE "nr_cpus_online"
#define LOG_ABOUT_TOTAL_MEMORY_KB "total_memory_kb"

/* What an access did to the coherence of its line, where a model says so. */
enum log_outcome {
	LOG_OUTCOME_NONE, /* not told */
	LOG_HIT,
	LOG_UPGRADE, /* written while others had it too */
	LOG_MEMORY,
	LOG_MEMORY_REMOTE, /* of another node */
	LOG_CLEAN_LOCAL,   /* from a cache of the same socket, unmodified */
	LOG_CLEAN_REMOTE,
	LOG_HITM_LOCAL, /* from a cache of the same socket, modified */
	LOG_HITM_REMOTE,
};

enum log_kind { LOG_LOAD = 1, LOG_STORE = 2, LOG_LOCKED = 4 }; /* or-ed */

/* Which members of an access follow, in this order. */
enum log_has {
	LOG_HAS_EVENT = 1 << 0,
	LOG_HAS_CPU = 1 << 1,
	LOG_HAS_TIME = 1 << 2, /* delta */
	LOG_HAS_IP = 1 << 3,   /* delta */
	LOG_HAS_ADDR = 1 << 4, /* delta */
	LOG_HAS_SIZE = 1 << 5,
	LOG_HAS_TID = 1 << 6, /* pid, tid */
	LOG_HAS_OUTCOME = 1 << 7,
	LOG_HAS_WEIGHT = 1 << 8,
	LOG_HAS_PERIOD = 1 << 9, /* else 1 */
	LOG_HAS_DATA_SRC = 1 << 10,
	LOG_HAS_PHYS_ADDR = 1 << 11,
	LOG_HAS_MISC = 1 << 12, /* else kernel */
};

/* An access: its payload is has, kind, then what `has` names. */
struct log_access {
	uint32_t has;  /* enum log_has */
	uint32_t kind; /* enum log_kind */
	uint32_t event;
	uint32_t cpu;
	uint64_t time_ns;
	uint64_t ip;
	uint64_t addr;
	uint32_t size;
	uint32_t pid;
	uint32_t tid;
	uint32_t outcome;
	uint32_t weight;
	uint64_t period;
	uint64_t data_src; /* PERF_MEM_* bits */
	uint64_t phys_addr;
	uint32_t misc; /* PERF_RECORD_MISC_* */
};

/* The last number of each kind; a writer and a reader keep one for the whole file. */
struct log_last {
	uint64_t time_ns; /* of accesses, allocations and frees */
	uint64_t ip;
	uint64_t addr;
};

static inline void log_put_header(uint8_t at[LOG_HEADER_BYTES])
{
	memcpy(at, LOG_MAGIC, 8);
	memset(at + 8, 0, 8);
	at[8] = LOG_VERSION;
	at[12] = LOG_HEADER_BYTES;
}

static inline size_t log_put_number(uint8_t *at, uint64_t value)
{
	size_t nr = 0;

	for (; value > 0x7f; value >>= 7)
		at[nr++] = (uint8_t)(value | 0x80);
	at[nr++] = (uint8_t)value;
	return nr;
}

static inline size_t log_put_delta(uint8_t *at, uint64_t *last, uint64_t value)
{
	uint64_t difference = value - *last;

	*last = value;
	return log_put_number(at, (difference << 1) ^ (0 - (difference >> 63)));
}

/*
 * Ends a record whose payload of nr bytes was put at at + 2: writes type and length before it,
 * and returns the bytes of the whole. A payload that needs a longer length is moved.
 */
static inline size_t log_end_record(uint8_t *at, enum log_type type, size_t nr)
{
	uint8_t length[LOG_NUMBER_MAX];
	size_t nr_length = log_put_number(length, nr);

	if (nr_length != 1)
		memmove(at + 1 + nr_length, at + 2, nr);
	at[0] = (uint8_t)type;
	memcpy(at + 1, length, nr_length);
	return 1 + nr_length + nr;
}

/* A whole LOG_ACCESS record into at[LOG_RECORD_MAX]. */
static inline size_t log_put_access(uint8_t *at, struct log_last *last,
				    const struct log_access *access)
{
	uint8_t *start = at + 2;
	uint8_t *p = start;

	p += log_put_number(p, access->has);
	p += log_put_number(p, access->kind);
	if (access->has & LOG_HAS_EVENT)
		p += log_put_number(p, access->event);
	if (access->has & LOG_HAS_CPU)
		p += log_put_number(p, access->cpu);
	if (access->has & LOG_HAS_TIME)
		p += log_put_delta(p, &last->time_ns, access->time_ns);
	if (access->has & LOG_HAS_IP)
		p += log_put_delta(p, &last->ip, access->ip);
	if (access->has & LOG_HAS_ADDR)
		p += log_put_delta(p, &last->addr, access->addr);
	if (access->has & LOG_HAS_SIZE)
		p += log_put_number(p, access->size);
	if (access->has & LOG_HAS_TID) {
		p += log_put_number(p, access->pid);
		p += log_put_number(p, access->tid);
	}
	if (access->has & LOG_HAS_OUTCOME)
		p += log_put_number(p, access->outcome);
	if (access->has & LOG_HAS_WEIGHT)
		p += log_put_number(p, access->weight);
	if (access->has & LOG_HAS_PERIOD)
		p += log_put_number(p, access->period);
	if (access->has & LOG_HAS_DATA_SRC)
		p += log_put_number(p, access->data_src);
	if (access->has & LOG_HAS_PHYS_ADDR)
		p += log_put_number(p, access->phys_addr);
	if (access->has & LOG_HAS_MISC)
		p += log_put_number(p, access->misc);
	return log_end_record(at, LOG_ACCESS, (size_t)(p - start));
}

struct log_allocation {
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t pid;
	uint32_t cache; /* id + 1, 0 = none */
	uint64_t addr;
	uint64_t size; /* not of a free */
	uint64_t size_taken;
	uint64_t site;
};

/* A whole LOG_ALLOCATION or LOG_FREE record into at[LOG_RECORD_MAX]. */
static inline size_t log_put_allocation(uint8_t *at, struct log_last *last, enum log_type type,
					const struct log_allocation *allocation)
{
	uint8_t *start = at + 2;
	uint8_t *p = start;

	p += log_put_delta(p, &last->time_ns, allocation->time_ns);
	p += log_put_number(p, allocation->cpu);
	p += log_put_number(p, allocation->pid);
	p += log_put_number(p, allocation->cache);
	p += log_put_number(p, allocation->addr);
	if (type == LOG_ALLOCATION) {
		p += log_put_number(p, allocation->size);
		p += log_put_number(p, allocation->size_taken);
	}
	p += log_put_number(p, allocation->site);
	return log_end_record(at, type, (size_t)(p - start));
}

/*
 * A string into a payload: its length and at most room - LOG_NUMBER_MAX of its bytes. With
 * log_put_number() and log_end_record() any other record is put together.
 */
static inline size_t log_put_string(uint8_t *at, const char *text, size_t nr, size_t room)
{
	size_t put;

	if (nr > room - LOG_NUMBER_MAX)
		nr = room - LOG_NUMBER_MAX;
	put = log_put_number(at, nr);
	memcpy(at + put, text, nr);
	return put + nr;
}

#endif
