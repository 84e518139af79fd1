/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/facts.h"

void facts_deinit(struct facts *facts)
{
	map_deinit(&facts->votes_by_key);
	map_deinit(&facts->arguments);
	vec_deinit(&facts->votes);
	vec_deinit(&facts->passed);
}

static uint64_t field_key(uint64_t folder, const struct shape *shape, int64_t offset)
{
	return hash_mix(hash_mix(folder, shape->number), (uint64_t)offset);
}

static uint64_t argument_key(uint64_t function, unsigned int argument)
{
	return hash_mix(hash_mix(1, function), argument);
}

/* Boyer and Moore's majority vote: others wear the first choice down, then one takes its place. */
static void add_vote(struct facts *facts, uint64_t key, const struct shape *target, int64_t offset)
{
	struct map_slot *slot;
	struct vote *vote;
	bool is_new;

	slot = map_add(&facts->votes_by_key, key, &is_new);
	if (is_new) {
		slot->value = facts->votes.nr;
		*vec_add(&facts->votes) = (struct vote){ target, offset, 1, 0 };
		return;
	}
	vote = &facts->votes.items[slot->value];
	if (vote->target == target && vote->offset == offset) {
		vote->nr_agree++;
		return;
	}
	vote->nr_others++;
	if (vote->nr_agree <= vote->nr_others / 2) {
		vote->target = target;
		vote->offset = offset;
	}
}

static const struct vote *find_vote(const struct facts *facts, uint64_t key)
{
	const struct map_slot *slot = map_find(&facts->votes_by_key, key);
	const struct vote *vote = slot ? &facts->votes.items[slot->value] : NULL;

	return vote && vote->target && vote->nr_agree >= 3 * vote->nr_others ? vote : NULL;
}

void facts_vote_field(struct facts *facts, uint64_t folder, const struct shape *shape,
		      int64_t offset, const struct shape *target)
{
	add_vote(facts, field_key(folder, shape, offset), target, 0);
}

const struct shape *facts_field(const struct facts *facts, uint64_t folder,
				const struct shape *shape, int64_t offset)
{
	const struct vote *vote = find_vote(facts, field_key(folder, shape, offset));

	return vote ? vote->target : NULL;
}

void facts_vote_argument(struct facts *facts, uint64_t function, unsigned int argument,
			 const struct shape *shape, int64_t offset)
{
	add_vote(facts, argument_key(function, argument), shape, offset);
}

const struct vote *facts_voted_argument(const struct facts *facts, uint64_t function,
					unsigned int argument)
{
	return find_vote(facts, argument_key(function, argument));
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
