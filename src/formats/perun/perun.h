/* perun.h - the two halves of the format of Perun, which perun.c puts together.  See perun2ndjson(1) and
 * ndjson2perun(1) for the rules. */
#ifndef PROFPIPE_PERUN_H
#define PROFPIPE_PERUN_H

#include "formats/format.h"

/* The `read` of struct format. */
void perun_read(struct in *in, const struct read_request *request, struct sink *sink);

/* Where Perun keeps objects, in the folder of its repository. */
#define PERUN_OBJECTS ".perun/objects"

/* The options of the writer: strings may be NULL, for none. */
struct perun_write_options {
    const char *
        type; /* the type of values to write, TYPE or TYPE/UNIT; NULL: the one that pprof would show */
    const char *
        layout; /* "map" or "snapshots": the profile is written anew, in that; NULL: as it was, or as a map */
    const char *cmd, *args, *workload,
        *origin; /* what a profile that is written anew says of its making */
    bool store;             /* what is written is an object, and its name the output */
    const char *store_path; /* the folder of all objects, such as PERUN_OBJECTS */
    bool lossless;          /* what has no place in an object is an error, before there is one */
};

/* Ends the tool (STATUS_USAGE) where OPTIONS do not hold what they must. */
void perun_check_write_options(const struct perun_write_options *options);

extern const struct stage perun_writer;

#endif
