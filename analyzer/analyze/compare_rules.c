/* SPDX-License-Identifier: GPL-2.0-only */
/* What a comparison can find. */
#include "analyze/compare_pair.h"

const struct rule_info rule_diff_change = {
	"DIFF-FIELD",
	"field changed",
	"A field was added, removed, renamed, moved, resized or given another type by an edit to "
	"this struct. Check that what follows from it, listed with it, is meant.",
};
const struct rule_info rule_diff_ripple = {
	"DIFF-RIPPLE",
	"fields pushed along",
	"Fields in a row moved by the same distance because something before them changed. Put a "
	"new field into a hole, or at the end, to leave the others where they are.",
};
const struct rule_info rule_diff_embedded = {
	"DIFF-EMBEDDED",
	"embedded struct changed",
	"A struct that is embedded here changed, so this one did. The cause is reported with the "
	"embedded struct.",
};
const struct rule_info rule_diff_size = {
	"DIFF-SIZE",
	"size or alignment changed",
	"Every object takes another number of bytes or lines than before.",
};
const struct rule_info rule_diff_class = {
	"DIFF-SIZE-CLASS",
	"allocator's size class crossed",
	"The allocator hands out objects in classes: an object that no longer fits its class takes "
	"the next larger one, and a slab then holds fewer.",
};
const struct rule_info rule_diff_hole = {
	"DIFF-HOLE",
	"holes or padding changed",
	"Bytes that belong to no field were won or lost.",
};
const struct rule_info rule_diff_straddle = {
	"DIFF-STRADDLE",
	"straddling won or lost",
	"A field that lies across two lines costs two cache misses where one would do, and two "
	"writes to it can fight over two lines. Move it, or what is before it, to a line's start.",
};
const struct rule_info rule_diff_phase = {
	"DIFF-PHASE",
	"embedded struct starts elsewhere in its line",
	"All fields of the embedded struct are cut into lines in another way than before, though "
	"that struct itself may not have changed. Align it, or pad what is before it.",
};
const struct rule_info rule_diff_line = {
	"DIFF-LINE",
	"fields start on another line",
	"These fields start on another line than before. What matters is who shares it with them.",
};
const struct rule_info rule_diff_share = {
	"DIFF-SHARE",
	"a line has other fields on it",
	"Fields that share a line are fetched together, and a write to one takes the line from "
	"every CPU that reads another. Keep what is written apart from what is mostly read.",
};
const struct rule_info rule_diff_group = {
	"DIFF-GROUP",
	"cacheline group changed",
	"The kernel marks fields that belong together with __cacheline_group_begin() and _end(); "
	"which fields stand between them, or on which lines these lie, has changed.",
};
const struct rule_info rule_diff_added = {
	"DIFF-ADDED",
	"struct is new",
	"The new file has a definition that the old one has not.",
};
const struct rule_info rule_diff_removed = {
	"DIFF-REMOVED",
	"struct is gone",
	"The old file has a definition that the new one has not: it was removed or renamed, or its "
	"debug information is missing.",
};

const struct rule_info *const compare_rules[] = {
	&rule_diff_change,   &rule_diff_ripple,
	&rule_diff_embedded, &rule_diff_size,
	&rule_diff_class,    &rule_diff_hole,
	&rule_diff_straddle, &rule_diff_phase,
	&rule_diff_line,     &rule_diff_share,
	&rule_diff_group,    &rule_diff_added,
	&rule_diff_removed,  NULL,
};
