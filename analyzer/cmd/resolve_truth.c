/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/resolve_truth.h"

#include "base/text.h"
#include "resolve/accuracy.h"

DEFINE_VEC(ip_vec, uint64_t);

void truth_run_deinit(struct truth_run *run)
{
	accuracy_deinit(&run->accuracy);
	truths_deinit(&run->truths);
	vec_deinit(&run->images);
	counts_deinit(&run->counts);
}

static struct error *read_counts(const char *directory, struct counts *ret)
{
	auto_text struct text path = {};
	struct error *err;

	text_printf(&path, "%s/counts", directory);
	err = counts_read(text_chars(&path), ret);
	if (!err && !counts_about(ret, "every_access"))
		err = error_create(ERROR_INPUT,
				   "'%s' counts only what CPUs fought over: run fieldline emulate "
				   "with --every-access",
				   text_chars(&path));
	return err;
}

static struct error *add_images(struct resolver *resolver, struct truth_run *run)
{
	*vec_add(&run->images) = (struct truth_image){ resolver_code(resolver), NULL };
	for (size_t i = 0; i < run->counts.modules.nr; i++) {
		const struct counts_module *module = &run->counts.modules.items[i];
		struct error *err =
			resolver_add_module(resolver, module->name, module->start, module->size);

		if (err)
			return err;
		*vec_add(&run->images) =
			(struct truth_image){ resolver_code_at(resolver, module->start), module };
	}
	return NULL;
}

struct error *truth_run_measure(struct resolver *resolver, const char *directory,
				struct truth_run *ret)
{
	auto_vec struct ip_vec ips = {};
	struct error *err = read_counts(directory, &ret->counts);

	if (!err)
		err = add_images(resolver, ret);
	if (err)
		return err;
	for (size_t i = 0; i < ret->counts.places.nr; i++)
		*vec_add(&ips) = ret->counts.places.items[i].ip;
	resolver_prepare(resolver, ips.items, ips.nr);
	truths_find(&ret->counts, &ret->images, resolver, &ret->truths);
	accuracy_measure(resolver, &ret->truths.all, &ret->accuracy);
	return NULL;
}
