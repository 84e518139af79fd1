/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layouts as JSON, schema fieldline.layout/1 (described in fieldline-layout(1)). The document is
 * written struct by struct, so that a whole kernel never has to be in memory as JSON.
 */
#ifndef FIELDLINE_REPORT_LAYOUT_JSON_H
#define FIELDLINE_REPORT_LAYOUT_JSON_H

#include "base/json.h"
#include "model/layout.h"
#include "model/typeset.h"

/* "source", "view" and "notes" of any document about types, each on its own line. */
void layout_json_source(struct json *json, const struct typeset *set, struct view view);

/* Which struct it is: its names, kind and place in the source, and which definition of its name. */
void layout_json_identity(struct json *json, const struct definition *definition, size_t number,
			  size_t nr_numbers);

/*
 * "size" and "align" of a member: null where it holds what is only declared. A bit-field's bytes
 * are those that it touches.
 */
void layout_json_size(struct json *json, uint64_t offset_bits, uint64_t width_bits, bool is_sized);
void layout_json_align(struct json *json, uint32_t align, bool is_sized);

void json_add_source(struct json *json, const char *key, const struct source *source);

/* Once: what the types were read from. Then each struct, then the end. */
void layout_json_begin(struct json *json, const struct typeset *set, struct view view);
/* number counts from 1 among the nr_numbers definitions of that name. */
void layout_json_add(struct json *json, const struct typeset *set,
		     const struct definition *definition, struct view view, size_t number,
		     size_t nr_numbers);
void layout_json_end(struct json *json);

#endif
