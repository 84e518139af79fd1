/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/btf.h"

#include "base/memory.h"

#define HEADER_BYTES 24 /* newer kernels add to it and say so */
#define TYPE_BYTES 12	/* struct btf_type */

static struct error *take_section(struct bytes *bytes, uint64_t offset, uint32_t size,
				  const char *what, struct bytes *ret)
{
	const uint8_t *start;

	bytes_seek(bytes, offset);
	start = bytes_take(bytes, size);
	if (bytes->failed)
		return error_create(ERROR_INPUT,
				    "BTF header: %u bytes of %s at %llu, but the BTF has %zu bytes",
				    size, what, (unsigned long long)offset,
				    (size_t)(bytes->end - bytes->start));
	*ret = bytes_over(start, size, bytes->big_endian);
	return NULL;
}

static struct error *read_sections(struct bytes *bytes, struct btf_piece *piece)
{
	uint64_t header = bytes_u32(bytes);
	uint32_t types = bytes_u32(bytes), types_size = bytes_u32(bytes);
	uint32_t strings = bytes_u32(bytes), strings_size = bytes_u32(bytes);
	struct error *err;

	if (bytes->failed || header < HEADER_BYTES)
		return error_create(ERROR_INPUT, "BTF: the header is cut off");
	err = take_section(bytes, header + types, types_size, "types", &piece->types);
	if (!err)
		err = take_section(bytes, header + strings, strings_size, "strings",
				   &piece->strings);
	if (err)
		return err;
	if (strings_size && piece->strings.end[-1])
		return error_create(ERROR_INPUT, "BTF: the last string does not end");
	return NULL;
}

/* Whole BTF begins with the empty string; split BTF has that in its base. */
static bool is_split(const struct btf_piece *piece)
{
	return !bytes_left(&piece->strings) || piece->strings.at[0];
}

/* What follows a struct btf_type: fixed bytes, and some for each of its elements. */
static const struct {
	uint8_t fixed;
	uint8_t each;
} kind_bytes[] = {
	[BTF_KIND_INT] = { 4, 0 },	[BTF_KIND_ARRAY] = { 12, 0 },
	[BTF_KIND_STRUCT] = { 0, 12 },	[BTF_KIND_UNION] = { 0, 12 },
	[BTF_KIND_ENUM] = { 0, 8 },	[BTF_KIND_FUNC_PROTO] = { 0, 8 },
	[BTF_KIND_VAR] = { 4, 0 },	[BTF_KIND_DATASEC] = { 0, 12 },
	[BTF_KIND_DECL_TAG] = { 4, 0 }, [BTF_KIND_ENUM64] = { 0, 12 },
};

/*
 * The bits of btf_type.info: kernels of 2026 have 24 bits for counts and 7 for kinds. Before, it
 * was 16 and 5, with zeroes above.
 */
static uint32_t info_kind(uint32_t info)
{
	return info >> 24 & 0x7f;
}

static uint32_t info_nr(uint32_t info)
{
	return info & 0xffffff;
}

static struct error *index_types(struct btf *btf, const struct btf_piece *piece)
{
	struct bytes types = piece->types;

	for (; bytes_left(&types); btf->end_id++) {
		uint32_t at = (uint32_t)bytes_offset(&types);
		uint32_t info, kind;

		bytes_take(&types, 4);
		info = bytes_u32(&types);
		kind = info_kind(info);
		if (!types.failed && (kind == BTF_KIND_UNKN || kind >= array_size(kind_bytes)))
			return error_create(ERROR_INPUT,
					    "BTF: type %u (byte %u of the types) is of a kind, %u, "
					    "that is not known: the file is damaged or of a newer "
					    "kernel than this fieldline",
					    btf->end_id, at, kind);
		if (!types.failed)
			bytes_take(&types, 4 + kind_bytes[kind].fixed +
						   (uint64_t)info_nr(info) * kind_bytes[kind].each);
		if (types.failed)
			return error_create(ERROR_INPUT,
					    "BTF: type %u (byte %u of the types) is cut off",
					    btf->end_id, at);
		btf->offsets[btf->end_id] = at;
		/* Without a branch, which would often be guessed wrong. */
		btf->candidates[btf->nr_candidates] = btf->end_id;
		btf->nr_candidates += !!(BTF_KIND_BIT(kind) & BTF_CANDIDATES);
	}
	return NULL;
}

static struct error *index_pieces(struct btf *btf)
{
	size_t max_ids = (bytes_left(&btf->base.types) + bytes_left(&btf->own.types)) / TYPE_BYTES;
	struct error *err;

