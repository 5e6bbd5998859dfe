/* rprof.h - the two halves of the Rprof format, which format_rprof.c puts together. */
#ifndef PROFPIPE_RPROF_H
#define PROFPIPE_RPROF_H

#include "formats.h"

/* The `read` and `write` of struct format. */
void rprof_read(struct in *in, const struct read_request *request, struct sink *sink);
struct sink *rprof_write(struct flow *flow, const struct write_request *request, struct out *out);
void rprof_finish(struct sink *writer);

#endif
