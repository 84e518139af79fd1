/* SPDX-License-Identifier: GPL-2.0-only */
/* Those records of perf.data that are no samples but tell something: as items. */
#ifndef FIELDLINE_TRACE_PERF_RECORDS_H
#define FIELDLINE_TRACE_PERF_RECORDS_H

#include "trace/perf_stream.h"

enum perf_record_use {
	PERF_RECORD_IS_ITEM,
	PERF_RECORD_NOT_WANTED, /* known, and nothing in it is of use here */
	PERF_RECORD_DAMAGED,
};

/* Strings of the item lie in the record. body is that of the record, without its trailer. */
enum perf_record_use perf_record_parse(const struct perf_record *record, struct bytes *body,
				       struct item *ret);

#endif
