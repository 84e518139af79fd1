/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mark start, mark end: runs the instruction by which a workload in the guest says where its
 * region is (emulate/decode.h). A program of its own without any library, for it goes into guests
 * of whatever make.
 */
void _start(void);

__asm__(".globl _start\n"
	"_start:\n"
	"\tmovq 16(%rsp), %rax\n" /* argv[1] */
	"\ttestq %rax, %rax\n"
	"\tjz 2f\n"
	"\tcmpb $'e', (%rax)\n"
	"\tje 1f\n"
	"\t.byte 0x0f, 0x1f, 0x80, 1, 0x2c, 0x0c, 0xc2\n"
	"\tjmp 2f\n"
	"1:\t.byte 0x0f, 0x1f, 0x80, 2, 0x2c, 0x0c, 0xc2\n"
	"2:\txorl %edi, %edi\n"
	"\tmovl $60, %eax\n" /* exit(0) */
	"\tsyscall\n");
