/* rprof.h - the two halves of the Rprof format, which rprof.c puts together, and their options. */
#ifndef PROFPIPE_RPROF_H
#define PROFPIPE_RPROF_H

#include "formats/format.h"

/* The `options` of a struct read_request, for Rprofmem as well. */
struct rprof_read_options {
    const char *from_code; /* encoding of names, as iconv calls it; NULL: UTF-8 */
};

/* Ends the tool (STATUS_USAGE) where OPTIONS name no encoding. */
void rprof_check_options(const struct rprof_read_options *options);

/* The `read` of struct format. */
void rprof_read(struct in *in, const struct read_request *request, struct sink *sink);

/* The options of the writer. */
struct rprof_write_options {
    int64_t interval; /* of every source, in microseconds; 0: as the rows say */
};

extern const struct stage rprof_writer;

#endif
