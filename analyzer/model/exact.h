/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exact counts of coherence events, by what was fought over: nothing sampled, every access of the
 * region modelled. Per type its lines, per line its fields, per field the functions that touched
 * it; pairs of writer and reader; words written together that a line boundary parts.
 */
#ifndef FIELDLINE_MODEL_EXACT_H
#define FIELDLINE_MODEL_EXACT_H

#include "model/typeset.h"

/* Why a function ran. */
enum exact_context {
	EXACT_TASK,
	EXACT_SOFTIRQ,
	EXACT_HARDIRQ,
	EXACT_EXCEPTION,
	EXACT_NR_CONTEXTS,
};

struct exact_counts {
	uint64_t loads;
	uint64_t stores;
	uint64_t atomics;
	uint64_t upgrades;     /* written while others had a copy: they lose it */
	uint64_t memory;       /* no cache had it */
	uint64_t clean_local;  /* another cache of the socket had it, unmodified */
	uint64_t clean_remote; /* one of another socket */
	uint64_t hitm_local;   /* another cache had it modified */
	uint64_t hitm_remote;
	uint64_t write_backs;
	uint64_t nr_cold; /* misses: first touch, evicted, taken away by another CPU's write */
	uint64_t nr_evicted;
	uint64_t nr_taken;
	uint64_t nr_true;	 /* misses after a CPU lost the line, for bytes that were written */
	uint64_t nr_false;	 /* the same, for the line's sake alone */
	uint64_t nr_invalidated; /* copies that writes took away */
};

struct exact_type {
	const char *label;	 /* "struct bdev_inode", "tk_core", "kmalloc-4k of ioc_init()" */
	const char *origin;	 /* "slab cache bdev_cache"; never NULL */
	const struct type *type; /* NULL = not known */
	bool is_inferred;	 /* that type, from the code that uses such objects */
	uint64_t size;		 /* bytes; 0 = unknown */
	uint64_t nr_objects;	 /* that something happened to */
	bool is_unknown;	 /* nothing says whose memory it was */
	/* Lines of one object that were accessed, and so in every tenth operation; 0 = unknown. */
	uint32_t nr_touched, nr_hot;
	struct exact_counts counts;
	uint32_t first_line, nr_lines;
};

/* A line of a type's objects that start at this phase. */
struct exact_line {
	uint32_t type;
	uint32_t phase; /* bytes, below the size of a line */
	uint64_t line;	/* as view_line() counts */
	struct exact_counts counts;
	uint32_t first_field, nr_fields;
};

struct exact_field {
	uint32_t line;	 /* index */
	uint64_t offset; /* of the field in the type, bytes */
	uint64_t size;
	const char *path; /* "vfs_inode.i_rwsem.count"; "+0x40" in what has no type */
	struct exact_counts counts;
	uint32_t first_function, nr_functions;
};

struct exact_function {
	uint32_t field; /* index */
	const char *name;
	enum exact_context context;
	uint64_t cpus; /* bit n: CPU n */
	struct exact_counts counts;
};

/* Misses of a reader on a line that a writer had taken away. */
struct exact_pair {
	uint32_t writer_type, reader_type; /* index */
	const char *writer_path, *reader_path;
	const char *writer_function, *reader_function;
	uint64_t nr_true;
	uint64_t nr_false;
};

/* Two fields of one embedded struct that a function writes together, on two lines. */
struct exact_cut {
	uint32_t first, second; /* fields */
	const char *function;
	uint64_t nr; /* at least so often */
};

DEFINE_VEC(exact_type_vec, struct exact_type);
DEFINE_VEC(exact_line_vec, struct exact_line);
DEFINE_VEC(exact_field_vec, struct exact_field);
DEFINE_VEC(exact_function_vec, struct exact_function);
DEFINE_VEC(exact_pair_vec, struct exact_pair);
DEFINE_VEC(exact_cut_vec, struct exact_cut);

/* How the run was made. */
struct exact_run {
	uint64_t nr_operations;
	uint64_t first_operation;
	uint64_t nr_instructions; /* of all code on all CPUs, in the region */
	uint32_t nr_cpus;
	uint32_t nr_sockets;
	uint32_t line_size;
	bool moesi;		   /* else MESI */
	uint32_t nr_sets, nr_ways; /* of each CPU's cache; 0 = it has no limit */
	uint64_t seed;
	uint32_t turn_shortest, turn_longest; /* instructions */
	bool fast;			      /* not reproducible */
	bool every_access;		      /* hits are counted on all lines */
	struct string_vec operations;	      /* functions */
};

struct exact {
	struct arena arena;
	struct typeset set; /* owns the types */
	struct exact_run run;
	struct exact_counts total;	     /* of the region, whatever memory it was */
	struct exact_counts typed;	     /* of what has a type or a name */
	struct exact_type_vec types;	     /* most transfers first */
	struct exact_line_vec lines;	     /* by type; most transfers first */
	struct exact_field_vec fields;	     /* by line; by offset */
	struct exact_function_vec functions; /* by field; most accesses first */
	struct exact_pair_vec pairs;	     /* most misses first */
	struct exact_cut_vec cuts;	     /* most often first */
	struct string_vec limits;	     /* what the model leaves out, a sentence each */
};

void exact_deinit(struct exact *exact);
#define auto_exact __attribute__((cleanup(exact_deinit)))

void exact_counts_add(struct exact_counts *counts, const struct exact_counts *other);
uint64_t exact_counts_accesses(const struct exact_counts *counts);
uint64_t exact_counts_hitm(const struct exact_counts *counts);
/* Lines, or the right to write them, that went from one CPU to another: upgrades, clean, HITM. */
uint64_t exact_counts_transfers(const struct exact_counts *counts);
const char *exact_context_word(enum exact_context context);

#endif
