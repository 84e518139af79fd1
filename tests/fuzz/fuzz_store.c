/* SPDX-License-Identifier: GPL-2.0-only */
/* libFuzzer harness over the files that people keep: each input is one, of any kind. */
#include "analyze/rules.h"
#include "fuzz/input.h"
#include "store/policy.h"
#include "store/proposal.h"
#include "store/snapshot.h"

static void read_snapshot(const char *path)
{
	auto_snapshot struct snapshot snapshot = {};
	auto_error struct error *err = snapshot_read(path, &snapshot);
	auto_text struct text text = {};

	if (!err)
		snapshot_print(&text, &snapshot.set, "");
}

static void read_policy(const char *path)
{
	auto_policy struct policy policy = {};
	auto_error struct error *err = policy_read(path, rules_all, &policy);
	auto_text struct text text = {};

	if (!err)
		policy_print(&text, &policy);
}

static void read_proposals(const char *path)
{
	auto_saved_proposals struct saved_proposals saved = {};

	error_destroy(proposals_read(path, &saved));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input;

	if (!input_open(&input, data, size))
		return -1;
	read_snapshot(input.path);
	read_policy(input.path);
	read_proposals(input.path);
	input_close(&input);
	return 0;
}
