/* SPDX-License-Identifier: GPL-2.0-only */
#include "insn/insn.h"

const char *insn_register_name(uint8_t reg)
{
	static const char *const names[] = {
		"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
		"r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip",
	};

	return reg < array_size(names) ? names[reg] : "?";
}
