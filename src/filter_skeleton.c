/* A filter to copy: takes the labels off the samples and passes everything else on.
 *
 * To add a filter: copy this file to filter_NAME.c and bin/profcat.c to bin/profNAME.c, declare
 * filter_NAME in filter.h, and add each file to the list in its meson.build. */
#include "emit.h"
#include "filter.h"
#include "mem.h"

/* What it keeps between rows; freed in finish. */
struct skeleton {
    struct buf columns; /* the dotted columns that stay */
};

static void strip_labels(void *state, struct row *row, struct out *out)
{
    struct skeleton *s = state;
    if (row->table == TABLE_SAMPLES) {
        s->columns.n = 0;
        emit_others(&s->columns, row->extra, STR(".labels"));
        row->extra = buf_str(&s->columns);
    }
    emit_row(out, row);
}

static void finish(void *state, struct out *out)
{
    (void)out; /* the .end rows have passed like all others */
    struct skeleton *s = state;
    buf_free(&s->columns);
}

const struct filter filter_skeleton = {
    .reads = FILTER_READS_2,
    .state_size = sizeof(struct skeleton),
    .row = strip_labels,
    .end = finish,
};
