/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/types.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "kernel/btf_types.h"
#include "kernel/dwarf_types.h"
#include "kernel/image.h"
#include "kernel/nearest.h"
#include "kernel/randstruct.h"

/* What was opened for one types_read(). */
struct opened {
	struct image image;
	struct file raw; /* a file of raw BTF */
	struct file base_file;
	struct image base_image;
	struct btf_input btf;
	bool use_btf;
};

static void opened_close(struct opened *opened)
{
	file_deinit(&opened->raw);
	file_deinit(&opened->base_file);
	image_close(&opened->image);
	image_close(&opened->base_image);
}

static unsigned int default_threads(void)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);

	return nr < 1 ? 1 : nr > 8 ? 8 : (unsigned int)nr;
}

/* The BTF that a module's builds on: a raw file, or the .BTF section of a vmlinux. */
static struct error *load_base(struct opened *opened, const char *path)
{
	struct span section;
	struct error *err = image_open(path, &opened->base_image);

	if (err)
		return err;
	if (!image_is_elf(&opened->base_image)) {
		err = file_read(path, &opened->base_file);
		section = (struct span){ opened->base_file.data, opened->base_file.size };
	} else {
		err = image_section(&opened->base_image, ".BTF", &section);
		if (!err && !section.data)
			err = error_create(ERROR_INPUT, "'%s' has no .BTF section to build on",
					   path);
	}
	if (err)
		return err;
	opened->btf.base = section.data;
	opened->btf.base_size = section.size;
	return NULL;
}

/* Takes the BTF of the opened file; no data where there is none. */
static struct error *load_btf(struct opened *opened, const struct types_request *request,
			      const char *kind)
{
	static const char running_base[] = "/sys/kernel/btf/vmlinux";
	const char *base = request->btf_base;
	struct span section = {};
	struct error *err;

	if (image_is_elf(&opened->image)) {
		err = image_section(&opened->image, ".BTF", &section);
	} else {
		err = file_read(opened->image.path, &opened->raw);
		section = (struct span){ opened->raw.data, opened->raw.size };
	}
	if (err)
		return err;
	opened->btf.data = section.data;
	opened->btf.size = section.size;
	if (!base && section.data && !strcmp(kind, "module") && !access(running_base, R_OK))
		base = running_base;
	return base && section.data ? load_base(opened, base) : NULL;
}

static struct error *no_types(const struct opened *opened, enum types_format format)
{
	const char *path = opened->image.path;

	if (format == TYPES_BTF)
		return error_create(ERROR_INPUT,
				    "'%s' has no .BTF section: try --format dwarf, or a kernel "
				    "with CONFIG_DEBUG_INFO_BTF",
				    path);
	if (format == TYPES_DWARF)
		return error_create(ERROR_INPUT,
				    "'%s' has no DWARF, nor is there a separate debug file for "
				    "it: install its debug package, or try --format btf",
				    path);
	return error_create(ERROR_INPUT,
			    "'%s' has neither DWARF nor BTF, nor is there a separate debug file "
			    "for it: build it with -g or install its debug package",
			    path);
}

static struct error *load_types(struct opened *opened, const struct types_request *request,
				const struct source *source)
{
	bool is_elf = image_is_elf(&opened->image);
	struct error *err = NULL;

	if (!is_elf && request->format == TYPES_DWARF)
		return error_create(ERROR_INPUT, "'%s' is raw BTF and has no DWARF",
				    opened->image.path);
	if (is_elf && request->format != TYPES_BTF)
		err = image_load_dwarf(&opened->image);
	if (err || opened->image.dwarf)
		return err;
	if (request->format != TYPES_DWARF) {
		err = load_btf(opened, request, source->kind);
		opened->use_btf = opened->btf.data != NULL;
	}
	if (!err && !opened->use_btf)
		err = no_types(opened, request->format);
	return err;
}

