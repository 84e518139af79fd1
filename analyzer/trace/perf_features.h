/* SPDX-License-Identifier: GPL-2.0-only */
/* The sections of a perf.data that tell of the machine, the command and the events. */
#ifndef FIELDLINE_TRACE_PERF_FEATURES_H
#define FIELDLINE_TRACE_PERF_FEATURES_H

#include "base/bytes.h"
#include "trace/perf_event.h"
#include "trace/reader.h"

/*
 * Reads one feature (enum perf_feature) into recording->about. Features come in the order of
 * their numbers: CPU_TOPOLOGY relies on NRCPUS. False when it makes no sense: the rest of it is
 * then left out.
 */
bool perf_feature_parse(struct recording *recording, unsigned int feature, struct bytes *bytes);
/* The build-id of one record or section entry, its header taken off. */
void perf_build_id_parse(struct recording *recording, uint16_t misc, struct bytes *bytes);

#endif
