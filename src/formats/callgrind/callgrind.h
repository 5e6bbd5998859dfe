/* callgrind.h - the reader and the writer of files of Callgrind, and what they share with callgrind.c,
 * which joins them.  See callgrind2ndjson(1) and ndjson2callgrind(1) for the rules. */
#ifndef PROFPIPE_CALLGRIND_H
#define PROFPIPE_CALLGRIND_H

#include "formats/format.h"

/* A type of values, as an event names it. */
struct callgrind_type {
    struct str name, unit; /* bytes; the name is never empty */
    int64_t factor;        /* one of the event in that unit */
};

/* The type of the event NAME, a word: `Time_(10ns)` and `cpu(ms)` say their unit, all others count
 * something. */
struct callgrind_type callgrind_type(struct str name);

/* Takes the next word off *TEXT; empty at its end. */
struct str callgrind_word(struct str *text);

/* The `read` of struct format. */
void callgrind_read(struct in *in, const struct read_request *request, struct sink *sink);

extern const struct stage callgrind_writer;

#endif
