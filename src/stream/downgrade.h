/* downgrade.h - converts version 2.0 to version 1.0 (profstream(5), VERSION 1.0).
 *
 * Version 1.0 has its functions and locations before all samples.  So these and the samples, one
 * line for each streak of equal ones, wait in spools until the profile ends; memory does not grow
 * with the samples. */
#ifndef PROFPIPE_DOWNGRADE_H
#define PROFPIPE_DOWNGRADE_H

#include "base/buf.h"
#include "base/out.h"
#include "base/spool.h"
#include "stream/sink.h"

struct downgrade {
    struct sink sink;
    struct out *out; /* not owned */

    /* The profile being written. */
    bool open;
    uint64_t source_count;
    /* The hidden table for the type of the source, and the one that the profile has; or empty. */
    struct str wanted, hidden;
    struct buf type_extra; /* dotted columns of the sample_types row */
    struct spool *functions, *locations, *streaks;

    /* The current sample, and the streak of samples before it. */
    bool has_count;
    int64_t count, streak;          /* how many samples they stand for */
    struct buf stack, streak_stack; /* their stacks, as text */
    struct buf extra, streak_extra; /* their dotted columns */
    struct buf line;                /* what goes to a spool next */
    struct out *line_out;           /* writes to `line` */
};

/* A sink that writes the profiles pushed to it, of version 2.0, to OUT as version 1.0.  What 1.0
 * cannot hold is counted (loss.h).  A profile without an .end row is written when the next one
 * begins, or by downgrade_end. */
struct downgrade downgrade_of(struct flow *flow, struct out *out);

/* Writes the rest of the last profile, without an .end row.  Frees what D holds. */
void downgrade_end(struct downgrade *d);

#endif
