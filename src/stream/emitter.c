#include "stream/emitter.h"

#include "rows/emit.h"

static void emitter_row(struct sink *to, struct row *row)
{
    struct out *out = ((struct emitter *)to)->out;
    emit_row(out, row);
    if (row->table == TABLE_META)
        out_finish(out);
}

static void emitter_sample(struct sink *to, struct sample *sample)
{
    emit_sample(((struct emitter *)to)->out, &to->flow->types, sample);
}

struct emitter emitter_of(struct flow *flow, struct out *out)
{
    return (struct emitter){{flow, emitter_row, emitter_sample}, out};
}

void emitter_open(void *state, struct flow *flow, const void *options, struct out *out)
{
    (void)options;
    *(struct emitter *)state = emitter_of(flow, out);
}
