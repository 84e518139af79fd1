/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots: layouts as JSON to keep and compare with, schema fieldline.snapshot/1, described in
 * fieldline-snapshot(1) and layouts/baselines/snapshot.schema.json.
 *
 * A snapshot holds everything that makes a layout, so that its types hash as those it was made
 * of. The order is stable, each member has a line of its own, and no path of the machine is in it.
 */
#ifndef FIELDLINE_STORE_SNAPSHOT_H
#define FIELDLINE_STORE_SNAPSHOT_H

#include "base/error.h"
#include "base/text.h"
#include "model/typeset.h"

/* Adds the set as JSON. Declaring files are told relative to root, others than those below not. */
void snapshot_print(struct text *text, const struct typeset *set, const char *root);

/* Whether the file looks like JSON, and so can be nothing else that holds types. */
bool snapshot_is_one(const char *path);

/* What was asked for when it was taken, and what came along. */
struct snapshot {
	struct typeset set;
	struct definition_vec embedded; /* by name */
};

/* Reads strictly: an error names the place. */
struct error *snapshot_read(const char *path, struct snapshot *ret);
void snapshot_deinit(struct snapshot *snapshot);
#define auto_snapshot __attribute__((cleanup(snapshot_deinit)))

#endif
