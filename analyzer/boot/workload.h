/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A workload: a shell script that the guest runs, and what the comments at its top say of it.
 * perfscripts/initramfs packs it with the programs that it needs.
 */
#ifndef FIELDLINE_BOOT_WORKLOAD_H
#define FIELDLINE_BOOT_WORKLOAD_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

struct workload {
	const char *path;
	const char *boot;	      /* words for the kernel's command line */
	uint32_t memory_mib;	      /* that the guest needs */
	struct string_vec operations; /* functions whose entries are its operations */
	/* The steady part: operations since boot, operations, operations before it. */
	uint64_t start, count, warm_up;
	struct arena arena;
};

/* name: a path, or the name of one of ours with or without ".sh". */
struct error *workload_find(const char *name, struct workload *ret);
void workload_deinit(struct workload *workload);
#define auto_workload __attribute__((cleanup(workload_deinit)))

/* modules NULL = all is built in. `mark` is put into the guest as a program of that name. */
struct error *workload_pack(const struct workload *workload, const char *modules, const char *mark,
			    const char *archive);
/*
 * A file that belongs to the program: installed beside it, else where it was built. *ret is
 * allocated.
 */
struct error *workload_own_file(const char *name, char **ret);

#endif
