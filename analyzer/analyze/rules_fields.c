/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules over the struct as a whole, and over one field at a time. */
#include "analyze/judge.h"
#include "analyze/locks.h"

const struct rule_info rule_size = {
	"POLICY-SIZE",
	"struct too large",
	"a larger struct may need a larger slab object, and what is embedded behind it moves; "
	"make it smaller, or raise max_size if the growth is meant",
};

const struct rule_info rule_lines = {
	"POLICY-LINES",
	"struct on too many lines",
	"every further line can be a further cache miss; pack the holes, or raise max_lines if the "
	"growth is meant",
};

const struct rule_info rule_straddle = {
	"POLICY-STRADDLE",
	"field across two lines",
	"each access to it fetches two lines, and an atomic operation on it may lock the bus; move "
	"it, or what lies before it, by the bytes the message tells",
};

const struct rule_info rule_phase = {
	"POLICY-PHASE",
	"field at another phase",
	"where a struct starts in its line decides which of its fields share one; something before "
	"it changed its size",
};

const struct rule_info rule_align = {
	"POLICY-ALIGN",
	"field does not start on a line",
	"it was tuned for starting on a line of its own; align it, or what lies before it",
};

const struct rule_info rule_own_line = {
	"POLICY-OWN-LINE",
	"field shares its line",
	"whoever writes the neighbour takes the line away from the field's users; put padding or "
	"cold fields between them",
};

void judge_size(struct judge *judge)
{
	uint64_t size = type_size(judge->definition->type);
	uint64_t most = judge->clause->number;

	if (size > most)
		judge_violated(judge, MEMBER_NONE,
			       "has %llu bytes, %llu more than the %llu allowed",
			       (unsigned long long)size, (unsigned long long)(size - most),
			       (unsigned long long)most);
}

void judge_lines(struct judge *judge)
{
	uint64_t lines = view_nr_lines(judge->view, 0, type_size(judge->definition->type));

	if (lines > judge->clause->number)
		judge_violated(judge, MEMBER_NONE,
			       "lies on %llu lines of %u bytes, %llu more than the %llu allowed",
			       (unsigned long long)lines, judge->view.cacheline,
			       (unsigned long long)(lines - judge->clause->number),
			       (unsigned long long)judge->clause->number);
}

static void straddle(struct judge *judge, size_t at)
{
	auto_text struct text text = {};
	struct extent extent;
	uint32_t behind;

	if (!judge_extent(judge, at, &extent) ||
	    !view_wastes_line(judge->view, judge->members.items[at].offset_bits,
			      judge->members.items[at].width_bits))
		return;
	member_print_label(&text, &judge->members, at);
	text_add(&text, " lies on ");
	extent_add_lines(&text, &extent);
	behind = judge->view.cacheline - view_line_offset(judge->view, extent.first);
	judge_violated(judge, at,
		       "%s (bytes %llu to %llu): the boundary cuts it after %u of %llu bytes",
		       text_chars(&text), (unsigned long long)extent.first,
		       (unsigned long long)extent.last, behind,
		       (unsigned long long)(extent.last - extent.first + 1));
}

static bool is_scalar(const struct type *type)
{
	type = type_strip(type);
	return type &&
	       (type->kind == TYPE_BASE || type->kind == TYPE_ENUM || type->kind == TYPE_POINTER);
}

/* What lies in an array is not looked at: only its first element's place is known here. */
static void straddle_any(struct judge *judge, bool scalars)
{
	for (size_t i = 0; i < judge->members.nr; i++) {
		const struct member *member = &judge->members.items[i];
		bool lock = type_is_lock(member->field->type);

		if (member->repeated || (scalars && !lock && !is_scalar(member->field->type)))
			continue;
		if (member->width_bits <= 8 * (uint64_t)judge->view.cacheline && !member->anonymous)
			straddle(judge, i);
		if (lock || judge_is_leaf(judge, i))
			i += member->nr_inside;
	}
}

void judge_straddle(struct judge *judge)
{
	const struct clause *clause = judge->clause;

	if (clause->kind != CLAUSE_STRADDLE) {
		straddle_any(judge, clause->kind == CLAUSE_STRADDLE_SCALARS);
		return;
	}
	for (size_t i = 0; i < clause->nr_fields; i++) {
		size_t at = judge_find(judge, clause->fields[i]);

		if (at != MEMBER_NONE)
			straddle(judge, at);
	}
}

static void check_phase(struct judge *judge, uint64_t wanted)
{
	size_t at = judge_find(judge, judge->clause->fields[0]);
	auto_text struct text text = {};
	uint64_t offset_bits;
	uint32_t phase;

	if (at == MEMBER_NONE)
		return;
	offset_bits = judge->members.items[at].offset_bits;
	if (offset_bits == FIELD_OFFSET_UNKNOWN) {
		judge_gap(judge, "does not tell where its field '%s' lies",
			  judge->clause->fields[0]);
		return;
	}
	phase = view_line_offset(judge->view, offset_bits / 8);
	if (phase == wanted)
		return;
	member_print_label(&text, &judge->members, at);
	judge_violated(judge, at, "%s starts %u bytes into a line of %u, not %llu (at byte %llu)",
		       text_chars(&text), phase, judge->view.cacheline, (unsigned long long)wanted,
		       (unsigned long long)offset_bits / 8);
}

void judge_phase(struct judge *judge)
{
	check_phase(judge, judge->clause->number);
}

void judge_align(struct judge *judge)
{
	check_phase(judge, 0);
}
