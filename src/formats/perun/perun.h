/* perun.h - the two halves of the format of Perun, which perun.c puts together.  See perun2ndjson(1) and
 * ndjson2perun(1) for the rules. */
#ifndef PROFPIPE_PERUN_H
#define PROFPIPE_PERUN_H

#include "formats/format.h"

/* The `read` of struct format. */
void perun_read(struct in *in, const struct read_request *request, struct sink *sink);

#endif
