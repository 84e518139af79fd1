/* SPDX-License-Identifier: GPL-2.0-only */
/* The words of a snapshot that writing and reading share. */
#ifndef FIELDLINE_STORE_SNAPSHOT_WORDS_H
#define FIELDLINE_STORE_SNAPSHOT_WORDS_H

#include <stddef.h>

#include "model/type.h"

#define SNAPSHOT_SCHEMA "fieldline.snapshot/1"
#define SNAPSHOT_MAX_ALIGN (1u << 30)

/* A type is an object with the word of its kind as one key; its value is the target, if any. */
extern const char *const snapshot_kind_words[TYPE_ATOMIC + 1];
extern const char *const snapshot_field_words[FIELD_VARIANTS + 1];

/* Kinds that have names are written by them, and defined once under "types". */
bool snapshot_is_nameable(enum type_kind kind);
/* The size that a type has if none is stated. */
uint64_t snapshot_default_size(enum type_kind kind, uint32_t pointer_size);

#endif
