/* stream.h - rows one after the other, over all inputs of a tool: the borders of profiles, their
 * completeness, and the order of rows (profstream(5), ORDER and COMPLETENESS). */
#ifndef PROFPIPE_STREAM_H
#define PROFPIPE_STREAM_H

#include "rows.h"

struct inputs;

struct stream {
    struct inputs *inputs; /* what is still to be read; borrowed */
    struct in *in;         /* what is being read; NULL between inputs */
    struct rows rows;      /* of it; rows.where is the place of the row returned last */
    bool allow_empty;      /* an input without a profile is no error */
    bool begun;            /* there has been an input */

    /* Of the profile being read. */
    enum version version;
    bool open;          /* a version row has been read, its end not yet */
    bool promised_end;  /* and it said that an end will come */
    bool promised_more; /* the last end said that another profile follows */
    bool any;           /* the input has had a profile */
    int64_t sample_id, last_sample_id;
    int64_t depth; /* of the last location of the sample */
    enum { GROUP_NONE, GROUP_SAMPLE, GROUP_VALUES, GROUP_LOCATIONS } group;
    unsigned rank;     /* version 1.0: how far the order of tables has come */
    bool sample_types; /* version 1.0: that row has been read */
};

/* The version that VALUE of the version row declares: "2.0", or "1." and what R's
 * package_version() takes.  0 where it is neither. */
unsigned stream_version(struct str value);

/* Where TABLE stands in the order of version 1.0, from 0. */
unsigned stream_rank(enum table table);

/* The tables that stand there, for messages. */
const char *stream_rank_name(unsigned rank);

/* Whether ROW, a version row or an .end row at WHERE, has the flag ID.  What else is known of the members of
 * such a row must be well-formed too: or else the tool ends (STATUS_INPUT). */
bool stream_flag(const struct row *row, enum member_id id, struct place where);

/* Reads the next row of the stream to *ROW, which is valid until the next call.  Version rows and
 * .end rows are returned too.  False when all inputs have been read to their ends.  Ends the tool
 * (STATUS_INPUT) at a row that is none, is out of order, or where a promised row is missing. */
bool stream_next(struct stream *s, struct row *row);

/* Frees what S holds. */
void stream_free(struct stream *s);

#endif
