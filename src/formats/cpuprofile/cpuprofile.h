/* cpuprofile.h - the reader and the writer of profiles of V8; cpuprofile.c joins them.  See
 * cpuprofile2ndjson(1) and ndjson2cpuprofile(1) for the rules. */
#ifndef PROFPIPE_CPUPROFILE_H
#define PROFPIPE_CPUPROFILE_H

#include "formats/format.h"

/* The `read` of struct format. */
void cpuprofile_read(struct in *in, const struct read_request *request, struct sink *sink);

/* The options of the writer. */
struct cpuprofile_write_options {
    /* the type to write, TYPE or TYPE/UNIT; NULL: the one that pprof would show */
    const char *type;
};

extern const struct stage cpuprofile_writer;

#endif
