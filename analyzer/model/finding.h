/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A finding: one thing worth telling about one struct, with the rule it comes from, its place and
 * its evidence. diff and check both produce findings; report/ prints them in every format.
 */
#ifndef FIELDLINE_MODEL_FINDING_H
#define FIELDLINE_MODEL_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

enum severity {
	SEVERITY_NOTE,	  /* worth knowing; never fails a job */
	SEVERITY_WARNING, /* the layout differs */
	SEVERITY_ERROR,	  /* a rule is violated */
};

/* What a finding instantiates. Ids are stable: suppressions and dashboards hold on to them. */
struct rule_info {
	const char *id;		 /* "LAYOUT-STRADDLE" */
	const char *title;	 /* a short noun phrase */
	const char *explanation; /* why it matters, and what to do */
};

/* Strings are borrowed from an arena that outlives the finding. */
struct finding {
	const struct rule_info *rule;
	enum severity severity;
	const char *type;  /* "struct bdev_inode" */
	const char *field; /* dotted path from the outermost struct; NULL = the struct as a whole */
	const char *file;  /* of the declaration; NULL = unknown */
	uint32_t line;	   /* 0 = unknown */
	/* A sentence with field and numbers in it, to stand behind "TYPE: "; no full stop. */
	const char *message;
	const char *evidence;	  /* what the statement rests on; NULL = the message says it */
	const char *cause;	  /* the change this one follows from; NULL = it is its own */
	const char *excepted_for; /* reason of the policy's exception that covers it; NULL = none */
};

DEFINE_VEC(finding_vec, struct finding);

/* A struct that was looked at, with or without findings: a test case in JUnit's words. */
struct examined {
	const char *type;
	const char *file;
	uint32_t line;
};

DEFINE_VEC(examined_vec, struct examined);

/* Everything a diff or check has to tell. Built once, printed many ways. */
struct document {
	struct arena arena;
	const char *command;		      /* "diff", "check" */
	const char *title;		      /* what was compared or checked, in words */
	const struct rule_info *const *rules; /* all that could have fired; NULL-terminated */
	struct finding_vec findings;
	struct examined_vec examined;
	struct string_vec gaps; /* what could not be examined, and why */
};

void document_deinit(struct document *document);
#define auto_document __attribute__((cleanup(document_deinit)))

/* How many findings there are of each kind; those that an exception covers count only as that. */
struct tally {
	size_t nr[SEVERITY_ERROR + 1]; /* by severity */
	size_t nr_excepted;
};

struct tally document_tally(const struct document *document);
/* "note", "warning", "error". */
const char *severity_name(enum severity severity);
/* file relative to root, a directory, where it lies below it; else as it is. NULL stays NULL. */
const char *file_below(const char *root, const char *file);
/* Makes the files below root relative to it, wherever the document names one. */
void document_strip_root(struct document *document, const char *root);

/*
 * A fingerprint that survives moved lines and reworded messages: of rule, type and field
 * (hexadecimal, into buffer). For SARIF's partialFingerprints and for suppressions.
 */
void finding_fingerprint(const struct finding *finding, char buffer[17]);

#endif
