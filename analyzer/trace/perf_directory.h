/* SPDX-License-Identifier: GPL-2.0-only */
/* A perf.data that is a directory: `data`, and beside it a file of records for each CPU. */
#ifndef FIELDLINE_TRACE_PERF_DIRECTORY_H
#define FIELDLINE_TRACE_PERF_DIRECTORY_H

#include "base/error.h"
#include "base/vec.h"

/* The file with the header in the directory at path, to be freed; NULL if path is none. */
struct error *perf_directory_find(const char *path, char **ret);

DEFINE_VEC(path_vec, char *);

/* The files data.0, data.1... beside the file at path, in this order; each to be freed. */
void perf_directory_list(const char *path, struct path_vec *ret);

#endif
