/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lets the truth tests ask the resolver what no user does.
 *
 *	resolve_driver holdout FILE NR		withholds variables from the flow, compares
 *	resolve_driver function FILE NAME...	what each instruction of these functions accesses
 *
 * holdout prints "direct N": of NR random instructions those that a variable in a register
 * answers; "found N": those that the flow answers alone, knowing only what the function was called
 * with; "agree N": to the same field, or one of a struct that holds that or is held by it.
 * function prints a line an access: NAME, "load", "store" or "change", type, field.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/field_path.h"
#include "resolve/answer.h"
#include "resolve/coverage.h"
#include "resolve/images.h"

struct answer_map {
	struct map indexes;
	struct answer_vec {
		struct answer *items;
		size_t nr;
		size_t capacity;
	} answers;
};

struct holdout {
	struct analysis *analysis;
	const struct map *wanted;
	struct answer_map *ret;
};

static void keep_answer(void *context, struct flow *flow, uint32_t step, struct state *state)
{
	struct holdout *holdout = context;
	uint64_t address = flow->steps.items[step].insn.address;
	struct map_slot *slot;

	if (!map_find(holdout->wanted, address))
		return;
	slot = map_add(&holdout->ret->indexes, address, NULL);
	slot->value = holdout->ret->answers.nr;
	answer_step(flow, holdout->analysis->containers, step, state,
		    vec_add(&holdout->ret->answers));
}

static void answer_all(struct analysis *analysis, const struct address_list *list, bool withhold,
		       struct answer_map *ret)
{
	auto_map struct map wanted = {};
	struct holdout holdout = { analysis, &wanted, ret };

	for (size_t i = 0; i < list->nr; i++)
		map_add(&wanted, list->items[i], NULL);
	analysis_begin(analysis);
	analysis->flow->without_variables = withhold;
	for (size_t i = 0; i < list->nr; i++) {
		if (!map_find(&ret->indexes, list->items[i]) &&
		    flow_analyze(analysis->flow, list->items[i]))
			flow_replay(analysis->flow, &(struct flow_visitor){
							    .visit = keep_answer,
							    .context = &holdout,
						    });
	}
}

/* One is a part of the other, or is the same place of it. */
static bool agree(const struct answer *a, const struct answer *b)
{
	if (a->shape == b->shape && a->offset == b->offset)
		return true;
	return place_holds(a->shape, a->offset - b->offset, b->shape) ||
	       place_holds(b->shape, b->offset - a->offset, a->shape);
}

static void compare(const struct address_list *list, const struct answer_map *direct,
		    const struct answer_map *alone)
{
	size_t nr_direct = 0, nr_found = 0, nr_agree = 0;

	for (size_t i = 0; i < list->nr; i++) {
		struct map_slot *a = map_find(&direct->indexes, list->items[i]);
		struct map_slot *b = map_find(&alone->indexes, list->items[i]);
		const struct answer *stated, *found;

		if (!a || !b)
			continue;
		stated = &direct->answers.items[a->value];
		found = &alone->answers.items[b->value];
		if (stated->rule != RULE_REGISTER)
			continue;
		nr_direct++;
		if (!found->shape)
			continue;
		nr_found++;
		nr_agree += agree(stated, found);
	}
	printf("direct %zu\nfound %zu\nagree %zu\n", nr_direct, nr_found, nr_agree);
}

static void run_holdout(struct resolver *resolver, const char *nr)
{
	struct answer_map direct = {}, alone = {};
	struct address_list list;

	resolver_list(resolver, &list);
	address_list_sample(&list, strtoul(nr, NULL, 10), 1);
	answer_all(&resolver->kernel, &list, false, &direct);
	answer_all(&resolver->kernel, &list, true, &alone);
	compare(&list, &direct, &alone);
	free(list.items);
	map_deinit(&direct.indexes);
	map_deinit(&alone.indexes);
	vec_deinit(&direct.answers);
	vec_deinit(&alone.answers);
}

static void print_access(const char *function, const struct access *access)
{
	auto_text struct text type = {}, field = {};

	if (access->unresolved == ACCESS_NO_OPERAND || access->unresolved == ACCESS_STACK)
		return;
	if (!access->type) {
		printf("%s - - %s\n", function, access_unresolved_word(access->unresolved));
		return;
	}
	type_print(&type, access->type, NULL);
	field_path_print(&field, access->type, access->offset, access->size);
	printf("%s %s %s %s\n", function,
	       access->is_load && access->is_store ? "change" :
	       access->is_store			   ? "store" :
						     "load",
	       text_chars(&type), text_chars(&field));
}

static void run_function(struct resolver *resolver, const char *name)
{
	uint64_t start = code_symbol_address(resolver->kernel.code, name);
	const struct code_symbol *symbol = code_symbol_at(resolver->kernel.code, start);
	struct row row;

	if (!start || !symbol) {
		printf("%s - - missing\n", name);
		return;
	}
	for (uint64_t at = start; at < start + symbol->size; at++) {
		struct sample sample = { .ip = at, .has = SAMPLE_HAS_IP };
		struct access access;

		/* Only where an instruction starts: rows are there for those. */
		analysis_find(&resolver->kernel, start, &row);
		if (!table_find(&resolver->kernel.table, at, &row) || row.class == CLASS_NONE)
			continue;
		resolver_resolve(resolver, &sample, &access);
		print_access(name, &access);
	}
}

int main(int argc, char **argv)
{
	struct resolver_request request = { .vmlinux = argc > 2 ? argv[2] : NULL,
					    .no_cache = true };
	auto_resolver struct resolver *resolver = NULL;
	struct error *err;

	if (argc < 4)
		return 2;
	err = resolver_open(&request, &resolver);
	if (err) {
		fprintf(stderr, "%s\n", error_message(err));
		error_destroy(err);
		return 1;
	}
	if (!strcmp(argv[1], "holdout"))
		run_holdout(resolver, argv[3]);
	for (int i = 3; !strcmp(argv[1], "function") && i < argc; i++)
		run_function(resolver, argv[i]);
	return 0;
}
