/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is mapped where, in the kernel and in each process, as a recording tells it bit by bit; by
 * the rules of perf 6.1, whose counts depend on them.
 */
#ifndef FIELDLINE_TRACE_ADDRESS_MAPS_H
#define FIELDLINE_TRACE_ADDRESS_MAPS_H

#include "model/c2c_stats.h"
#include "model/sample.h"
#include "trace/recording.h"

struct address_maps;

struct address_maps *address_maps_create(void);
void address_maps_destroy(struct address_maps *maps);

/* Learns from an item of any kind; times should grow. */
void address_maps_add(struct address_maps *maps, const struct item *item);

/* Where the sample's data lies. */
struct c2c_place address_maps_place(struct address_maps *maps, const struct sample *sample);

#endif
