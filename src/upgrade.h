/* upgrade.h - the stage behind the stream: profiles of version 1.x become profiles of version 2.0
 * (profstream(5), VERSION 1.0).  Those of version 2.0 pass untouched. */
#ifndef PROFPIPE_UPGRADE_H
#define PROFPIPE_UPGRADE_H

#include "stream.h"

/* So many samples may come of all rows of version 1.x that a tool reads: 23 days at 20 milliseconds. */
#define UPGRADE_SAMPLES_MAX 100000000

/* All zero but for what the caller sets. */
struct upgrade {
    struct stream *stream;  /* set; where the rows come from */
    struct str source_type; /* may be set; of the one source that a profile of 1.x becomes.  Unless
                             * set, a hidden table .rprof or .msg decides, or else "manual" */
    uint64_t max_samples;   /* may be set; more end the tool.  0: UPGRADE_SAMPLES_MAX */
    bool adds_up;           /* may be set: a row of samples becomes one sample whose value is their
                             * count, which is no different for those who add samples up */

    uint64_t samples; /* that have come, unless they are added up */

    /* Of the profile being read. */
    struct str hidden_type;
    int64_t sample_id;

    /* The row of samples being repeated.  It stays valid, since no other is read meanwhile. */
    struct row run;
    int64_t left;    /* how many samples are still to come */
    struct str rest; /* of the stack of the one being returned */
    int64_t depth;
    enum { UPGRADE_SAMPLE, UPGRADE_VALUE, UPGRADE_LOCATIONS } next;
};

/* For upgrade_next: the next row of a profile of version 1.x. */
bool upgrade_old(struct upgrade *u, struct row *row);

/* Reads the next row of version 2.0 to *ROW, valid until the next call; false at the end.  Ends the
 * tool (STATUS_INPUT) where stream_next does, and where there are too many samples. */
static inline bool upgrade_next(struct upgrade *u, struct row *row)
{
    if (__builtin_expect(u->left == 0, 1)) {
        if (!stream_next(u->stream, row))
            return false;
        if (__builtin_expect(u->stream->version == VERSION_2, 1))
            return true;
    }
    return upgrade_old(u, row);
}

#endif
