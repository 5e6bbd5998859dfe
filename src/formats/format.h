/* format.h - a format: how to recognise, read and write it. */
#ifndef PROFPIPE_FORMAT_H
#define PROFPIPE_FORMAT_H

#include "base/in.h"
#include "rows/row.h"
#include "stream/sink.h"
#include "stream/stage.h"

/* The options of a reader. */
struct read_request {
    const char *source_uri;  /* NULL: the name of the input, or null for standard input */
    struct number timestamp; /* seconds since 1970-01-01 UTC, or null */
    bool strict;             /* treat known faults of real producers as errors */
    enum {
        READ_BAD_LINES_END,      /* a bad line ends the tool (bad_lines.h) */
        READ_BAD_LINES_CAN_SKIP, /* the same, and the message names the option that skips it */
        READ_BAD_LINES_SKIP,
    } bad_lines;
    bool allow_empty; /* an input without a profile is not an error */
    /* max bytes of a file in memory, and of growth; 0: the default of limits.h */
    uint64_t max_size;
    const void *options; /* options of this format only, see its header; NULL: none */
};

/* How sure a format is that it can read an input, judged by the first bytes. The highest bid
 * wins. */
enum bid {
    BID_NONE,
    BID_LAST,  /* may be a damaged file of this format: used if nothing else matches */
    BID_ASKED, /* matches, but so does other text: used only by this format's own converter */
    BID_WEAK,  /* nothing speaks against it; not used for a known foreign file */
    /* the first line matches as far as it is shown; if the input ends there, BID_ASKED */
    BID_LIKELY,
    BID_SURE,
};

/* One format, defined as format_NAME at the end of format_NAME.c, or of NAME.c in a folder. */
struct format {
    const char *name;      /* in messages: "an Rprof file" */
    const char *converter; /* the tool that reads this format only, or NULL */

    /* The name of the target in messages: "not in pprof". NULL: "the output". */
    const char *target;

    /* Suffixes of file names, or prefixes with a star (words.h), separated by spaces. NULL: it
     * has none, or there is no writer. */
    const char *suffixes;
    bool suffixes_are_common; /* other files have them, too */

    /* Bids for HEAD, the start of an input (in_peek_start). Where a first look is not enough, the
     * function is called again with more. If the input ends within that longer look, HEAD ends in a
     * line feed. */
    enum bid (*bid)(struct str head);

    /* Reads IN and pushes its rows to SINK: one profile, without the rows that open and end it.
     * With HAS_BORDERS: any number of profiles, with those rows. Bad input ends the tool
     * (STATUS_INPUT). Data that rows cannot hold is counted as a loss (loss.h). NULL: there is no
     * reader. */
    void (*read)(struct in *in, const struct read_request *request, struct sink *sink);
    bool has_borders;
    bool is_document;   /* not read line by line; a line may have any length */
    uint64_t byte_pays; /* growth by frames (growth.h) allowed per input byte; 0: LIMITS_BYTE */

    /* Writes a file of this format. NULL: there is no writer. */
    const struct stage *writer;
};

/* The max bytes that REQUEST allows in memory, both for one input and for what is built from it. */
uint64_t format_max_size(const struct read_request *request);

/* Returns all bytes of IN. Nothing of IN may have been consumed. Ends the tool (STATUS_INPUT) where
 * the input is larger than format_max_size(REQUEST). */
struct str format_whole(struct in *in, const struct read_request *request);

/* The URI for the sources of IN: the requested one, or the name of the input; NULL for standard
 * input. */
const char *format_source_uri(const struct read_request *request, const struct in *in);

#endif
