/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an x86-64 kernel has its memory with four levels of page tables and without KASLR
 * (Documentation/x86/x86_64/mm.rst): the guest is booted so.
 */
#ifndef FIELDLINE_EMULATE_ADDRESS_SPACE_H
#define FIELDLINE_EMULATE_ADDRESS_SPACE_H

#define GUEST_DIRECT_MAP 0xffff888000000000ull /* all physical memory */
#define GUEST_PAGE_ARRAY 0xffffea0000000000ull /* a struct page for each page of it */
#define GUEST_PAGE_ARRAY_END 0xffffeb0000000000ull
#define GUEST_VMALLOC 0xffffc90000000000ull /* devices are mapped here, too */
#define GUEST_VMALLOC_END 0xffffe90000000000ull
#define GUEST_SECTION_PAGES 0x8000ull	  /* of memory: each 128 MiB (SECTION_SIZE_BITS) */
#define GUEST_FIXED 0xffffffffff000000ull /* single pages at fixed addresses; the APIC */

#endif
