/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From an instruction of the kernel and the address it touched to struct, field and object.
 *
 * What can be said is combined from three sides, each in files of its own and each adding its bit
 * to access.basis: the address (symbols, per-CPU areas, known allocations), the instruction (debug
 * information and the flow of types through its function) and the container (embedded structs
 * lifted to what holds them). So far the instruction speaks alone.
 *
 * Not safe for use by several threads at once: libdw is not.
 */
#ifndef FIELDLINE_RESOLVE_RESOLVER_H
#define FIELDLINE_RESOLVE_RESOLVER_H

#include <stddef.h>

#include "base/error.h"
#include "kernel/code.h"
#include "model/access.h"
#include "model/sample.h"
#include "model/typeset.h"

struct resolver;

struct resolver_request {
	const char *vmlinux; /* with DWARF */
	const char *modules; /* a directory to look for .ko files in; NULL = none */
	bool no_cache;	     /* neither read nor write the table of the whole kernel */
};

/*
 * Opens the images; nothing is analysed yet. An error where the file has no DWARF, is not for
 * x86-64 or the program was built without a disassembler.
 */
struct error *resolver_open(const struct resolver_request *request, struct resolver **ret);
void resolver_close(struct resolver *resolver);

static inline void resolver_close_pointer(struct resolver **resolver)
{
	resolver_close(*resolver);
}

#define auto_resolver __attribute__((cleanup(resolver_close_pointer)))

/* What vmlinux is: path, build-id, machine. Types of accesses live as long as the resolver. */
const struct source *resolver_source(const struct resolver *resolver);

/* vmlinux's symbols and variables. */
struct code *resolver_code(struct resolver *resolver);
/* Those of the module that lies there, else vmlinux's; NULL = there is no code. */
struct code *resolver_code_at(struct resolver *resolver, uint64_t ip);

/*
 * Where the code ran: what a recording's addresses have on top of vmlinux's (KASLR), and which
 * module's text lay at [start, start + size). A module without a file in the directory is an
 * ERROR_NOT_FOUND; its instructions stay ACCESS_NO_CODE.
 */
void resolver_set_slide(struct resolver *resolver, uint64_t slide);
struct error *resolver_add_module(struct resolver *resolver, const char *name, uint64_t start,
				  uint64_t size);

/* A section of a module, where it lay in the recording. */
struct placed_section {
	struct code *code;
	uint64_t start, size;
	uint64_t linked; /* its address in code */
	bool executable;
};

/*
 * A section of the module that was added at module_start lay at start. Without that all of its
 * code is taken to lie behind its .text as in the file, and its data nowhere. False where nothing
 * came of it: there is no such module or section, it is gone once the module runs (.init.text), is
 * per-CPU, or was placed before.
 */
bool resolver_place_section(struct resolver *resolver, uint64_t module_start, const char *name,
			    uint64_t start, struct placed_section *ret);

/*
 * Analyses the whole kernel (seconds) unless its table was in the cache; with keep the table goes
 * there. What is found of one instruction does not depend on which others were asked for then.
 */
struct error *resolver_build_table(struct resolver *resolver, bool keep);

/* Whether the table of the whole kernel is there. */
bool resolver_has_table(const struct resolver *resolver);

/*
 * Analyses the functions of these instructions together: what one tells about a void pointer the
 * others use. Optional, and free where the table of the whole kernel is there; without it each
 * function is analysed when first asked for.
 */
void resolver_prepare(struct resolver *resolver, const uint64_t *ips, size_t nr);

/*
 * What the sample touched. Never fails: an access without a type says why. A sample without an
 * address is resolved too, by its instruction alone; its object is then 0.
 */
void resolver_resolve(struct resolver *resolver, const struct sample *sample, struct access *ret);

/* The function an instruction lies in, inlined ones not counted; NULL = in none that is known. */
const char *resolver_function(struct resolver *resolver, uint64_t ip);

#endif
