/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles as JSON, schema fieldline.profile/1, described in fieldline-c2c(1). A profile holds the
 * layouts of its types as a snapshot does, so that it can be read without the kernel's image.
 */
#ifndef FIELDLINE_STORE_PROFILE_H
#define FIELDLINE_STORE_PROFILE_H

#include "base/error.h"
#include "base/json.h"
#include "model/profile.h"

#define PROFILE_SCHEMA "fieldline.profile/1"

/* Adds the profile as JSON. add_stats, which may be NULL, adds an object with the key "stats". */
void profile_print(struct text *text, const struct profile *profile,
		   void (*add_stats)(void *context, struct json *json), void *context);

/* Whether the file is JSON of this schema, of any version. */
bool profile_is_one(const char *path);
/* Reads strictly: an error names the place. */
struct error *profile_read(const char *path, struct profile *ret);

#endif
