/* stream.h - reads profile rows: checks where profiles begin and end, that they are complete,
 * and the order of rows (profstream(5), ORDER and COMPLETENESS). */
#ifndef PROFPIPE_STREAM_H
#define PROFPIPE_STREAM_H

#include "rows/members.h"
#include "rows/rows.h"
#include "stream/sink.h"

/* The version in VALUE of the version row: "2.0", or "1." followed by what R's package_version()
 * accepts. 0 if it is neither. */
unsigned stream_version(struct str value);

/* The version that ROW, a version row at WHERE, declares; ends the tool (STATUS_INPUT) if it is
 * unknown. */
unsigned stream_declared(const struct row *row, struct place where);

/* The position of TABLE in the order of version 1.0. */
unsigned stream_rank(enum table table);

/* The tables at that position, for messages. */
const char *stream_rank_name(unsigned rank);

/* Whether ROW, a version row or an .end row at WHERE, has the flag ID.  Ends the tool
 * (STATUS_INPUT) if any known member of that row is invalid. */
bool stream_flag(const struct row *row, enum member_id id, struct place where);

/* Pushes the profiles in IN, of either version, to SINK, with their version and .end rows.  Ends
 * the tool (STATUS_INPUT) if a row is invalid or out of order, or a promised row is missing; and
 * if there is no profile, unless ALLOW_EMPTY. */
void stream_read(struct in *in, bool allow_empty, struct sink *sink);

#endif
