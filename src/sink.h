/* sink.h - where the rows of a reader go: to the output as they are, or there as version 1.0. */
#ifndef PROFPIPE_SINK_H
#define PROFPIPE_SINK_H

#include "downgrade.h"
#include "emit.h"

struct sink {
    struct out *out;
    struct downgrade *downgrade; /* NULL: version 2.0 */
};

/* Takes ROW, of version 2.0. */
static inline void sink_row(const struct sink *sink, const struct row *row)
{
    if (__builtin_expect(sink->downgrade != NULL, 0))
        downgrade_row(sink->downgrade, row);
    else
        emit_row(sink->out, row);
}

/* The rows that open a profile with a promised end, and that end it; MORE promises another. */
static inline void sink_begin(const struct sink *sink)
{
    struct row row = row_begin();
    sink_row(sink, &row);
}

static inline void sink_end(const struct sink *sink, bool more)
{
    struct row row = row_end(more);
    sink_row(sink, &row);
}

#endif
