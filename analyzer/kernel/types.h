/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The door to every type reader: give it a file and names, get definitions.
 *
 * Reads vmlinux, modules, objects and programs (ELF with DWARF or BTF, separate debug files found
 * by build-id and debuglink) and raw BTF. What is asked for decides the cost: one name in a
 * vmlinux takes some tens of milliseconds, not the seconds of loading it.
 */
#ifndef FIELDLINE_KERNEL_TYPES_H
#define FIELDLINE_KERNEL_TYPES_H

#include "base/error.h"
#include "model/typeset.h"

enum types_format {
	TYPES_AUTO, /* DWARF where there is some, else BTF */
	TYPES_DWARF,
	TYPES_BTF,
};

struct types_request {
	/*
	 * What to find; nr_queries 0 = every struct and union. A struct's members by value come
	 * along.
	 */
	const struct type_query *queries;
	size_t nr_queries;
	enum types_format format;
	/* Raw BTF or a vmlinux that a module's split BTF builds on; NULL = look for it. */
	const char *btf_base;
	unsigned int nr_threads; /* 0 = one per processor, at most 8 */
	/* Stop at the first definition, as pahole does: others go unseen. */
	bool first_only;
	bool allow_missing;    /* a name that is not there is no error: the rest is read */
	bool allow_randomized; /* read a RANDSTRUCT kernel all the same */
};

/*
 * Reads into ret, which the caller owns (typeset_deinit). A name that is not there is an
 * ERROR_NOT_FOUND that lists the nearest names; so is a file without a single struct.
 */
struct error *types_read(const char *path, const struct types_request *request,
			 struct typeset *ret);

/*
 * The image to read when none is named: the running kernel's debug vmlinux where one is installed,
 * else its BTF. *ret is allocated.
 */
struct error *types_running_kernel(char **ret);

#endif
