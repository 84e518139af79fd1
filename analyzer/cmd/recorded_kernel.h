/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a recording's kernel and modules lay, told to the resolver. */
#ifndef FIELDLINE_CMD_RECORDED_KERNEL_H
#define FIELDLINE_CMD_RECORDED_KERNEL_H

#include "base/map.h"
#include "resolve/resolver.h"
#include "trace/recording.h"

struct recorded_kernel {
	struct resolver *resolver; /* borrowed */
	bool force;		   /* take a vmlinux of another build */
	uint64_t slide;
	bool is_place_unknown; /* how far the kernel was moved (KASLR) can't be told */
	struct arena arena;    /* of the names of modules */
	struct string_vec modules_missing;
	struct map modules_seen;
};

void recorded_kernel_deinit(struct recorded_kernel *kernel);
#define auto_recorded_kernel __attribute__((cleanup(recorded_kernel_deinit)))

/* An error where the recording is of another build than vmlinux. */
struct error *recorded_kernel_check(const struct recorded_kernel *kernel,
				    const struct recording_about *about);
/* The same where the map tells; else makes use of it. A module without a file is no error. */
struct error *recorded_kernel_use(struct recorded_kernel *kernel, const struct recorded_map *map);
/* Whether it may tell of allocations; what has none is learned from in any order. */
bool recorded_may_allocate(const struct recording_about *about);
/* Whether the item is a sample that says what memory it touched, and where the code was. */
bool recorded_memory_sample(const struct recording_about *about, const struct item *item);

#endif
