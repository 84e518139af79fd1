/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/resolver.h"

#include "resolve/analysis.h"
#include "resolve/images.h"

struct error *resolver_open(const struct resolver_request *request, struct resolver **ret)
{
	struct resolver *resolver = memory_alloc(1, sizeof(*resolver));
	struct error *err = insn_decoder_create(&resolver->decoder);

	resolver->modules_folder = request->modules;
	if (!err)
		err = analysis_open(request->vmlinux, resolver->decoder, &resolver->kernel);
	if (err) {
		insn_decoder_destroy(resolver->decoder);
		free(resolver);
		return err;
	}
	if (!request->no_cache)
		images_read_table(resolver);
	*ret = resolver;
	return NULL;
}

void resolver_close(struct resolver *resolver)
{
	if (!resolver)
		return;
	for (size_t i = 0; i < resolver->modules.nr; i++) {
		analysis_close(&resolver->modules.items[i].analysis);
		free(resolver->modules.items[i].path);
		vec_deinit(&resolver->modules.items[i].sections);
	}
	vec_deinit(&resolver->modules);
	map_deinit(&resolver->known_by_ip);
	vec_deinit(&resolver->known);
	analysis_close(&resolver->kernel);
	insn_decoder_destroy(resolver->decoder);
	free(resolver);
}

const struct source *resolver_source(const struct resolver *resolver)
{
	return code_source(resolver->kernel.code);
}

struct code *resolver_code(struct resolver *resolver)
{
	return resolver->kernel.code;
}

struct code *resolver_code_at(struct resolver *resolver, uint64_t ip)
{
	uint64_t address;
	struct analysis *analysis = images_find(resolver, ip, &address);

	return analysis ? analysis->code : NULL;
}

void resolver_set_slide(struct resolver *resolver, uint64_t slide)
{
	resolver->slide = slide;
	images_forget(resolver);
}

void resolver_prepare(struct resolver *resolver, const uint64_t *ips, size_t nr)
{
	auto_vec struct address_vec addresses = {};

	for (size_t i = 0; i < nr; i++) {
		uint64_t address;

		if (images_find(resolver, ips[i], &address) == &resolver->kernel)
			*vec_add(&addresses) = address;
	}
	analysis_prepare(&resolver->kernel, addresses.items, addresses.nr);
	for (size_t m = 0; m < resolver->modules.nr; m++) {
		struct analysis *module = &resolver->modules.items[m].analysis;

		addresses.nr = 0;
		for (size_t i = 0; i < nr; i++) {
			uint64_t address;

			if (images_find(resolver, ips[i], &address) == module)
				*vec_add(&addresses) = address;
		}
		analysis_prepare(module, addresses.items, addresses.nr);
	}
}

/* By instruction: the row of the instruction. */
static void resolve_by_instruction(struct analysis *analysis, const struct row *row,
				   struct access *ret)
{
	ret->size = row->size;
	ret->is_load = row->is_load;
	ret->is_store = row->is_store;
	ret->is_locked = row->is_locked;
	ret->unresolved = row->reason;
	if (row->reason != ACCESS_RESOLVED)
		return;
	ret->type = table_type(&analysis->table, analysis->code, row);
	if (!ret->type) {
		ret->unresolved = ACCESS_LOST_TRACK;
		return;
	}
	ret->offset = row->offset;
	ret->confidence = row->confidence;
	ret->basis = row->rule == RULE_VARIABLE	 ? BASIS_SYMBOL | BASIS_INSTRUCTION :
		     row->rule == RULE_CONTAINER ? BASIS_CONTAINER | BASIS_INSTRUCTION :
						   BASIS_INSTRUCTION;
}

static const char *function_at(struct analysis *analysis, uint64_t address)
{
	const struct code_symbol *symbol = code_symbol_covering(analysis->code, address);

	return symbol ? symbol->name : NULL;
}

static void find(struct resolver *resolver, uint64_t ip, struct known *ret)
{
	uint64_t address;
	struct analysis *analysis = images_find(resolver, ip, &address);
	struct row row;

	*ret = (struct known){ .access.unresolved = ACCESS_NO_CODE };
	if (!analysis) {
		if (!images_is_kernel(ip))
			ret->access.unresolved = ACCESS_USER;
		return;
	}
	if (analysis_find(analysis, address, &row))
		resolve_by_instruction(analysis, &row, &ret->access);
	else if (code_section_at(analysis->code, address))
		ret->access.unresolved = ACCESS_NO_OPERAND;
	if (code_section_at(analysis->code, address))
		ret->function = function_at(analysis, address);
}

static const struct known *know(struct resolver *resolver, uint64_t ip)
{
	struct map_slot *slot;
	struct known known;
	bool is_new;

	/* Of one sample first the access is asked for, then the function. */
	if (resolver->known.nr && resolver->last_ip == ip)
		return &resolver->known.items[resolver->last_known];
	slot = map_add(&resolver->known_by_ip, ip, &is_new);
	if (is_new) {
		slot->value = resolver->known.nr;
		find(resolver, ip, &known);
		*vec_add(&resolver->known) = known;
	}
	resolver->last_ip = ip;
	resolver->last_known = slot->value;
	return &resolver->known.items[slot->value];
}

void resolver_resolve(struct resolver *resolver, const struct sample *sample, struct access *ret)
{
	*ret = (struct access){ .unresolved = ACCESS_NO_CODE };
	if (!(sample->has & SAMPLE_HAS_IP))
		return;
	*ret = know(resolver, sample->ip)->access;
	/* The object from where the sample points. */
	if (ret->type && sample->has & SAMPLE_HAS_ADDR && sample->addr >= ret->offset)
		ret->object = sample->addr - ret->offset;
}

const char *resolver_function(struct resolver *resolver, uint64_t ip)
{
	return know(resolver, ip)->function;
}
