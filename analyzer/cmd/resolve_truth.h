/* SPDX-License-Identifier: GPL-2.0-only */
/* The resolver held against an emulated run in which the owner of each address is known. */
#ifndef FIELDLINE_CMD_RESOLVE_TRUTH_H
#define FIELDLINE_CMD_RESOLVE_TRUTH_H

#include "base/error.h"
#include "exact/truth.h"
#include "resolve/resolver.h"

struct truth_run {
	struct counts counts;
	struct truth_image_vec images;
	struct truths truths;
	struct accuracy accuracy;
};

/*
 * directory: the output of fieldline emulate --every-access. Modules are taken from the folder that
 * the resolver knows. ret starts zeroed, and is to be deinitialised whatever comes back.
 */
struct error *truth_run_measure(struct resolver *resolver, const char *directory,
				struct truth_run *ret);
void truth_run_deinit(struct truth_run *run);
#define auto_truth_run __attribute__((cleanup(truth_run_deinit)))

#endif
