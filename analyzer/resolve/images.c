/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/images.h"

#include <string.h>

#include "kernel/module_file.h"

bool images_is_kernel(uint64_t address)
{
	return address >> 63;
}

static const struct placed_section *section_at(const struct module *module, uint64_t address)
{
	for (size_t i = 0; i < module->sections.nr; i++) {
		const struct placed_section *section = &module->sections.items[i];

		if (address - section->start < section->size)
			return section;
	}
	return NULL;
}

/* Whether the address was the module's, and what it is in the image. */
static bool find_in_module(const struct module *module, uint64_t ip, uint64_t *ret_address)
{
	const struct placed_section *section = section_at(module, ip);

	if (section)
		*ret_address = ip - section->start + section->linked;
	else if (!module->sections.nr && ip - module->start < module->size)
		*ret_address = ip - module->start + module->text;
	else
		return false;
	return true;
}

struct analysis *images_find(struct resolver *resolver, uint64_t ip, uint64_t *ret_address)
{
	for (size_t i = 0; i < resolver->modules.nr; i++) {
		struct module *module = &resolver->modules.items[i];

		if (find_in_module(module, ip, ret_address))
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

/* What goes when the module runs, and what each CPU has a copy of elsewhere. */
static bool is_lasting(const char *section)
{
	return strncmp(section, ".init", 5) && strncmp(section, ".exit", 5) &&
	       strcmp(section, ".data..percpu");
}

static bool place_section(struct module *module, const char *name, uint64_t start,
			  struct placed_section *ret)
{
	struct code *code = module->analysis.code;
	const struct code_section *section;

	for (size_t i = 0; i < module->sections.nr; i++) {
		if (module->sections.items[i].start == start)
			return false;
	}
	for (size_t i = 0; (section = code_section(code, i)); i++) {
		if (strcmp(section->name, name) || !section->size)
			continue;
		*ret = (struct placed_section){ code, start, section->size, section->address,
						section->executable };
		*vec_add(&module->sections) = *ret;
		return true;
	}
	return false;
}

bool resolver_place_section(struct resolver *resolver, uint64_t module_start, const char *name,
			    uint64_t start, struct placed_section *ret)
{
	if (!images_is_kernel(start) || !is_lasting(name))
		return false;
	for (size_t i = 0; i < resolver->modules.nr; i++) {
		struct module *module = &resolver->modules.items[i];

		if (module->start != module_start || !place_section(module, name, start, ret))
			continue;
		images_forget(resolver);
		return true;
	}
	return false;
}
