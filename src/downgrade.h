/* downgrade.h - the way back from version 2.0 to version 1.0 (profstream(5), VERSION 1.0).
 *
 * Version 1.0 has its functions and locations before all samples.  So these, one line for each run of
 * equal samples, wait in a spool until the profile ends; memory stays flat. */
#ifndef PROFPIPE_DOWNGRADE_H
#define PROFPIPE_DOWNGRADE_H

#include "mem.h"
#include "out.h"
#include "row.h"
#include "spool.h"

/* All zero but for OUT. */
struct downgrade {
    struct out *out; /* set; not owned */

    /* Of the profile being written. */
    bool open;
    uint64_t source_count;
    struct str wanted,
        hidden;            /* the hidden tables that would tell the source, that does; or empty */
    struct buf type_extra; /* dotted columns of the sample_types row */
    struct spool *functions, *locations, *runs;

    /* The sample being read, and the run of samples before it. */
    bool in_sample, has_count;
    int64_t count, run;          /* how often they count */
    struct buf stack, run_stack; /* their stacks, as text */
    struct buf extra, run_extra; /* their dotted columns */
    struct buf line;             /* what goes to a spool next */
    struct out *line_out;        /* writes there */
};

/* Takes ROW, of version 2.0, the meta and .end rows among them, and writes what comes of it.  What
 * has no place in version 1.0 is counted (loss.h).  Without an .end row the profile is written when
 * the next one begins or downgrade_end is called. */
void downgrade_row(struct downgrade *d, const struct row *row);

/* Writes what is left of the last profile, but no .end row.  Frees what D holds. */
void downgrade_end(struct downgrade *d);

#endif
