/* prof2to1: profiles of version 2.0 become profiles of version 1.0.  Those that are pass. */
#include "downgrade.h"
#include "emit.h"
#include "filter.h"
#include "stream.h"

struct state {
    struct downgrade downgrade;
    bool passing; /* this profile is of version 1 */
};

static void take(void *to, struct row *row, struct out *out)
{
    struct state *s = to;
    s->downgrade.out = out;
    if (row->table == TABLE_META)
        s->passing = stream_version(row->meta.value) == VERSION_1;
    if (s->passing)
        emit_row(out, row);
    else
        downgrade_row(&s->downgrade, row);
}

static void end(void *to, struct out *out)
{
    struct state *s = to;
    s->downgrade.out = out;
    downgrade_end(&s->downgrade);
}

const struct filter filter_2to1 = {
    .reads = FILTER_READS_ANY,
    .promises = true,
    .state_size = sizeof(struct state),
    .row = take,
    .end = end,
};
