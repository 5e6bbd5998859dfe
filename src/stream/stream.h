/* stream.h - the reader of profile rows: the borders of profiles, their completeness, and the order of
 * rows (profstream(5), ORDER and COMPLETENESS). */
#ifndef PROFPIPE_STREAM_H
#define PROFPIPE_STREAM_H

#include "rows/members.h"
#include "rows/rows.h"
#include "stream/sink.h"

/* The version that VALUE of the version row declares: "2.0", or "1." and what R's
 * package_version() takes.  0 where it is neither. */
unsigned stream_version(struct str value);

/* The version that ROW, a version row at WHERE, declares; ends the tool (STATUS_INPUT) where it declares
 * none that is known. */
unsigned stream_declared(const struct row *row, struct place where);

/* Where TABLE stands in the order of version 1.0. */
unsigned stream_rank(enum table table);

/* The tables that stand there, for messages. */
const char *stream_rank_name(unsigned rank);

/* Whether ROW, a version row or an .end row at WHERE, has the flag ID.  What else is known of the members of
 * such a row must be well-formed too: or else the tool ends (STATUS_INPUT). */
bool stream_flag(const struct row *row, enum member_id id, struct place where);

/* Pushes the profiles in IN, of either version, to SINK: version rows and .end rows as well.  Ends
 * the tool (STATUS_INPUT) at a row that is none, is out of order, or where a promised row is
 * missing; and where there is no profile, unless ALLOW_EMPTY. */
void stream_read(struct in *in, bool allow_empty, struct sink *sink);

#endif
