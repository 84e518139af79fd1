/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/btf_types.h"

#include <string.h>

#include "kernel/btf_convert.h"

/*
 * How many types all definitions together may unfold to: a bound on the time a hostile file can
 * cost. Those of Linux 6.18 unfold to 423,536.
 */
#define MAX_UNFOLDED_IN_ALL 20000000

struct reader {
	struct btf btf;
	struct btf_converter converter;
	struct typeset *set;
	struct map seen;     /* of typeset_add() */
	struct map typedefs; /* ids of anonymous structs that have been listed */
	uint64_t nr_unfolded;
};

static void reader_deinit(struct reader *reader)
{
	btf_converter_deinit(&reader->converter);
	map_deinit(&reader->seen);
	map_deinit(&reader->typedefs);
	btf_close(&reader->btf);
}

#define auto_reader __attribute__((cleanup(reader_deinit)))

/* A struct or union under one of its names. */
struct candidate {
	uint32_t id;	       /* the struct's or the typedef's; 0 = a typedef of something else */
	uint32_t aggregate_id; /* the struct's */
	enum type_kind kind;
	const char *name;	  /* the struct's own; NULL = anonymous */
	const char *typedef_name; /* NULL = found under its own name */
};

static struct error *read_candidate(const struct btf *btf, uint32_t id, struct candidate *ret)
{
	struct candidate candidate = { .id = id, .aggregate_id = id };
	struct btf_record record;
	struct error *err;

	ret->id = 0;
	btf_read_record(btf, id, &record);
	if (record.kind == BTF_KIND_TYPEDEF) {
		candidate.aggregate_id = btf_skip(btf, id, BTF_NAMES);
		err = btf_read_name(btf, id, record.name, &candidate.typedef_name);
		if (err || !btf_read_record(btf, candidate.aggregate_id, &record))
			return err;
	}
	if (!(BTF_KIND_BIT(record.kind) & BTF_AGGREGATES))
		return NULL;
	candidate.kind = record.kind == BTF_KIND_UNION ? TYPE_UNION : TYPE_STRUCT;
	err = btf_read_name(btf, candidate.aggregate_id, record.name, &candidate.name);
	if (err)
		return err;
	*ret = candidate;
	return NULL;
}

/* A typedef answers a query unless its struct does so under the struct's own name. */
static bool answers(const struct candidate *candidate, const struct type_query *query)
{
	bool by_name =
		candidate->name && type_query_matches(query, candidate->kind, candidate->name);

	if (!candidate->typedef_name)
		return by_name;
	return query->any_keyword && !by_name &&
	       type_query_matches(query, candidate->kind, candidate->typedef_name);
}

/* Every struct once: by its own name, else by the first typedef that names it directly. */
static bool is_first_name(struct reader *reader, const struct candidate *candidate)
{
	struct btf_record record;
	bool is_new;

	if (!candidate->typedef_name)
		return candidate->name;
	if (candidate->name)
		return false;
	btf_read_record(&reader->btf, candidate->id, &record);
	if (btf_skip(&reader->btf, record.type, BTF_QUALIFIERS) != candidate->aggregate_id)
		return false;
	map_add(&reader->typedefs, candidate->aggregate_id, &is_new);
	return is_new;
}

static bool is_asked(struct reader *reader, const struct types_request *request,
		     const struct candidate *candidate)
{
	if (!request->nr_queries)
		return is_first_name(reader, candidate);
	for (size_t i = 0; i < request->nr_queries; i++) {
		if (answers(candidate, &request->queries[i]))
			return true;
	}
	return false;
}

static struct error *add_definition(struct reader *reader, const struct candidate *candidate)
{
	const struct type *type;
	uint64_t nr_unfolded;
	struct error *err = btf_convert(&reader->converter, candidate->id, &type, &nr_unfolded);

	if (err)
		return err;
	reader->nr_unfolded += nr_unfolded;
	if (reader->nr_unfolded > MAX_UNFOLDED_IN_ALL)
		return error_create(ERROR_INPUT, "BTF: its structs unfold to more than %d types",
				    MAX_UNFOLDED_IN_ALL);
	typeset_add(reader->set, &reader->seen,
		    (struct definition){
			    .type = type_strip(type),
			    .typedef_name = type->kind == TYPE_TYPEDEF ? type->name : NULL,
		    });
	return NULL;
}

static struct error *read_definitions(struct reader *reader, const struct types_request *request)
{
	const struct btf *btf = &reader->btf;
	uint32_t first_id = request->nr_queries ? 1 : btf->first_id;
	struct candidate candidate;
	struct error *err = NULL;

	for (uint32_t i = 0; i < btf->nr_candidates && !err; i++) {
		if (btf->candidates[i] < first_id)
			continue;
		err = read_candidate(btf, btf->candidates[i], &candidate);
		if (!err && candidate.id && is_asked(reader, request, &candidate))
			err = add_definition(reader, &candidate);
	}
	return err;
}

/* BTF does not tell the size of a pointer: it is that of long. */
static uint32_t size_of_long(const struct btf *btf, uint32_t otherwise)
{
	/* As gcc and as clang call it. */
	static const char *const names[] = { "long int", "long unsigned int", "long",
					     "unsigned long" };
	struct btf_record record;

	for (uint32_t id = 1; id < btf->end_id; id++) {
		const char *name = NULL;

		btf_read_record(btf, id, &record);
		if (record.kind == BTF_KIND_INT && (record.size == 4 || record.size == 8))
			error_destroy(btf_read_name(btf, id, record.name, &name));
		for (size_t i = 0; name && i < array_size(names); i++) {
			if (!strcmp(name, names[i]))
				return record.size;
		}
	}
	return otherwise;
}

struct error *btf_types_read(const struct btf_input *input, const struct types_request *request,
			     struct typeset *ret)
{
	auto_reader struct reader reader = { .set = ret };
	uint32_t known = ret->source.pointer_size;
	struct error *err = btf_open(input, &reader.btf);

	if (err)
		return err;
	reader.converter = (struct btf_converter){
		.btf = &reader.btf,
		.arena = &ret->arena,
		.pointer_size = size_of_long(&reader.btf, known ? known : 8),
		.arch = ret->source.arch,
	};
	ret->source.pointer_size = reader.converter.pointer_size;
	ret->source.big_endian = reader.btf.own.types.big_endian;
	ret->source.format = "btf";
	return read_definitions(&reader, request);
}

struct error *btf_types_names(const struct btf_input *input,
			      void (*add)(void *context, const char *name), void *context)
{
	auto_btf struct btf btf = {};
	struct error *err = btf_open(input, &btf);
	struct candidate candidate;

	if (err)
		return err;
	for (uint32_t i = 0; i < btf.nr_candidates && !err; i++) {
		err = read_candidate(&btf, btf.candidates[i], &candidate);
		if (!err && candidate.id && (candidate.typedef_name || candidate.name))
			add(context, candidate.typedef_name ?: candidate.name);
	}
	return err;
}
