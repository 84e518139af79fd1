/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/modelled.h"

#include <string.h>

#include "analyze/members.h"
#include "base/map.h"

/* A line as one function visits it. */
struct visit {
	uint64_t line;
	const char *function;
	uint64_t nr;
	uint64_t nr_writes;
};

DEFINE_VEC(visit_vec, struct visit);

static bool same_function(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void add_visit(struct visit_vec *visits, uint64_t line, const struct touch *touch)
{
	struct visit *visit = NULL;

	for (size_t i = 0; i < visits->nr && !visit; i++) {
		if (visits->items[i].line == line &&
		    same_function(visits->items[i].function, touch->function))
			visit = &visits->items[i];
	}
	if (!visit) {
		visit = vec_add(visits);
		*visit = (struct visit){ .line = line, .function = touch->function };
	}
	visit->nr = touch->nr > visit->nr ? touch->nr : visit->nr;
	visit->nr_writes =
		touch->nr_writes > visit->nr_writes ? touch->nr_writes : visit->nr_writes;
}

static void find_visits(const struct type *type, struct view view, const struct touches *touches,
			struct visit_vec *ret)
{
	auto_vec struct member_vec members = {};
	auto_map struct map places = {}; /* by the hash of a path: index of the member */
	auto_text struct text path = {};

	members_open(type, &members);
	for (size_t at = 0; at < members.nr; at++) {
		if (members.items[at].anonymous || !members.items[at].width_bits ||
		    members.items[at].offset_bits == FIELD_OFFSET_UNKNOWN)
			continue;
		text_clear(&path);
		member_print_path(&path, &members, at);
		map_add(&places, hash_string(0, text_chars(&path)), NULL)->value = at;
	}
	for (size_t i = 0; i < touches->items.nr; i++) {
		const struct touch *touch = &touches->items.items[i];
		struct map_slot *slot = map_find(&places, hash_string(0, touch->path));
		const struct member *member = slot ? &members.items[slot->value] : NULL;
		uint64_t first = member ? view_line(view, member->offset_bits / 8) : 1;
		uint64_t last = member ? view_line(view, (member->offset_bits + member->width_bits -
							  1) / 8) :
					 0;

		for (uint64_t line = first; line <= last; line++)
			add_visit(ret, line, touch);
	}
}

/*
 * Looking back from a visit of one CPU, the line is there if an own visit comes before a write of
 * another CPU. Nobody else has it if an own write comes before any visit of another CPU; else a
 * write takes the others' copies away, which is a transfer, too.
 */
static double count_transfers(double visits, double writes, double nr_cpus)
{
	const double share = writes / visits, own = 1 / nr_cpus, foreign = 1 - own;
	const double here = own / (own + share * foreign);
	const double alone = share * own / (share * own + foreign);

	return visits * (1 - here) + writes * (here - alone);
}

uint64_t modelled_transfers(const struct type *type, struct view view,
			    const struct touches *touches)
{
	auto_vec struct visit_vec visits = {};
	double sum = 0;

	if (!touches || touches->nr_cpus < 2)
		return 0;
	find_visits(type, view, touches, &visits);
	for (size_t i = 0; i < visits.nr; i++) {
		uint64_t nr = 0, nr_writes = 0;

		/* Each line once, at its first visit. */
		for (size_t j = 0; j < visits.nr; j++) {
			if (visits.items[j].line != visits.items[i].line)
				continue;
			if (j < i)
				break;
			nr += visits.items[j].nr;
			nr_writes += visits.items[j].nr_writes;
		}
		if (nr_writes)
			sum += count_transfers((double)nr, (double)nr_writes, touches->nr_cpus);
	}
	return (uint64_t)(sum + 0.5);
}
