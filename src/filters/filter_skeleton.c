/* A filter to copy: takes the labels off the samples and passes everything else on.
 *
 * To add a filter: copy this file to filter_NAME.c, declare filter_NAME in filters.h and add the file to
 * meson.build.  Copy bin/profcat.c to bin/profNAME.c, and add that to bin/tools.  profpipe(7) says
 * what else there is to do. */
#include "base/buf.h"
#include "filters/filters.h"
#include "rows/emit.h"
#include "stream/emitter.h"

/* What it keeps; freed in close_skeleton. */
struct skeleton {
    struct sink sink;
    struct emitter emitter;
    struct buf columns; /* the dotted columns that stay */
};

static void pass_row(struct sink *to, struct row *row)
{
    sink_row(&((struct skeleton *)to)->emitter.sink, row);
}

static void strip_labels(struct sink *to, struct sample *sample)
{
    struct skeleton *s = (struct skeleton *)to;
    s->columns.n = 0;
    emit_others(&s->columns, sample->extra, STR(".labels"));
    sample->extra = buf_str(&s->columns);
    sink_sample(&s->emitter.sink, sample);
}

static void open_skeleton(void *to, struct flow *flow, const void *options, struct out *out)
{
    (void)options;
    *(struct skeleton *)to =
        (struct skeleton){{flow, pass_row, strip_labels}, emitter_of(flow, out), {0}};
}

static void close_skeleton(void *to)
{
    buf_free(&((struct skeleton *)to)->columns); /* the .end rows have passed like all others */
}

const struct stage filter_skeleton = {
    .takes = STAGE_TAKES_EACH,
    .state_size = sizeof(struct skeleton),
    .open = open_skeleton,
    .close = close_skeleton,
};
