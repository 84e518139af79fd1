/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/images.h"

#include <string.h>

#include "kernel/module_file.h"

bool images_is_kernel(uint64_t address)
{
	return address >> 63;
}

struct analysis *images_find(struct resolver *resolver, uint64_t ip, uint64_t *ret_address)
{
	for (size_t i = 0; i < resolver->modules.nr; i++) {
		struct module *module = &resolver->modules.items[i];

		if (ip - module->start >= module->size)
			continue;
		*ret_address = ip - module->start + module->text;
		return &module->analysis;
	}
	*ret_address = ip - resolver->slide;
	return code_section_at(resolver->kernel.code, *ret_address) ? &resolver->kernel : NULL;
}

void images_forget(struct resolver *resolver)
{
	map_deinit(&resolver->known_by_ip);
	resolver->known.nr = 0;
}

void images_read_table(struct resolver *resolver)
{
	const char *build_id = resolver_source(resolver)->build_id;
	auto_free char *path = NULL;
	auto_error struct error *err = NULL;

	if (!build_id)
		return;
	/* Without one the kernel is analysed: whatever was wrong with it does not matter. */
	err = table_path(build_id, &path);
	if (!err)
		err = table_read(path, build_id, &resolver->kernel.table);
}

bool resolver_has_table(const struct resolver *resolver)
{
	return resolver->kernel.table.file_rows || resolver->kernel.table.sorted;
}

struct error *resolver_build_table(struct resolver *resolver, bool keep)
{
	const char *build_id = resolver_source(resolver)->build_id;
	auto_free char *path = NULL;
	struct error *err;

	if (resolver_has_table(resolver))
		return NULL;
	analysis_all(&resolver->kernel);
	if (!keep || !build_id)
		return NULL;
	err = table_path(build_id, &path);
	return err ? err : table_write(&resolver->kernel.table, path, build_id);
}

static struct error *open_module(struct resolver *resolver, struct module *module)
{
	const struct code_section *section;
	struct error *err = analysis_open(module->path, resolver->decoder, &module->analysis);

	if (err)
		return err;
	for (size_t i = 0; (section = code_section(module->analysis.code, i)); i++) {
		if (!strcmp(section->name, ".text"))
			module->text = section->address;
	}
	return NULL;
}

struct error *resolver_add_module(struct resolver *resolver, const char *name, uint64_t start,
				  uint64_t size)
{
	struct module module = { .start = start, .size = size };
	struct error *err;

	if (resolver->modules_folder)
		module.path = module_file_find(resolver->modules_folder, name);
	if (!module.path)
		return error_create(ERROR_NOT_FOUND, "no file of module '%s'%s%s", name,
				    resolver->modules_folder ? " below " : "",
				    resolver->modules_folder ? resolver->modules_folder :
							       ": name a folder with --modules");
	err = open_module(resolver, &module);
	if (err)
		free(module.path);
	else
		*vec_add(&resolver->modules) = module;
	images_forget(resolver);
	return err;
}
