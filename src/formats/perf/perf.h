/* perf.h - the reader of the text that perf script prints. See perf2ndjson(1) for the rules. */
#ifndef PROFPIPE_PERF_H
#define PROFPIPE_PERF_H

#include "formats/format.h"

/* The options of perf2ndjson; all zero by default. */
struct perf_read_options {
    bool off_cpu; /* samples of waits, from the events of the scheduler */
};

/* The `read` of struct format. */
void perf_read(struct in *in, const struct read_request *request, struct sink *sink);

#endif
