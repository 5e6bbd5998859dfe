/* otlp_format.h - the reader and the writer of OTLP profiles; otlp.c joins them. See otlp2ndjson(1)
 * and ndjson2otlp(1) for the rules. */
#ifndef PROFPIPE_OTLP_FORMAT_H
#define PROFPIPE_OTLP_FORMAT_H

#include "formats/format.h"

/* The `read` of struct format. */
void otlp_read(struct in *in, const struct read_request *request, struct sink *sink);

/* The options of the writer. */
struct otlp_write_options {
    bool is_json; /* write OTLP/JSON, in one line, not protobuf */
};

extern const struct stage otlp_writer;

#endif
