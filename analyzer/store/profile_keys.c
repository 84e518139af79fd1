/* SPDX-License-Identifier: GPL-2.0-only */
#include "store/profile_keys.h"

#define KEY(name, kind, type, member)                     \
	{                                                 \
		name, kind, offsetof(struct type, member) \
	}
#define OTHER(name)                \
	{                          \
		name, KEY_OTHER, 0 \
	}

const struct profile_key profile_counts_keys[] = {
	KEY("samples", KEY_NUMBER, profile_counts, samples),
	KEY("loads", KEY_NUMBER, profile_counts, loads),
	KEY("stores", KEY_NUMBER, profile_counts, stores),
	KEY("locked", KEY_NUMBER, profile_counts, locked),
	KEY("hitm_local", KEY_NUMBER, profile_counts, hitm_local),
	KEY("hitm_remote", KEY_NUMBER, profile_counts, hitm_remote),
	KEY("peer", KEY_NUMBER, profile_counts, peer),
	KEY("latency_cycles", KEY_NUMBER, profile_counts, latency),
	KEY("latency_samples", KEY_NUMBER, profile_counts, nr_latency),
	{},
};

const struct profile_key profile_totals_keys[] = {
	KEY("counts", KEY_COUNTS, profile_totals, counts),
	KEY("neither_load_nor_store", KEY_NUMBER, profile_totals, nr_other),
	KEY("user_space", KEY_NUMBER, profile_totals, nr_user),
	KEY("resolved", KEY_NUMBER, profile_totals, nr_resolved),
	OTHER("resolved_by"),
	OTHER("resolved_with_confidence"),
	OTHER("unresolved"),
	KEY("lost", KEY_NUMBER, profile_totals, nr_lost),
	KEY("first_ns", KEY_NUMBER, profile_totals, first_ns),
	KEY("last_ns", KEY_NUMBER, profile_totals, last_ns),
	KEY("slice_ns", KEY_NUMBER, profile_totals, slice_ns),
	KEY("window_ns", KEY_WINDOW, profile_totals, window_ns),
	KEY("has_times", KEY_BOOL, profile_totals, has_times),
	KEY("every_access", KEY_BOOL, profile_totals, is_complete),
	KEY("truncated", KEY_BOOL, profile_totals, truncated),
	KEY("objects_left_out", KEY_NUMBER, profile_totals, nr_objects_left_out),
	KEY("addresses_left_out", KEY_NUMBER, profile_totals, nr_addresses_left_out),
	{},
};

const struct profile_key profile_type_keys[] = {
	KEY("name", KEY_STRING, profile_type, label),
	KEY("size", KEY_NUMBER, profile_type, size),
	OTHER("has_layout"),
	KEY("objects", KEY_NUMBER, profile_type, nr_objects),
	KEY("counts", KEY_COUNTS, profile_type, counts),
	OTHER("phases"),
	OTHER("lines"),
	OTHER("cuts"),
	OTHER("places"),
	{},
};

const struct profile_key profile_place_keys[] = {
	KEY("offset", KEY_PLACE, profile_place, offset),
	KEY("size", KEY_NUMBER32, profile_place, size),
	OTHER("field"),
	KEY("function", KEY_STRING, profile_place, function),
	KEY("inferred", KEY_BOOL, profile_place, inferred),
	KEY("basis", KEY_BASIS, profile_place, basis),
	KEY("confidence", KEY_CONFIDENCE, profile_place, confidence),
	KEY("counts", KEY_COUNTS, profile_place, counts),
	KEY("readers", KEY_CPUS, profile_place, readers),
	KEY("writers", KEY_CPUS, profile_place, writers),
	{},
};

const struct profile_key profile_phase_keys[] = {
	KEY("phase", KEY_INDEX, profile_phase, phase),
	KEY("objects", KEY_NUMBER, profile_phase, nr_objects),
	KEY("samples", KEY_NUMBER, profile_phase, nr_samples),
	{},
};

const struct profile_key profile_line_keys[] = {
	KEY("phase", KEY_INDEX, profile_line, phase),
	KEY("line", KEY_PLACE, profile_line, line),
	KEY("objects", KEY_NUMBER, profile_line, nr_objects),
	KEY("verdict", KEY_VERDICT, profile_line, verdict),
	KEY("certainty", KEY_CERTAINTY, profile_line, certainty),
	KEY("true", KEY_NUMBER, profile_line, nr_true),
	KEY("false", KEY_NUMBER, profile_line, nr_false),
	KEY("of_neighbours", KEY_NUMBER, profile_line, nr_neighbour),
	KEY("counts", KEY_COUNTS, profile_line, counts),
	KEY("readers", KEY_CPUS, profile_line, readers),
	KEY("writers", KEY_CPUS, profile_line, writers),
	OTHER("pairs"),
	{},
};

/* Places are counted through all types, in the order of the file. */
const struct profile_key profile_pair_keys[] = {
	KEY("writer", KEY_INDEX, profile_pair, writer),
	KEY("other", KEY_INDEX, profile_pair, other),
	KEY("overlaps", KEY_BOOL, profile_pair, overlaps),
	KEY("neighbour", KEY_BOOL, profile_pair, neighbour),
	KEY("timed", KEY_BOOL, profile_pair, timed),
	KEY("nr", KEY_NUMBER, profile_pair, nr),
	{},
};

const struct profile_key profile_cut_keys[] = {
	KEY("phase", KEY_INDEX, profile_cut, phase),
	KEY("first_offset", KEY_PLACE, profile_cut, first_offset),
	KEY("first_size", KEY_NUMBER, profile_cut, first_size),
	OTHER("first_field"),
	KEY("second_offset", KEY_PLACE, profile_cut, second_offset),
	KEY("second_size", KEY_NUMBER, profile_cut, second_size),
	OTHER("second_field"),
	KEY("function", KEY_STRING, profile_cut, function),
	KEY("lock", KEY_STRING, profile_cut, lock),
	KEY("certainty", KEY_CERTAINTY, profile_cut, certainty),
	KEY("first_counts", KEY_COUNTS, profile_cut, first_counts),
	KEY("second_counts", KEY_COUNTS, profile_cut, second_counts),
	{},
};

const struct profile_key profile_object_keys[] = {
	KEY("type", KEY_INDEX, profile_object, type),
	KEY("base", KEY_ADDRESS, profile_object, base),
	KEY("name", KEY_STRING, profile_object, name),
	KEY("counts", KEY_COUNTS, profile_object, counts),
	KEY("cpus", KEY_CPUS, profile_object, cpus),
	{},
};

const struct profile_key profile_address_keys[] = {
	KEY("address", KEY_ADDRESS, profile_address, address),
	KEY("type", KEY_INDEX, profile_address, type),
	KEY("object", KEY_ADDRESS, profile_address, object),
	KEY("counts", KEY_COUNTS, profile_address, counts),
	KEY("cpus", KEY_CPUS, profile_address, cpus),
	KEY("true", KEY_NUMBER, profile_address, nr_true),
	KEY("false", KEY_NUMBER, profile_address, nr_false),
	{},
};

const struct profile_key profile_cpu_keys[] = {
	KEY("cpu", KEY_INDEX, profile_cpu, cpu),
	KEY("node", KEY_INDEX, profile_cpu, node),
	KEY("counts", KEY_COUNTS, profile_cpu, counts),
	{},
};
