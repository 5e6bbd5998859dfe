/* A filter to copy: removes the labels from samples and passes everything else on.
 *
 * To add a filter: copy this file to filter_NAME.c, declare filter_NAME in filters.h and add the
 * file to meson.build. Copy bin/profcat.c to bin/profNAME.c, and add that to bin/tools.
 * .github/CONTRIBUTING.md lists the other steps. */
#include "base/buf.h"
#include "filters/filters.h"
#include "rows/emit.h"
#include "stream/emitter.h"
#include "stream/prune.h"

/* The state of the filter; freed in close_skeleton. */
struct skeleton {
    struct sink sink;
    struct emitter emitter;
    /* comes before the emitter: if a sample is dropped, it drops rows that only this one refers
     * to */
    struct prune prune;
    struct buf columns; /* the dotted columns that are kept */
};

static void take_row(struct sink *to, struct row *row)
{
    sink_row(&((struct skeleton *)to)->prune.sink, row);
}

/* To drop a sample, do not push it. */
static void take_sample(struct sink *to, struct sample *sample)
{
    struct skeleton *s = (struct skeleton *)to;
    s->columns.n = 0;
    emit_others(&s->columns, sample->extra, STR(".labels"));
    sample->extra = buf_str(&s->columns);
    sink_sample(&s->prune.sink, sample);
}

static void open_skeleton(void *to, struct flow *flow, const void *options, struct out *out)
{
    struct skeleton *s = to;
    (void)options;
    s->sink = (struct sink){flow, take_row, take_sample};
    s->emitter = emitter_of(flow, out);
    s->prune = prune_of(&s->emitter.sink);
}

static void close_skeleton(void *to)
{
    struct skeleton *s = to;
    prune_free(&s->prune); /* the .end rows have passed already */
    buf_free(&s->columns);
}

const struct stage filter_skeleton = {
    .takes = STAGE_TAKES_NUMBERED, /* required by prune.h */
    .state_size = sizeof(struct skeleton),
    .open = open_skeleton,
    .close = close_skeleton,
};
