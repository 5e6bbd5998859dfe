/* folded.h - the two halves of the format of folded stacks, which folded.c puts together, and their
 * options.  See folded2ndjson(1) and ndjson2folded(1) for the rules. */
#ifndef PROFPIPE_FOLDED_H
#define PROFPIPE_FOLDED_H

#include "formats/format.h"

/* The `options` of a struct read_request. */
struct folded_read_options {
    const char *type;    /* what the counts are, TYPE/UNIT; NULL: samples/count */
    const char *columns; /* how many counts a line has: "1" or "2"; NULL: as the lines say */
};

/* Ends the tool (STATUS_USAGE) where OPTIONS do not hold what they must. */
void folded_check_options(const struct folded_read_options *options);

/* The `read` of struct format. */
void folded_read(struct in *in, const struct read_request *request, struct sink *sink);

/* The options of the writer. */
struct folded_write_options {
    const char
        *type; /* the type to write, TYPE or TYPE/UNIT; NULL: the one that pprof would show */
    bool each; /* a line for each sample, in order */
    size_t
        base_count; /* so many inputs are the first of two columns, those behind the second; 0: one
                        * column, unless all sources are of files that have two */
};

/* Ends the tool (STATUS_USAGE) where OPTIONS do not hold what they must. */
void folded_check_write_options(const struct folded_write_options *options);

extern const struct stage folded_writer;

#endif
