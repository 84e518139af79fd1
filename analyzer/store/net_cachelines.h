/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the tables in the kernel's Documentation/networking/net_cachelines (.rst files).
 *
 * Up to Linux 6.13 a table is bare text in columns, its second row "..struct ..NAME" naming the
 * struct; since 6.14 it is a reStructuredText simple table between borders of "=" and only the
 * title names the struct.
 */
#ifndef FIELDLINE_STORE_NET_CACHELINES_H
#define FIELDLINE_STORE_NET_CACHELINES_H

#include "base/error.h"
#include "model/path_table.h"

/* Every table of a struct in the directory, by file name. None at all is an error. */
struct error *net_cachelines_read(const char *directory, struct path_tables *ret);
/* One file's text; adds at most one table. name is its base name. */
void net_cachelines_parse(const char *name, const char *text, struct path_tables *tables);

#endif
