/* rprof.h - the two halves of the Rprof format, which format_rprof.c puts together. */
#ifndef PROFPIPE_RPROF_H
#define PROFPIPE_RPROF_H

#include "formats.h"

/* The `read` and `write` of struct format. */
void rprof_read(struct in *in, const struct read_request *request, const struct sink *sink);
void rprof_write(struct merge *merge, const struct write_request *request, struct out *out);

#endif
