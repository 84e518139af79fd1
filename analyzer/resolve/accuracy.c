/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/accuracy.h"

#include "resolve/agreement.h"
#include "resolve/images.h"

struct measure {
	struct resolver *resolver;
	const struct truth_vec *truths;
	struct accuracy *ret;
};

/* The instruction at hand: where its accesses are counted. */
struct subject {
	struct row row;
	struct access access;
	bool is_repeated;
	uint64_t agreements[NR_AGREEMENTS];
	uint64_t weak[NR_AGREEMENTS];
	uint64_t kinds[NR_TRUTH_KINDS][NR_AGREEMENTS];
};

static void add_row(struct accuracy_row_vec *rows, const char *word, const char *phrase)
{
	*vec_add(rows) = (struct accuracy_row){ .word = word, .phrase = phrase };
}

static void make_rows(struct accuracy *accuracy)
{
	for (int i = 0; i < NR_TRUTH_KINDS; i++)
		add_row(&accuracy->kinds, truth_kind_word((enum truth_kind)i),
			truth_kind_phrase((enum truth_kind)i));
	for (int i = 0; i < NR_RULES; i++)
		add_row(&accuracy->rules, rule_word((enum rule)i), rule_phrase((enum rule)i));
	for (int i = 0; i <= CONFIDENCE_HIGH; i++) {
		const char *name = access_confidence_name((enum access_confidence)i);

		add_row(&accuracy->confidences, name, name);
		add_row(&accuracy->weak, name, name);
	}
	for (int i = 0; i < ACCESS_NR_REASONS; i++)
		*vec_add(&accuracy->reasons) = (struct coverage_row){
			access_unresolved_word((enum access_unresolved)i),
			access_unresolved_phrase((enum access_unresolved)i),
			{},
		};
}

/* Pushes and calls have no operand; what else has none and is no access by the stack is told. */
static bool is_by_stack(const struct row *row, const struct truth *truth)
{
	return row->by_stack_pointer ||
	       (row->reason == ACCESS_NO_OPERAND && truth->kind == TRUTH_STACK);
}

/* The call's push, the second operand of a copy. */
static bool is_other_operand(const struct access *access, const struct truth *truth)
{
	return (access->is_load || access->is_store) &&
	       ((truth->is_load && !access->is_load) || (truth->is_store && !access->is_store));
}

static bool is_repeated(const struct analysis *analysis, uint64_t address)
{
	uint64_t left;
	const uint8_t *bytes = code_bytes(analysis->code, address, &left);
	struct insn insn;

	return bytes && insn_decode(analysis->decoder, bytes, left, address, &insn) &&
	       insn.is_repeated;
}

/* What moves more than a register's worth comes in pieces. */
static bool is_other_size(const struct access *access, const struct truth *truth)
{
	return access->size && access->size <= 8 && truth->size != access->size;
}

static void find_subject(struct measure *measure, uint64_t ip, struct subject *ret)
{
	struct sample sample = { .ip = ip, .has = SAMPLE_HAS_IP };
	struct analysis *analysis;
	uint64_t address;

	*ret = (struct subject){ .row.reason = ACCESS_NO_CODE };
	resolver_resolve(measure->resolver, &sample, &ret->access);
	analysis = images_find(measure->resolver, ip, &address);
	if (!analysis || !analysis_find(analysis, address, &ret->row))
		ret->row = (struct row){ .reason = ret->access.unresolved };
	else
		ret->is_repeated = is_repeated(analysis, address);
}

static void note_error(struct measure *measure, const struct subject *subject,
		       const struct truth *truth, enum agreement agreement)
{
	if (agreement != AGREEMENT_UNTYPED &&
	    (agreement < AGREEMENT_OUTER || agreement > AGREEMENT_WRONG))
		return;
	for (size_t i = measure->ret->errors.nr; i > 0; i--) {
		struct accuracy_error *error = &measure->ret->errors.items[i - 1];

		if (error->ip != truth->ip)
			break;
		if (error->agreement != agreement || error->truth.group != truth->group)
			continue;
		error->nr += truth->nr;
		return;
	}
	*vec_add(&measure->ret->errors) = (struct accuracy_error){
		.nr = truth->nr,
		.ip = truth->ip,
		.function = resolver_function(measure->resolver, truth->ip) ?: "unknown code",
		.rule = rule_word((enum rule)subject->row.rule),
		.confidence = subject->access.confidence,
		.reason = subject->access.unresolved,
		.agreement = agreement,
		.type = subject->access.type,
		.offset = subject->access.offset,
		.truth = *truth,
	};
}

