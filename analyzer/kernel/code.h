/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a kernel image says about its code: bytes, symbols, functions, and which variable lies
 * where at which instruction. Addresses are those of the image: a module's sections are laid one
 * behind the other, where modules go, so that no number in its code looks like one of them.
 */
#ifndef FIELDLINE_KERNEL_CODE_H
#define FIELDLINE_KERNEL_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "kernel/shapes.h"
#include "model/typeset.h"

struct code;

/* path is kept. An error for what is not x86-64 or has no DWARF. Nothing is indexed yet. */
struct error *code_open(const char *path, struct code **ret);
void code_close(struct code *code);
const struct source *code_source(const struct code *code);
/* Reads which variables and structs there are; a second call does nothing. */
void code_index(struct code *code);
/* The same and which functions, for all below that is about those. */
void code_index_functions(struct code *code);

struct code_section {
	const char *name;
	uint64_t address;
	uint64_t size;
	const uint8_t *bytes; /* NULL = none (.bss) */
	bool executable;
};

/* The i-th section that is loaded; NULL behind the last. */
const struct code_section *code_section(const struct code *code, size_t i);
const struct code_section *code_section_at(const struct code *code, uint64_t address);
/* The bytes at address; NULL = none. *ret_left: how many follow in that section. */
const uint8_t *code_bytes(const struct code *code, uint64_t address, uint64_t *ret_left);

struct code_symbol {
	const char *name;
	uint64_t address;
	uint64_t size;
	bool typed; /* a function or an object, no mere label */
};

/* Symbols in the order of their addresses; those at one address side by side, typed ones first. */
size_t code_nr_symbols(const struct code *code);
const struct code_symbol *code_symbol(const struct code *code, size_t i);
/* The first symbol at just that address; NULL = none. */
const struct code_symbol *code_symbol_at(const struct code *code, uint64_t address);
/* The symbol that address lies in, or, where none says so, the nearest before it; NULL = none. */
const struct code_symbol *code_symbol_covering(const struct code *code, uint64_t address);
/* The address of a symbol; 0 = there is none of that name. */
uint64_t code_symbol_address(const struct code *code, const char *name);

struct code_range {
	uint64_t start;
	uint64_t end;
};

DEFINE_VEC(code_range_vec, struct code_range);

#define CODE_NO_FUNCTION UINT32_MAX

/* A function as debug information has it. */
struct code_function {
	const char *name;
	uint64_t entry; /* 0 = unknown */
	bool no_return;
	bool signature_read;
	struct signature signature; /* behind code_signature() */
};

size_t code_nr_functions(const struct code *code);
const struct code_function *code_function(const struct code *code, uint32_t function);
/* The function whose ranges hold address; CODE_NO_FUNCTION. */
uint32_t code_function_at(const struct code *code, uint64_t address);
/* The function that starts there. */
uint32_t code_function_entered(const struct code *code, uint64_t address);
void code_function_ranges(const struct code *code, uint32_t function, struct code_range_vec *ret);
/* Arguments are unknown where the compiler made a variant of the function (.isra, .constprop). */
const struct signature *code_signature(struct code *code, uint32_t function);
/* The signature of a function that is only declared: in assembler, or another image. */
bool code_declared_signature(struct code *code, const char *name, struct signature *ret);
/* A number for the source folder of the function's unit. */
uint64_t code_function_folder(struct code *code, uint32_t function);
/* The same for a folder by name: "net/ipv6". */
uint64_t code_folder(const char *name, size_t length);
/* Whether the function's unit has the definition of a struct of that name. */
enum unit_has {
	UNIT_LACKS,
	UNIT_INCLUDES, /* from a header */
	UNIT_OWNS,     /* in the source file itself */
};

enum unit_has code_unit_has(struct code *code, uint32_t function, const char *struct_name);

struct code_variable {
	const char *name;
	const struct shape *shape;
	uint64_t offset; /* of the address in it */
};

/*
 * The variable that lies at address: a per-CPU one at its offset from the area's start. function
 * may be CODE_NO_FUNCTION; its unit's static variables are seen. False = none.
 */
bool code_find_variable(struct code *code, uint32_t function, uint64_t address,
			struct code_variable *ret);
/* The struct of that name; NULL = none. */
const struct shape *code_find_struct(struct code *code, const char *name);
/* The i-th of all named structs and unions; NULL behind the last. */
const struct shape *code_definition(struct code *code, size_t i);

/* Where a variable is while the instruction pointer is in [start, end). */
enum location_kind {
	LOCATION_REGISTER, /* its value is register + offset */
	LOCATION_MEMORY,   /* it lies at register + offset */
	LOCATION_FRAME,	   /* it lies at CFA + offset */
	LOCATION_SPILLED,  /* its value lies at CFA + offset */
	LOCATION_ENTRY,	   /* its value is what register + offset was at the function's entry */
	LOCATION_BEHIND,   /* it is a pointer, whose value lies at *(register + offset) + second */
};

struct location {
	uint64_t start;
	uint64_t end;
	enum location_kind kind;
	uint8_t reg;	   /* DWARF's number, below 16 */
	bool is_parameter; /* of the function itself */
	uint16_t depth;	   /* inlined functions and blocks around it */
	int64_t offset;
	int64_t second;
	const struct shape *shape;
	const char *name; /* NULL = none */
};

DEFINE_VEC(location_vec, struct location);

/* The locations of all variables of a function, those of what is inlined included. */
void code_locations(struct code *code, uint32_t function, struct location_vec *ret);

/*
 * The model's view of a shape; lives as long as the code. Of shape_single() the element's. A
 * struct that has only a typedef's name comes as that typedef.
 */
const struct type *code_type(struct code *code, const struct shape *shape);
/* Where a shape's DIE is in .debug_info, and back; 0 and NULL = it has none. */
uint64_t code_shape_place(const struct shape *shape);
const struct type *code_type_at(struct code *code, uint64_t place);

#endif
