/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/locks.h"

#include <string.h>

/* Typedefs and structs of Linux 2.6.32 to 6.18. */
static const char *const locks[] = {
	"spinlock_t",
	"raw_spinlock_t",
	"arch_spinlock_t",
	"spinlock",
	"raw_spinlock",
	"qspinlock",
	"rwlock_t",
	"arch_rwlock_t",
	"qrwlock",
	"mutex",
	"rt_mutex",
	"rt_mutex_base",
	"ww_mutex",
	"semaphore",
	"rw_semaphore",
	"percpu_rw_semaphore",
	"seqlock_t",
	"seqcount_t",
	"seqcount",
	"local_lock_t",
	"lockref",
	"kref",
	"refcount_t",
	"refcount_struct",
	"atomic_t",
	"atomic64_t",
	"atomic_long_t",
	"optimistic_spin_queue",
	"wait_queue_head_t",
	"wait_queue_head",
	"swait_queue_head",
	"completion",
	"seqcount_spinlock_t",
	"seqcount_raw_spinlock_t",
	"seqcount_rwlock_t",
	"seqcount_mutex_t",
	"seqcount_latch_t",
	"rwbase_rt",
	"rwlock",
	"percpu_counter",
};

static bool is_listed(const char *name)
{
	for (size_t i = 0; name && i < array_size(locks); i++) {
		if (!strcmp(locks[i], name))
			return true;
	}
	return false;
}

bool type_is_lock(const struct type *type)
{
	for (;;) {
		type = type_unqualified(type);
		if (!type)
			return false;
		if ((type->kind == TYPE_TYPEDEF || type_is_aggregate(type)) &&
		    is_listed(type->name))
			return true;
		if (type->kind != TYPE_TYPEDEF)
			return false;
		type = type->target;
	}
}