static void weigh(struct measure *measure, struct subject *subject, const struct truth *truth)
{
	enum agreement agreement = agreement_of(truth, &subject->access);

	if (!truth->is_inferred) {
		subject->agreements[agreement] += truth->nr;
		subject->kinds[truth->kind][agreement] += truth->nr;
	} else {
		enum agreement open = agreement < AGREEMENT_OPEN && agreement != AGREEMENT_SPILL ?
					      AGREEMENT_OPEN :
					      agreement;

		subject->weak[agreement] += truth->nr;
		subject->agreements[open] += truth->nr;
		subject->kinds[truth->kind][open] += truth->nr;
	}
	note_error(measure, subject, truth, agreement);
}

static void add_shares(struct accuracy_row *row, const uint64_t weights[NR_AGREEMENTS])
{
	int most = 0;

	for (int i = 0; i < NR_AGREEMENTS; i++) {
		row->shares[i].weight += weights[i];
		if (weights[i] > weights[most])
			most = i;
	}
	row->shares[most].nr += weights[most] > 0;
}

static void count_subject(struct accuracy *accuracy, const struct subject *subject)
{
	uint64_t untyped = subject->agreements[AGREEMENT_UNTYPED];
	struct share *reason = &accuracy->reasons.items[subject->access.unresolved].share;

	add_shares(&accuracy->rules.items[subject->row.rule], subject->agreements);
	add_shares(&accuracy->confidences.items[subject->access.confidence], subject->agreements);
	add_shares(&accuracy->weak.items[subject->access.confidence], subject->weak);
	for (int i = 0; i < NR_TRUTH_KINDS; i++)
		add_shares(&accuracy->kinds.items[i], subject->kinds[i]);
	reason->weight += untyped;
	reason->nr += untyped > 0;
}

static void add_share(struct share *share, uint64_t weight)
{
	share->nr += weight > 0;
	share->weight += weight;
}

/* All truths of the instruction that the first one is of; returns how many. */
static size_t measure_instruction(struct measure *measure, size_t first)
{
	const struct truth *truths = measure->truths->items;
	struct accuracy *accuracy = measure->ret;
	uint64_t total = 0, by_stack = 0, other = 0, repeated = 0, size = 0;
	struct subject subject;
	size_t i = first;

	find_subject(measure, truths[first].ip, &subject);
	for (; i < measure->truths->nr && truths[i].ip == truths[first].ip; i++) {
		total += truths[i].nr;
		if (is_by_stack(&subject.row, &truths[i])) {
			by_stack += truths[i].nr;
		} else if (is_other_operand(&subject.access, &truths[i])) {
			other += truths[i].nr;
		} else if (subject.is_repeated) {
			repeated += truths[i].nr;
		} else {
			weigh(measure, &subject, &truths[i]);
			size += is_other_size(&subject.access, &truths[i]) ? truths[i].nr : 0;
		}
	}
	add_share(&accuracy->total, total);
	add_share(&accuracy->by_stack, by_stack);
	add_share(&accuracy->other, other);
	add_share(&accuracy->repeated, repeated);
	add_share(&accuracy->size, size);
	if (subject.row.is_patched)
		add_shares(&accuracy->patched, subject.agreements);
	count_subject(accuracy, &subject);
	return i - first;
}

static int compare_errors(const void *a, const void *b)
{
	const struct accuracy_error *left = a, *right = b;

	if (left->nr != right->nr)
		return left->nr > right->nr ? -1 : 1;
	if (left->ip != right->ip)
		return left->ip < right->ip ? -1 : 1;
	if (left->truth.group != right->truth.group)
		return left->truth.group < right->truth.group ? -1 : 1;
	return left->truth.offset < right->truth.offset ? -1 :
							  left->truth.offset > right->truth.offset;
}

void accuracy_measure(struct resolver *resolver, const struct truth_vec *truths,
		      struct accuracy *ret)
{
	struct measure measure = { .resolver = resolver, .truths = truths, .ret = ret };

	*ret = (struct accuracy){};
	make_rows(ret);
	ret->patched.phrase = "alternatives";
	for (size_t i = 0; i < truths->nr;)
		i += measure_instruction(&measure, i);
	vec_sort(&ret->errors, compare_errors);
}
