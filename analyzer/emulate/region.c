/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/region.h"

static enum region_state region_state_at(const struct region *region)
{
	if (region->count && region->nr >= region->start + region->count)
		return REGION_DONE;
	if (region->nr >= region->start)
		return REGION_COUNTING;
	if (region->nr + region->warm_up >= region->start)
		return REGION_WARMING;
	return REGION_ARMED;
}

static bool region_enter(struct region *region, enum region_state state)
{
	bool changes = region->state != state;

	region->state = state;
	return changes;
}

void region_arm(struct region *region)
{
	region->state = REGION_ARMED;
}

bool region_mark(struct region *region, enum region_mark mark)
{
	if (region->state == REGION_DONE)
		return false;
	if (mark == REGION_MARK_START && region->state == REGION_IDLE)
		return region_enter(region, region_state_at(region));
	if (mark != REGION_MARK_END || region->state == REGION_IDLE)
		return false;
	region->cut_short = region->count || region->state != REGION_COUNTING;
	return region_enter(region, REGION_DONE);
}

bool region_operation(struct region *region)
{
	if (region->state == REGION_IDLE || region->state == REGION_DONE)
		return false;
	region->nr++;
	return region_enter(region, region_state_at(region));
}
