/* SPDX-License-Identifier: GPL-2.0-only */
/* A snapshot inside another file of ours. */
#ifndef FIELDLINE_STORE_SNAPSHOT_VALUE_H
#define FIELDLINE_STORE_SNAPSHOT_VALUE_H

#include <jansson.h>

#include "store/snapshot.h"

/* Reads it from its value; path is that of the file around it. */
struct error *snapshot_read_value(const json_t *document, const char *path, struct snapshot *ret);

#endif
