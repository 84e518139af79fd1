/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands in where the program is built without Capstone. */
#include "insn/decode_plain.h"

struct error *insn_decoder_create(struct insn_decoder **ret)
{
	(void)ret;
	return error_create(ERROR_INPUT,
			    "this fieldline was built without Capstone, which decodes "
			    "instructions: install it (Debian: libcapstone-dev) and build again");
}

void insn_decoder_destroy(struct insn_decoder *decoder)
{
	(void)decoder;
}

const char *insn_decoder_name(void)
{
	return NULL;
}

bool insn_decode_other(struct insn_decoder *decoder, const uint8_t *bytes, size_t nr,
		       uint64_t address, struct insn *ret)
{
	(void)decoder, (void)bytes, (void)nr, (void)address, (void)ret;
	return false;
}

char *insn_print(struct insn_decoder *decoder, const uint8_t *bytes, size_t nr, uint64_t address)
{
	(void)decoder, (void)bytes, (void)nr, (void)address;
	return NULL;
}
