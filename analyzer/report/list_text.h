/* SPDX-License-Identifier: GPL-2.0-only */
/* A listing for people: one line a struct, or one line a place where the asked one is embedded. */
#ifndef FIELDLINE_REPORT_LIST_TEXT_H
#define FIELDLINE_REPORT_LIST_TEXT_H

#include "model/listing.h"

void list_text_print(struct text *text, const struct typeset *set, const struct listing *listing);

#endif
