/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/variables.h"

#include <string.h>

static const struct type *type_of_size(struct code *code, const struct shape *shape, uint64_t size)
{
	const struct type *type = shape ? code_type(code, shape) : NULL;

	return type && type_size(type) == size ? type : NULL;
}

const struct type *variable_type(struct code *code, const struct symbol *symbol)
{
	struct code_variable variable;

	code_index(code);
	/* A module's debug information may be elsewhere; this one they have in common. */
	if (!strcmp(symbol->name, "__this_module"))
		return type_of_size(code, code_find_struct(code, "module"), symbol->size);
	if (!code_find_variable(code, CODE_NO_FUNCTION, symbol->address, &variable) ||
	    variable.offset)
		return NULL;
	return type_of_size(code, variable.shape, symbol->size);
}
