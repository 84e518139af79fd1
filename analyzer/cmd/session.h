/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pipeline that the commands share: take the next sample of a recording, resolve it, count why
 * not or add it to the profile.
 */
#ifndef FIELDLINE_CMD_SESSION_H
#define FIELDLINE_CMD_SESSION_H

#include "base/error.h"
#include "model/profile.h"

struct session_request {
	/* perf.data, perf script's text, our log, "-", or what perfscripts/record left. */
	const char *recording;
	const char *vmlinux; /* NULL = the one beside the recording */
	const char *modules; /* a directory; NULL = the one beside the recording, or none */
	uint64_t window_ns;
	uint32_t cacheline; /* bytes; 0 = the machine's own */
	bool every_access;  /* the recording holds each access, not samples */
	bool force;	    /* take a vmlinux of another build */
	bool no_cache;
};

struct session;

/*
 * Reads the recording to its end. Errors: no recording, no kernel to resolve with, a kernel of
 * another build, not one memory sample.
 */
struct error *session_run(const struct session_request *request, struct session **ret);
/* Lives as long as the session, which owns the types. */
const struct profile *session_profile(const struct session *session);
void session_close(struct session *session);

static inline void session_close_pointer(struct session **session)
{
	session_close(*session);
}

#define auto_session __attribute__((cleanup(session_close_pointer)))

#endif
