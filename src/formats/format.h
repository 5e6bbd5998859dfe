/* format.h - what a format is: how it is recognised, read and written. */
#ifndef PROFPIPE_FORMAT_H
#define PROFPIPE_FORMAT_H

#include "base/in.h"
#include "rows/row.h"
#include "stream/sink.h"
#include "stream/stage.h"

/* What a reader is asked for. */
struct read_request {
    const char *source_uri;  /* NULL: the input's name, null for standard input */
    struct number timestamp; /* seconds since 1970-01-01 UTC, or null */
    bool strict;             /* what real producers leave behind is an error */
    enum {
        READ_BAD_LINES_END,      /* the first line that is bad ends the tool (bad_lines.h) */
        READ_BAD_LINES_CAN_SKIP, /* the same, and the message names the option that would skip it */
        READ_BAD_LINES_SKIP,
    } bad_lines;
    bool allow_empty; /* an input without a profile is none */
    uint64_t max_size; /* most bytes of a file that are held, and of growth; 0: as limits.h says */
    const void *options; /* what only this format knows, as its own header says; NULL: nothing */
};

/* How sure a format is of an input by its first bytes.  The highest bid reads it. */
enum bid {
    BID_NONE,
    BID_LAST,  /* it may be this, damaged: it is read where it can be nothing else */
    BID_ASKED, /* it may be this and much else: it is read where this format is asked for */
    BID_WEAK,  /* nothing speaks against it: what is known to be something else is not read */
    BID_LIKELY, /* its first line looks like this, as far as it is shown: if that is all, BID_ASKED */
    BID_SURE,
};

/* One format.  Each ends the file format_NAME.c, or NAME.c in a folder, as format_NAME. */
struct format {
    const char *name;      /* as messages call it: "an Rprof file" */
    const char *converter; /* the tool that reads it and no other, or NULL */

    /* As messages call it as a target: "not in pprof"; NULL: "the output". */
    const char *target;

    /* What names of such files end in, with spaces between; NULL: nothing tells them, or nothing writes them. */
    const char *suffixes;

    /* How sure HEAD, the start of an input (in_peek_start), is of this format.  Where a first look does not
     * tell, there is a longer one; what it shows of an input that ends there ends in a line feed. */
    enum bid (*bid)(struct str head);

    /* Pushes what stands in IN to SINK.  That is one profile, without the rows that open and end it, unless
     * HAS_BORDERS: then it is any number of profiles with these rows.  Ends the tool (STATUS_INPUT)
     * at what is wrong.  Counts what has no place in rows (loss.h).  NULL where there is no
     * reader. */
    void (*read)(struct in *in, const struct read_request *request, struct sink *sink);
    bool has_borders;
    bool is_document; /* it is not read by lines, which may be of any length */
    uint64_t byte_pays; /* for how much growth (growth.h) a byte of it pays; 0: LIMITS_BYTE */

    /* What writes a file of this format; NULL where there is no writer. */
    const struct stage *writer;
};

/* How many bytes REQUEST has held in memory: for one input, and for what is made of it. */
uint64_t format_max_size(const struct read_request *request);

/* All bytes of IN, which nothing has been consumed of; ends the tool (STATUS_INPUT) where they are more than REQUEST has
 * held in memory. */
struct str format_whole(struct in *in, const struct read_request *request);

/* The URI for the sources of IN: the one asked for, or its name; NULL for standard input. */
const char *format_source_uri(const struct read_request *request, const struct in *in);

#endif
