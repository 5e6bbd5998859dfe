/* downgrade.h - the way back from version 2.0 to version 1.0 (profstream(5), VERSION 1.0).
 *
 * Version 1.0 has its functions and locations before all samples.  So these, one line for each run of
 * equal samples, wait in a spool until the profile ends; memory stays flat. */
#ifndef PROFPIPE_DOWNGRADE_H
#define PROFPIPE_DOWNGRADE_H

#include "base/buf.h"
#include "base/out.h"
#include "base/spool.h"
#include "stream/sink.h"

struct downgrade {
    struct sink sink;
    struct out *out; /* not owned */

    /* Of the profile being written. */
    bool open;
    uint64_t source_count;
    struct str wanted,
        hidden;            /* the hidden tables that would tell the source, that does; or empty */
    struct buf type_extra; /* dotted columns of the sample_types row */
    struct spool *functions, *locations, *runs;

    /* The sample being read, and the run of samples before it. */
    bool has_count;
    int64_t count, run;          /* how often they count */
    struct buf stack, run_stack; /* their stacks, as text */
    struct buf extra, run_extra; /* their dotted columns */
    struct buf line;             /* what goes to a spool next */
    struct out *line_out;        /* writes there */
};

/* A sink that writes what it is pushed, of version 2.0, as version 1.0 to OUT.  What has no place there
 * is counted (loss.h).  Without an .end row the profile is written when the next one begins or
 * downgrade_end is called. */
struct downgrade downgrade_of(struct flow *flow, struct out *out);

/* Writes what is left of the last profile, but no .end row.  Frees what D holds. */
void downgrade_end(struct downgrade *d);

#endif
