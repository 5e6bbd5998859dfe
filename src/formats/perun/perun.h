/* perun.h - the reader and the writer of Perun's format; perun.c joins them. See perun2ndjson(1)
 * and ndjson2perun(1) for the rules. */
#ifndef PROFPIPE_PERUN_H
#define PROFPIPE_PERUN_H

#include "formats/format.h"

/* The `read` of struct format. */
void perun_read(struct in *in, const struct read_request *request, struct sink *sink);

/* The folder of objects inside Perun's repository. */
#define PERUN_OBJECTS ".perun/objects"

/* The options of the writer. Strings may be NULL: not given. */
struct perun_write_options {
    /* the type of values to write, TYPE or TYPE/UNIT; NULL: the one that pprof would show */
    const char *type;
    const char *cmd, *args, *workload, *origin; /* origin of a new profile */
    bool store;                                 /* store an object, and print its name */
    const char *store_path; /* the folder of all objects, such as PERUN_OBJECTS */
    /* end the tool before an object is written if it would lose something */
    bool lossless;
};

/* Checks OPTIONS. Ends the tool (STATUS_USAGE) if one is not valid. */
void perun_check_write_options(const struct perun_write_options *options);

extern const struct stage perun_writer;

#endif
