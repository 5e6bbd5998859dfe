/* rprof.h - the reader and the writer of Rprof, and their options; rprof.c joins them. */
#ifndef PROFPIPE_RPROF_H
#define PROFPIPE_RPROF_H

#include "formats/format.h"

/* The `options` of a struct read_request, for Rprofmem as well. */
struct rprof_read_options {
    const char *from_code; /* encoding of names, as known to iconv; NULL: UTF-8 */
};

/* Checks OPTIONS. Ends the tool (STATUS_USAGE) if the encoding is not known. */
void rprof_check_options(const struct rprof_read_options *options);

/* The `read` of struct format. */
void rprof_read(struct in *in, const struct read_request *request, struct sink *sink);

/* The options of the writer. */
struct rprof_write_options {
    int64_t interval; /* of every source, in microseconds; 0: as in the rows */
};

extern const struct stage rprof_writer;

#endif
