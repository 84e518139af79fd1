/* SPDX-License-Identifier: GPL-2.0-only */
#include "store/net_cachelines.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

#define NO_COLUMN SIZE_MAX

enum { COLUMN_TYPE, COLUMN_NAME, COLUMN_TX, COLUMN_RX, COLUMN_COMMENT, NR_COLUMNS };

struct parser {
	struct path_tables *tables;
	struct path_table table;
	const char *file;
	const char *titled;	    /* "NAME" of "NAME struct fast path usage breakdown" */
	bool is_enum;		    /* the title says that it is no struct's */
	size_t columns[NR_COLUMNS]; /* where they start; all 0 before the header */
	size_t border[NR_COLUMNS];
	bool in_table;
	uint32_t line;
};

static bool is_border(const char *line)
{
	return *line == '=' && strspn(line, "= ") == strlen(line) && strchr(line, ' ');
}

static void take_border(struct parser *parser, const char *line)
{
	size_t nr = 0;

	for (size_t i = 0; line[i] && nr < NR_COLUMNS; i++) {
		if (line[i] == '=' && (!i || line[i - 1] == ' '))
			parser->border[nr++] = i;
	}
	while (nr < NR_COLUMNS)
		parser->border[nr++] = NO_COLUMN;
}

static bool take_header(struct parser *parser, const char *line)
{
	static const char *const words[] = { "Type", "Name", "fastpath_tx_access",
					     "fastpath_rx_access" };
	size_t columns[NR_COLUMNS] = {};

	if (strncmp(line, words[0], strlen(words[0])))
		return false;
	for (size_t i = 0; i < array_size(words); i++) {
		const char *word = strstr(line, words[i]);

		if (!word)
			return false;
		columns[i] = (size_t)(word - line);
	}
	columns[COLUMN_COMMENT] = columns[COLUMN_RX] + strlen(words[COLUMN_RX]) + 1;
	if (parser->border[COLUMN_RX] && parser->border[COLUMN_RX] != NO_COLUMN)
		memcpy(columns, parser->border, sizeof(columns));
	memcpy(parser->columns, columns, sizeof(columns));
	return true;
}

static void add_gap(struct parser *parser, const char *what)
{
	*vec_add(&parser->tables->gaps) =
		arena_printf(&parser->tables->arena, "%s:%u: %s", parser->file, parser->line, what);
}

static char *trimmed(struct arena *arena, const char *start, size_t length)
{
	char *copy;

	while (length && isspace((unsigned char)*start)) {
		start++;
		length--;
	}
	while (length && isspace((unsigned char)start[length - 1]))
		length--;
	copy = arena_alloc(arena, length + 1, 1);
	memcpy(copy, start, length);
	return copy;
}

/* Cells by the columns' places; false if something stands across a column's start. */
static bool cut_by_place(struct parser *parser, const char *line, char *cells[NR_COLUMNS])
{
	size_t length = strlen(line);

	for (size_t i = 0; i < NR_COLUMNS; i++) {
		size_t start = parser->columns[i];
		size_t end = i + 1 < NR_COLUMNS ? parser->columns[i + 1] : length;

		start = start < length ? start : length;
		end = end < length ? end : length;
		if (start && start < length && !isspace((unsigned char)line[start - 1]))
			return false;
		cells[i] = trimmed(&parser->tables->arena, line + start,
				   end > start ? end - start : 0);
	}
	return true;
}

static bool parse_use(const char *cell, enum path_use *ret)
{
	if (!*cell || !strcmp(cell, "-"))
		*ret = PATH_UNUSED;
	else if (!strcmp(cell, "read_mostly"))
		*ret = PATH_READ;
	else if (!strcmp(cell, "read_write") || !strcmp(cell, "write_mostly"))
		*ret = PATH_WRITTEN;
	else
		return false;
	return true;
}

/* The same by words, for rows that are out of their columns: then both uses must be there. */
static bool cut_by_words(struct parser *parser, const char *line, char *cells[NR_COLUMNS])
{
	enum path_use use;

	for (size_t i = 0; i < NR_COLUMNS; i++) {
		size_t skipped = strspn(line, " \t");
		size_t length = i == COLUMN_COMMENT ? strlen(line + skipped) :
						      strcspn(line + skipped, " \t");

		cells[i] = trimmed(&parser->tables->arena, line + skipped, length);
		line += skipped + length;
	}
	if (!*cells[COLUMN_TX])
		return true;
	return *cells[COLUMN_RX] && parse_use(cells[COLUMN_TX], &use) &&
	       parse_use(cells[COLUMN_RX], &use);
}

