/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "base/options.h"
#include "base/text.h"
#include "coherence/coherence.h"

struct error *coherence_parse_topology(const char *text, struct coherence_topology *ret)
{
	const char *what = "topology (SOCKETSxCPUS, like 2x4)";
	const char *times = strchr(text, 'x');
	auto_text struct text sockets = {};
	uint64_t nr_sockets = 1, nr_cpus;
	struct error *err = NULL;

	if (times) {
		text_add_bytes(&sockets, text, times - text);
		err = options_parse_number(what, text_chars(&sockets), &nr_sockets);
	}
	if (!err)
		err = options_parse_number(what, times ? times + 1 : text, &nr_cpus);
	if (err)
		return err;
	if (!nr_sockets || nr_sockets > COHERENCE_MAX_CPUS || !nr_cpus ||
	    nr_cpus > COHERENCE_MAX_CPUS || nr_sockets * nr_cpus > COHERENCE_MAX_CPUS)
		return error_create(ERROR_USAGE, "%s '%s': the model takes 1 to %d CPUs", what,
				    text, COHERENCE_MAX_CPUS);
	*ret = (struct coherence_topology){ nr_sockets, nr_cpus };
	return NULL;
}
