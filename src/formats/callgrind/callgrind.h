/* callgrind.h - the reader and the writer of files of Callgrind, and what they share with callgrind.c,
 * which joins them.  See callgrind2ndjson(1) and ndjson2callgrind(1) for the rules. */
#ifndef PROFPIPE_CALLGRIND_H
#define PROFPIPE_CALLGRIND_H

#include "formats/callgrind_text.h"

/* The `read` of struct format. */
void callgrind_read(struct in *in, const struct read_request *request, struct sink *sink);

extern const struct stage callgrind_writer;

#endif
