/* firefox.h - the reader and the writer of processed profiles of the Firefox Profiler; firefox.c
 * joins them. See firefox2ndjson(1) and ndjson2firefox(1) for the rules. */
#ifndef PROFPIPE_FIREFOX_H
#define PROFPIPE_FIREFOX_H

#include "formats/format.h"

/* The version that is written, and those that are read: meta.preprocessedProfileVersion. */
enum { FIREFOX_VERSION = 66, FIREFOX_OLDEST = 48, FIREFOX_NEWEST = 70 };

/* A member of our own in the file, in its threads, its counters and its libraries, which the
 * Profiler ignores. It says of which source and type the values are. */
#define FIREFOX_MARK STR("profpipe")

/* The members of `meta` that rows have places for, or that depend on all else: `.firefox` of a
 * source keeps all others. */
#define FIREFOX_META_MEMBERS                                                                       \
    "preprocessedProfileVersion", "startTime", "categories", "version", "symbolicated",            \
        "markerSchema", "initialVisibleThreads", "initialSelectedThreads"

/* The power of ten that one UNIT, canonical text, is in nanoseconds; below 0 if it is no unit of
 * time, or no such power. */
int firefox_power(struct str unit);

/* The `read` of struct format. */
void firefox_read(struct in *in, const struct read_request *request, struct sink *sink);

extern const struct stage firefox_writer;

#endif
