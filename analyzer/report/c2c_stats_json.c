/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/c2c_stats_json.h"

#include <inttypes.h>
#include <stdio.h>

struct row {
	const char *name;
	uint32_t value;
};

static void add_rows(struct json *json, const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		json_add_number(json, rows[i].name, rows[i].value);
}

void c2c_stats_json_add_total(struct json *json, const struct c2c_counts *total)
{
	const struct row rows[] = {
		{ "total_records", total->nr_entries },
		{ "locked_load_store_operations", total->locks },
		{ "load_operations", total->load },
		{ "loads_uncacheable", total->ld_uncache },
		{ "loads_io", total->ld_io },
		{ "loads_miss", total->ld_miss },
		{ "loads_no_mapping", total->ld_noadrs },
		{ "load_fill_buffer_hit", total->ld_fbhit },
		{ "load_l1d_hit", total->ld_l1hit },
		{ "load_l2d_hit", total->ld_l2hit },
		{ "load_llc_hit", total->ld_llchit + total->lcl_hitm },
		{ "load_local_hitm", total->lcl_hitm },
		{ "load_remote_hitm", total->rmt_hitm },
		{ "load_remote_hit", total->rmt_hit },
		{ "load_local_dram", total->lcl_dram },
		{ "load_remote_dram", total->rmt_dram },
		{ "load_mesi_state_exclusive", total->ld_excl },
		{ "load_mesi_state_shared", total->ld_shared },
		{ "load_llc_misses", c2c_llc_misses(total) },
		{ "load_access_blocked_by_data", total->blk_data },
		{ "load_access_blocked_by_address", total->blk_addr },
		{ "load_hit_local_peer", total->lcl_peer },
		{ "load_hit_remote_peer", total->rmt_peer },
		{ "store_operations", total->store },
		{ "store_uncacheable", total->st_uncache },
		{ "store_no_mapping", total->st_noadrs },
		{ "store_l1d_hit", total->st_l1hit },
		{ "store_l1d_miss", total->st_l1miss },
		{ "store_no_available_memory_level", total->st_na },
		{ "no_page_map_rejects", total->nomap },
		{ "unable_to_parse_data_source", total->noparse },
	};

	add_rows(json, rows, array_size(rows));
}

void c2c_stats_json_add_shared(struct json *json, const struct c2c_counts *shared,
			       uint32_t nr_lines)
{
	const struct row rows[] = {
		{ "total_shared_cache_lines", nr_lines },
		{ "load_hits_on_shared_lines", shared->load },
		{ "fill_buffer_hits_on_shared_lines", shared->ld_fbhit },
		{ "l1d_hits_on_shared_lines", shared->ld_l1hit },
		{ "l2d_hits_on_shared_lines", shared->ld_l2hit },
		{ "llc_hits_on_shared_lines", shared->ld_llchit + shared->lcl_hitm },
		{ "load_hits_on_peer_cache_or_nodes", shared->lcl_peer + shared->rmt_peer },
		{ "locked_access_on_shared_lines", shared->locks },
		{ "blocked_access_on_shared_lines", shared->blk_data + shared->blk_addr },
		{ "store_hits_on_shared_lines", shared->store },
		{ "store_l1d_hits_on_shared_lines", shared->st_l1hit },
		{ "store_no_available_memory_level", shared->st_na },
		{ "total_merged_records", shared->lcl_hitm + shared->rmt_hitm + shared->store },
	};

	add_rows(json, rows, array_size(rows));
}

void c2c_stats_json_add_line(struct json *json, const struct c2c_line *line)
{
	const struct c2c_counts *counts = &line->counts;
	const struct row rows[] = {
		{ "total_hitm", counts->tot_hitm },
		{ "local_hitm", counts->lcl_hitm },
		{ "remote_hitm", counts->rmt_hitm },
		{ "total_peer", counts->tot_peer },
		{ "local_peer", counts->lcl_peer },
		{ "remote_peer", counts->rmt_peer },
		{ "total_records", c2c_total_records(counts) },
		{ "total_loads", c2c_total_loads(counts) },
		{ "total_stores", counts->store },
		{ "stores_l1_hit", counts->st_l1hit },
		{ "stores_l1_miss", counts->st_l1miss },
		{ "stores_na", counts->st_na },
		{ "load_fb_hit", counts->ld_fbhit },
		{ "load_l1_hit", counts->ld_l1hit },
		{ "load_l2_hit", counts->ld_l2hit },
		{ "load_llc_hit", counts->ld_llchit },
		{ "load_remote_hit", counts->rmt_hit },
		{ "load_local_dram", counts->lcl_dram },
		{ "load_remote_dram", counts->rmt_dram },
	};
	static const char *const modes[] = { "unknown",	     "kernel",	   "user",    "hypervisor",
					     "guest_kernel", "guest_user", "unknown", "unknown" };
	char addr[2 + 16 + 1];

	snprintf(addr, sizeof(addr), "0x%" PRIx64, line->addr);
	json_add_string(json, "address", addr);
	json_add_string(json, "mode", modes[line->cpu_mode % array_size(modes)]);
	add_rows(json, rows, array_size(rows));
}
