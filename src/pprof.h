/* pprof.h - the two halves of the pprof format, which format_pprof.c puts together. */
#ifndef PROFPIPE_PPROF_H
#define PROFPIPE_PPROF_H

#include "formats.h"

/* The `read` and `write` of struct format. */
void pprof_read(struct in *in, const struct read_request *request, struct sink *sink);
struct sink *pprof_write(struct flow *flow, const struct write_request *request, struct out *out);
void pprof_finish(struct sink *writer);

#endif