static bool is_name(const char *name)
{
	for (const char *c = name; *c; c++) {
		if (!isalnum((unsigned char)*c) && *c != '_')
			return false;
	}
	return *name && !isdigit((unsigned char)*name);
}

static void take_row(struct parser *parser, const char *line)
{
	struct path_field field = { .line = parser->line };
	char *cells[NR_COLUMNS];
	char *name;

	if (!cut_by_place(parser, line, cells) && !cut_by_words(parser, line, cells)) {
		add_gap(parser, "this row is out of its columns");
		return;
	}
	name = cells[COLUMN_NAME];
	if (!strncmp(cells[COLUMN_TYPE], "..", 2)) {
		*vec_add(&parser->table.names) = name + strspn(name, ".");
		return;
	}
	if (!parse_use(cells[COLUMN_TX], &field.use[PATH_TX]) ||
	    !parse_use(cells[COLUMN_RX], &field.use[PATH_RX])) {
		add_gap(parser, "this row has an access that is unknown");
		return;
	}
	name[strcspn(name, "[")] = '\0';
	if (is_name(name)) {
		field.name = name;
		*vec_add(&parser->table.fields) = field;
	} else if (field.use[PATH_TX] || field.use[PATH_RX]) {
		add_gap(parser, "this row names no field");
	}
}

static void take_line(struct parser *parser, const char *line)
{
	static const char title[] = " fast path usage breakdown";
	const char *found = strstr(line, title);

	if (found && !parser->titled) {
		size_t name = strcspn(line, " ");

		parser->titled = trimmed(&parser->tables->arena, line, name);
		parser->is_enum = !strncmp(line + name, " enum", 5);
	} else if (parser->in_table && (!*line || is_border(line))) {
		/* The border under the header is not the one that ends the table. */
		parser->in_table = is_border(line) && !parser->table.fields.nr;
	} else if (is_border(line)) {
		take_border(parser, line);
	} else if (parser->in_table) {
		take_row(parser, line);
	} else if (!parser->table.fields.nr) {
		parser->in_table = take_header(parser, line);
	}
}

static void add_names(struct parser *parser)
{
	const char *dot = strchr(parser->file, '.');
	size_t stem = dot ? (size_t)(dot - parser->file) : strlen(parser->file);

	*vec_add(&parser->table.names) = trimmed(&parser->tables->arena, parser->file, stem);
	if (parser->titled)
		*vec_add(&parser->table.names) = parser->titled;
}

void net_cachelines_parse(const char *name, const char *text, struct path_tables *tables)
{
	struct parser parser = { .tables = tables };
	auto_text struct text line = {};

	parser.file = arena_strdup(&tables->arena, name);
	parser.table.file = parser.file;
	while (*text) {
		size_t length = strcspn(text, "\n");

		parser.line++;
		text_clear(&line);
		text_add_bytes(&line, text, length);
		while (line.length && isspace((unsigned char)line.chars[line.length - 1]))
			line.chars[--line.length] = '\0';
		take_line(&parser, text_chars(&line));
		text += length + (text[length] == '\n');
	}
	if (!parser.table.fields.nr || parser.is_enum) {
		vec_deinit(&parser.table.names);
		vec_deinit(&parser.table.fields);
		return;
	}
	add_names(&parser);
	*vec_add(&tables->tables) = parser.table;
}

static int is_rst(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && !strcmp(dot, ".rst");
}

static struct error *read_one(const char *directory, const char *name, struct path_tables *tables)
{
	auto_text struct text path = {}, text = {};
	auto_file struct file file = {};
	struct error *err;

	text_printf(&path, "%s/%s", directory, name);
	err = file_read(text_chars(&path), &file);
	if (err)
		return err;
	text_add_bytes(&text, (const char *)file.data, file.size);
	net_cachelines_parse(name, text_chars(&text), tables);
	return NULL;
}

struct error *net_cachelines_read(const char *directory, struct path_tables *ret)
{
	auto_path_tables struct path_tables tables = {};
	struct dirent **entries = NULL;
	int nr = scandir(directory, &entries, is_rst, alphasort);
	struct error *err = NULL;

	if (nr < 0)
		return error_from_errno(errno, "'%s'", directory);
	for (int i = 0; i < nr; i++) {
		if (!err)
			err = read_one(directory, entries[i]->d_name, &tables);
		free(entries[i]);
	}
	free(entries);
	if (!err && !tables.tables.nr)
		err = error_create(ERROR_NOT_FOUND,
				   "'%s' has no table of a struct's fast path: give it "
				   "Documentation/networking/net_cachelines of Linux 6.8 or newer",
				   directory);
	if (err)
		return err;
	*ret = tables;
	tables = (struct path_tables){};
	return NULL;
}
