/* SPDX-License-Identifier: GPL-2.0-only */
#include "store/snapshot_words.h"

const char *const snapshot_kind_words[] = {
	[TYPE_VOID] = "void",
	[TYPE_BASE] = "base",
	[TYPE_ENUM] = "enum",
	[TYPE_STRUCT] = "struct",
	[TYPE_CLASS] = "class",
	[TYPE_UNION] = "union",
	[TYPE_ARRAY] = "array",
	[TYPE_FUNCTION] = "function",
	[TYPE_POINTER] = "pointer",
	[TYPE_REFERENCE] = "reference",
	[TYPE_RVALUE_REFERENCE] = "rvalue_reference",
	[TYPE_MEMBER_POINTER] = "member_pointer",
	[TYPE_TYPEDEF] = "typedef",
	[TYPE_CONST] = "const",
	[TYPE_VOLATILE] = "volatile",
	[TYPE_RESTRICT] = "restrict",
	[TYPE_ATOMIC] = "atomic",
};

const char *const snapshot_field_words[] = {
	[FIELD_MEMBER] = "member",
	[FIELD_BASE] = "base",
	[FIELD_VIRTUAL_BASE] = "virtual_base",
	[FIELD_VARIANTS] = "variants",
};

bool snapshot_is_nameable(enum type_kind kind)
{
	return kind == TYPE_BASE || kind == TYPE_TYPEDEF || type_keyword(kind);
}

uint64_t snapshot_default_size(enum type_kind kind, uint32_t pointer_size)
{
	return kind == TYPE_POINTER || kind == TYPE_REFERENCE || kind == TYPE_RVALUE_REFERENCE ?
		       pointer_size :
		       TYPE_SIZE_UNKNOWN;
}
