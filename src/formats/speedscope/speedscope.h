/* speedscope.h - the reader and the writer of speedscope's format; speedscope.c joins them. See
 * speedscope2ndjson(1) and ndjson2speedscope(1) for the rules. */
#ifndef PROFPIPE_SPEEDSCOPE_H
#define PROFPIPE_SPEEDSCOPE_H

#include "formats/format.h"

/* The `read` of struct format. */
void speedscope_read(struct in *in, const struct read_request *request, struct sink *sink);

/* The options of the writer. */
struct speedscope_write_options {
    bool aggregate; /* add up equal stacks and sort them; false: keep samples in order */
};

extern const struct stage speedscope_writer;

#endif
