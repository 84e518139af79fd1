/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/facts.h"

void facts_deinit(struct facts *facts)
{
	map_deinit(&facts->fields);
	map_deinit(&facts->arguments);
	vec_deinit(&facts->votes);
	vec_deinit(&facts->passed);
}

static uint64_t field_key(uint64_t folder, const struct shape *shape, int64_t offset)
{
	return hash_mix(hash_mix(folder, shape->number), (uint64_t)offset);
}

/* Boyer and Moore's majority vote: others wear the first choice down, then one takes its place. */
void facts_vote_field(struct facts *facts, uint64_t folder, const struct shape *shape,
		      int64_t offset, const struct shape *target)
{
	struct field_vote *vote;
	struct map_slot *slot;
	bool is_new;

	slot = map_add(&facts->fields, field_key(folder, shape, offset), &is_new);
	if (is_new) {
		slot->value = facts->votes.nr;
		*vec_add(&facts->votes) = (struct field_vote){ target, 1, 0 };
		return;
	}
	vote = &facts->votes.items[slot->value];
	if (vote->target == target) {
		vote->nr_agree++;
	} else {
		vote->nr_others++;
		if (vote->nr_agree <= vote->nr_others / 2)
			vote->target = target;
	}
}

const struct shape *facts_field(const struct facts *facts, uint64_t folder,
				const struct shape *shape, int64_t offset)
{
	const struct map_slot *slot = map_find(&facts->fields, field_key(folder, shape, offset));
	const struct field_vote *vote = slot ? &facts->votes.items[slot->value] : NULL;

	return vote && vote->nr_agree >= 3 * vote->nr_others ? vote->target : NULL;
}

void facts_pass_argument(struct facts *facts, struct values *values, uint64_t function,
			 unsigned int argument, value_id value)
{
	struct map_slot *slot;
	value_id joined;
	bool is_new;

	slot = map_add(&facts->arguments, function * 8 + argument, &is_new);
	if (is_new) {
		slot->value = facts->passed.nr;
		*vec_add(&facts->passed) = *value_get(values, value);
		return;
	}
	joined = value_join(values, value_intern(values, &facts->passed.items[slot->value]), value);
	facts->passed.items[slot->value] = *value_get(values, joined);
}

const struct value *facts_argument(const struct facts *facts, uint64_t function,
				   unsigned int argument)
{
	const struct map_slot *slot = map_find(&facts->arguments, function * 8 + argument);

	return slot ? &facts->passed.items[slot->value] : NULL;
}
