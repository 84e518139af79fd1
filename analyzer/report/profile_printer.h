/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the text of a profile, each in its own file. */
#ifndef FIELDLINE_REPORT_PROFILE_PRINTER_H
#define FIELDLINE_REPORT_PROFILE_PRINTER_H

#include "report/profile_text.h"

struct profile_printer {
	struct text *text;
	const struct profile *profile;
	const struct profile_text_options *options;
};

/*
 * What was read, what was resolved and how, what was not and why, what is missing. In front of
 * each line stands prefix.
 */
void profile_print_honesty(struct text *text, const struct profile *profile, const char *prefix);
/* Whether the options want that type; without any named, what is fought over. */
bool profile_wants_type(const struct profile_printer *printer, const struct profile_type *type);
/* One type with its lines. */
void profile_print_type(struct profile_printer *printer, uint32_t type);
/* One table for all. */
void profile_print_objects(struct profile_printer *printer);
void profile_print_addresses(struct profile_printer *printer);
void profile_print_functions(struct profile_printer *printer);
void profile_print_cpus(struct profile_printer *printer);
void profile_print_nodes(struct profile_printer *printer);
void profile_print_times(struct profile_printer *printer);

/* "i_rwsem.count" of a place; "(unresolved)+8" where there is no type. */
void profile_print_place(struct text *text, const struct profile *profile,
			 const struct profile_place *place);

#endif
