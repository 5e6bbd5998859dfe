/* prof2to1: converts profiles of version 2.0 to version 1.0. Profiles of version 1.0 pass
 * unchanged. */
#include "filters/filters.h"
#include "rows/emit.h"
#include "stream/downgrade.h"
#include "stream/emitter.h"
#include "stream/stream.h"

struct state {
    struct sink sink;
    struct emitter emitter;
    struct downgrade downgrade;
    bool passing; /* the current profile has version 1.0 */
};

static void take_row(struct sink *to, struct row *row)
{
    struct state *s = (struct state *)to;
    if (row->table == TABLE_META)
        s->passing = stream_version(row->meta.value) == VERSION_1;
    sink_row(s->passing ? &s->emitter.sink : &s->downgrade.sink, row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    sink_sample(&((struct state *)to)->downgrade.sink, sample);
}

static void open_2to1(void *to, struct flow *flow, const void *options, struct out *out)
{
    (void)options;
    *(struct state *)to = (struct state){
        {flow, take_row, take_sample}, emitter_of(flow, out), downgrade_of(flow, out), false};
}

static void close_2to1(void *to)
{
    downgrade_end(&((struct state *)to)->downgrade);
}

const struct stage filter_2to1 = {
    .takes = STAGE_TAKES_ANY,
    .state_size = sizeof(struct state),
    .open = open_2to1,
    .close = close_2to1,
};
