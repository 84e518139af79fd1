/* SPDX-License-Identifier: GPL-2.0-only */
/* What lies at an address of a guest that ran: functions and variables, modules' too. */
#ifndef FIELDLINE_EXACT_NAMES_H
#define FIELDLINE_EXACT_NAMES_H

#include "base/error.h"
#include "model/symbol.h"
#include "trace/counts.h"

DEFINE_VEC(symbol_address_vec, struct symbol); /* by address, which is the guest's */

struct names {
	struct arena arena;
	struct symbol_address_vec functions;
	struct symbol_address_vec variables;
	struct symbol_address_vec percpu; /* addresses are offsets into a CPU's area */
	struct string_vec gaps;		  /* modules that could not be read, a sentence each */
};

/* modules: a directory to look for .ko files in; NULL = none. */
struct error *names_read(const char *vmlinux, const char *modules, const struct counts *counts,
			 struct names *ret);
void names_deinit(struct names *names);
#define auto_names __attribute__((cleanup(names_deinit)))

/* Never NULL: "unknown code" where nothing is known. */
const char *names_function(const struct names *names, uint64_t address);
/* The variable that holds the address; NULL = none. */
const struct symbol *names_variable(const struct symbol_address_vec *variables, uint64_t address);

#endif