	btf->offsets = memory_alloc(max_ids + 1, sizeof(*btf->offsets));
	btf->candidates = memory_alloc(max_ids + 1, sizeof(*btf->candidates));
	btf->end_id = 1;
	err = error_wrap(index_types(btf, &btf->base), "base");
	btf->first_id = btf->end_id;
	return err ? err : index_types(btf, &btf->own);
}

static struct error *read_piece(const uint8_t *data, size_t size, struct btf_piece *ret)
{
	struct bytes bytes = bytes_over(data, size, false);
	uint16_t magic = bytes_u16(&bytes);
	uint8_t version = bytes_u8(&bytes);

	bytes_u8(&bytes); /* flags: none are defined */
	bytes.big_endian = magic == __builtin_bswap16(BTF_MAGIC);
	if (!bytes.failed && magic != BTF_MAGIC && !bytes.big_endian)
		return error_create(ERROR_INPUT, "this is no BTF: it starts with 0x%04x", magic);
	if (!bytes.failed && version != BTF_VERSION)
		return error_create(ERROR_INPUT, "BTF of version %u; only version %u is known",
				    version, BTF_VERSION);
	return read_sections(&bytes, ret);
}

static struct error *read_base(const struct btf_input *input, struct btf *btf)
{
	struct error *err;

	if (!input->base)
		return error_create(ERROR_INPUT, "this is split BTF: it continues the BTF of the "
						 "kernel it was built for, which --btf-base "
						 "must name");
	err = read_piece(input->base, input->base_size, &btf->base);
	if (!err && is_split(&btf->base))
		err = error_create(ERROR_INPUT, "this BTF is split itself");
	if (!err && btf->base.types.big_endian != btf->own.types.big_endian)
		err = error_create(ERROR_INPUT, "this BTF has another byte order");
	return error_wrap(err, "base");
}

/*
 * A base of another kernel has strings of another length, and so the module's names come to lie
 * anywhere in the strings. The right ones begin a string: no encoder shares their ends.
 */
static struct error *check_base(const struct btf *btf)
{
	const char *first = (const char *)btf->own.strings.start;
	struct btf_record record;
	const char *name;
	struct error *err;

	for (uint32_t id = btf->first_id; id < btf->end_id; id++) {
		btf_read_record(btf, id, &record);
		err = btf_read_name(btf, id, record.name, &name);
		if (!err && (!record.name || name == first || (name && !name[-1])))
			continue;
		error_destroy(err);
		return error_create(ERROR_INPUT,
				    "base: not the BTF of the kernel that the module was built "
				    "for, which --btf-base must name");
	}
	return NULL;
}

struct error *btf_open(const struct btf_input *input, struct btf *ret)
{
	auto_btf struct btf btf = {};
	struct error *err = read_piece(input->data, input->size, &btf.own);
	bool split = !err && is_split(&btf.own);

	if (split)
		err = read_base(input, &btf);
	if (!err)
		err = index_pieces(&btf);
	if (!err && split)
		err = check_base(&btf);
	if (err)
		return err;
	*ret = btf;
	btf = (struct btf){};
	return NULL;
}

void btf_close(struct btf *btf)
{
	free(btf->offsets);
	free(btf->candidates);
}

bool btf_read_record(const struct btf *btf, uint32_t id, struct btf_record *ret)
{
	const struct btf_piece *piece = id < btf->first_id ? &btf->base : &btf->own;
	uint32_t info;

	if (id >= btf->end_id)
		return false;
	if (!id) {
		*ret = (struct btf_record){ .kind = BTF_KIND_UNKN };
		return true;
	}
	ret->rest = piece->types;
	ret->rest.at += btf->offsets[id];
	ret->name = bytes_u32(&ret->rest);
	info = bytes_u32(&ret->rest);
	ret->kind = info_kind(info);
	ret->nr = info_nr(info);
	ret->flag = info >> 31;
	ret->type = bytes_u32(&ret->rest);
	return true;
}

struct error *btf_read_name(const struct btf *btf, uint32_t id, uint32_t offset, const char **ret)
{
	const struct bytes *strings = &btf->base.strings;
	size_t at = offset;

	if (at >= bytes_left(strings)) {
		at -= bytes_left(strings);
		strings = &btf->own.strings;
	}
	if (at >= bytes_left(strings))
		return error_create(ERROR_INPUT,
				    "BTF: type %u: a name at %u lies outside the strings", id,
				    offset);
	*ret = strings->at[at] ? (const char *)strings->at + at : NULL;
	return NULL;
}

uint32_t btf_skip(const struct btf *btf, uint32_t id, uint32_t kind_bits)
{
	struct btf_record record;

	for (unsigned int depth = 0; depth < BTF_MAX_DEPTH; depth++) {
		if (!btf_read_record(btf, id, &record) || !(BTF_KIND_BIT(record.kind) & kind_bits))
			break;
		id = record.type;
	}
	return id;
}
