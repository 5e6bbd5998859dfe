/* folded.h - the reader and the writer of folded stacks, and their options; folded.c joins them.
 * See folded2ndjson(1) and ndjson2folded(1) for the rules. */
#ifndef PROFPIPE_FOLDED_H
#define PROFPIPE_FOLDED_H

#include "formats/format.h"

/* The `options` of a struct read_request. */
struct folded_read_options {
    const char *type;    /* type and unit of the counts, TYPE/UNIT; NULL: samples/count */
    const char *columns; /* counts per line: "1" or "2"; NULL: as found in the lines */
};

/* Checks OPTIONS. Ends the tool (STATUS_USAGE) if one is not valid. */
void folded_check_options(const struct folded_read_options *options);

/* The `read` of struct format. */
void folded_read(struct in *in, const struct read_request *request, struct sink *sink);

/* The options of the writer. */
struct folded_write_options {
    /* the type to write, TYPE or TYPE/UNIT; NULL: the one that pprof would show */
    const char *type;
    bool each; /* write one line per sample, in order */
    /* the first BASE_COUNT inputs go to the first of two columns, the others to the second; 0: one
     * column, unless all sources come from files with two */
    size_t base_count;
};

/* Checks OPTIONS. Ends the tool (STATUS_USAGE) if one is not valid. */
void folded_check_write_options(const struct folded_write_options *options);

extern const struct stage folded_writer;

#endif
