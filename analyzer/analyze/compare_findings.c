/* SPDX-License-Identifier: GPL-2.0-only */
/* The changes themselves as findings. */
#include "analyze/compare_pair.h"

struct finding *pair_add_finding(struct pair *pair, const struct rule_info *rule,
				 enum severity severity, const char *field, uint32_t line)
{
	const struct comparison *result = pair->result;
	struct finding *finding = vec_add(&pair->result->findings);

	*finding = (struct finding){
		.rule = rule,
		.severity = severity,
		.type = result->name,
		.field = field,
		.file = result->file,
		.line = line ? line : result->line,
	};
	return finding;
}

static void judge_change(struct pair *pair, const struct change *change)
{
	const struct compared_member *member = change->after ? change->after : change->before;
	struct finding *finding;
	auto_text struct text text = {};

	text_printf(&text, "%s ", member->label);
	change_describe(&text, change);
	finding = pair_add_finding(pair, change->follows ? &rule_diff_embedded : &rule_diff_change,
				   change->follows ? SEVERITY_NOTE : SEVERITY_WARNING, member->path,
				   change->after ? member->line : 0);
	finding->message = arena_strdup(pair->arena, text_chars(&text));
}

static void judge_ripple(struct pair *pair, const struct ripple *ripple)
{
	struct finding *finding = pair_add_finding(pair, &rule_diff_ripple, SEVERITY_NOTE, NULL, 0);
	bool back = ripple->moved_bits < 0;
	auto_text struct text text = {};

	if (ripple->nr > 1)
		text_printf(&text, "%u fields, %s to %s, moved %s by ", ripple->nr, ripple->first,
			    ripple->last, back ? "back" : "on");
	else
		text_printf(&text, "%s moved %s by ", ripple->first, back ? "back" : "on");
	bits_print(&text, (uint64_t)(back ? -ripple->moved_bits : ripple->moved_bits));
	finding->message = arena_strdup(pair->arena, text_chars(&text));
	finding->cause = ripple->cause;
}

void pair_judge_changes(struct pair *pair)
{
	const struct comparison *result = pair->result;

	for (size_t i = 0; i < result->changes.nr; i++) {
		const struct change *change = &result->changes.items[i];

		if (!change->follows || change->kinds & CHANGE_INSIDE)
			judge_change(pair, change);
	}
	for (size_t i = 0; i < result->ripples.nr; i++)
		judge_ripple(pair, &result->ripples.items[i]);
}
