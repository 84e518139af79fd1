/* SPDX-License-Identifier: GPL-2.0-only */
struct s {
	/* of a */
	struct list_head *a, **b;	/* and b */
	int (*open)(struct s *s, int c)[2], d; int e:3;

	union {
		struct { u8 f; };
		u16 __pad __aligned(8);
	} __packed;
#ifdef CONFIG_X
	DECLARE_BITMAP(map, 4);
	KABI_SLOT(1)
	struct { int x; } g, h[3];
# if A && \
	B
	atomic_long_t
		i
#else
	j
#endif
	;
#endif /* X */
	struct inode k ____cacheline_aligned_in_smp; // last
} __randomize_layout;