/* GCC's plugin shuffles structs after their debug information is fixed: any answer may be wrong. */
static struct error *check_randomized(const struct opened *opened,
				      const struct types_request *request)
{
	static const char *const sections[] = { ".modinfo", ".rodata" };
	struct span span;
	struct error *err;

	if (request->allow_randomized || !image_is_elf(&opened->image))
		return NULL;
	for (size_t i = 0; i < array_size(sections); i++) {
		err = image_section(&opened->image, sections[i], &span);
		if (err)
			return err;
		if (span.data && randstruct_in_bytes(span.data, span.size))
			return error_create(ERROR_INPUT,
					    "'%s' was built with randomized struct layouts "
					    "(RANDSTRUCT): its debug information may not show the "
					    "real offsets; --force reads it all the same",
					    opened->image.path);
	}
	return NULL;
}

static struct error *read_definitions(struct opened *opened, const struct types_request *request,
				      struct typeset *set)
{
	return opened->use_btf ? btf_types_read(&opened->btf, request, set) :
				 dwarf_types_read(&opened->image, request, set);
}

static struct error *read_names(struct opened *opened, unsigned int nr_threads,
				struct nearest *nearest)
{
	return opened->use_btf ?
		       btf_types_names(&opened->btf, nearest_add, nearest) :
		       dwarf_types_names(&opened->image, nr_threads, nearest_add, nearest);
}

static bool is_answered(const struct typeset *set, const struct type_query *query)
{
	for (size_t i = 0; i < set->definitions.nr; i++) {
		const struct definition *definition = &set->definitions.items[i];
		enum type_kind kind =
			definition->typedef_name ? TYPE_TYPEDEF : definition->type->kind;

		if (type_query_matches(query, kind, definition_name(definition)))
			return true;
	}
	return false;
}

static struct error *explain_missing(struct opened *opened, const struct type_query *query,
				     unsigned int nr_threads, const struct typeset *set)
{
	struct nearest nearest __attribute__((cleanup(nearest_deinit))) = {};
	auto_text struct text similar = {};
	struct error *err;

	nearest_init(&nearest, query->leaf);
	err = query->pattern ? NULL : read_names(opened, nr_threads, &nearest);
	if (err)
		return err;
	nearest_print(&nearest, &similar);
	err = error_create(ERROR_NOT_FOUND, "no struct, union or typedef of one is named '%s'%s",
			   query->text, text_chars(&similar));
	for (size_t i = 0; set->notes && set->notes[i]; i++)
		err = error_wrap(err, "%s", set->notes[i]);
	return error_wrap(err, "'%s'", opened->image.path);
}

static struct error *check_answers(struct opened *opened, const struct types_request *request,
				   const struct typeset *set)
{
	if (request->allow_missing)
		return NULL;
	for (size_t i = 0; i < request->nr_queries; i++) {
		if (!is_answered(set, &request->queries[i]))
			return explain_missing(opened, &request->queries[i], request->nr_threads,
					       set);
	}
	if (set->definitions.nr)
		return NULL;
	return error_create(ERROR_NOT_FOUND, "'%s': its %s describes no struct or union%s%s",
			    opened->image.path, set->source.format, set->notes ? ": " : "",
			    set->notes ? set->notes[0] : "");
}

struct error *types_read(const char *path, const struct types_request *request, struct typeset *ret)
{
	struct opened opened
		__attribute__((cleanup(opened_close))) = { .image = IMAGE_CLOSED,
							   .base_image = IMAGE_CLOSED };
	struct types_request resolved = *request;
	auto_typeset struct typeset set = {};
	struct error *err;

	if (!resolved.nr_threads)
		resolved.nr_threads = default_threads();
	err = image_open(path, &opened.image);
	if (err)
		return err;
	image_describe(&opened.image, &set);
	err = load_types(&opened, &resolved, &set.source);
	if (!err)
		err = check_randomized(&opened, &resolved);
	if (!err)
		err = error_wrap(read_definitions(&opened, &resolved, &set), "'%s'", path);
	if (!err)
		err = check_answers(&opened, &resolved, &set);
	if (err)
		return err;
	typeset_sort(&set);
	*ret = set;
	set = (struct typeset){};
	return NULL;
}
