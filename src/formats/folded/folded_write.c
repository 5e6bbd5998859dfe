/* Profile rows to folded stacks.  See ndjson2folded(1) for the rules.
 *
 * Frames become text when they are read, and stacks are lists of numbers of that: stacks that read
 * equal are equal, whatever rows they are of.  Which type is written shows at the end, so all are
 * added up. */
#include "formats/folded/folded_write.h"

#include "base/mem.h"
#include "rows/loss.h"

/* Gives the sample the value V. */
static void read_value(struct folded_writer *w, struct folded_source *source,
                       struct sample_value *v)
{
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    if (folded_leave_level(w, source, v->type))
        return;
    if (w->wanted_unit.n == 0)
        sample_value_refine(v, &w->sink.flow->types);
    folded_note_value(w, source, v->type);
    int64_t value =
        sample_value_integer(v, value_types_get(&w->sink.flow->types, v->type), folded_place(w));
    uint32_t column = (v->type - 1) * FOLDED_SUMS;
    w->parts[w->part_count++] =
        value == 0 ? (struct sums_part){.column = column + FOLDED_ZEROS, .n = 1}
                   : (struct sums_part){.column = column + source->side, .n = value};
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct folded_writer *w = (struct folded_writer *)to;
    struct folded_source *source = &w->sources[sample->source_id - 1];
    struct place where = to->flow->where;
    w->part_count = 0;
    w->parts = mem_array(w->parts, &w->part_capacity, sample->value_count, sizeof *w->parts);
    for (size_t i = 0; i < sample->value_count; i++) {
        to->flow->where = sample_place(sample, where, i);
        read_value(w, source, &sample->values[i]);
    }
    to->flow->where = where;
    loss_add_sample(sample, where);
    folded_read_stack(w, sample->locations, sample->depth);
    if (w->depth == 0)
        loss_add(LOSS_NO_STACK, STR("samples"), 1);
    else if (sample->value_count == 0)
        loss_add(LOSS_NO_COUNT, STR("samples"), 1);
    else if (w->part_count > 0)
        folded_keep_sample(w);
}

static void take_row(struct sink *to, struct row *row)
{
    struct folded_writer *w = (struct folded_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: folded_read_location(w, row); break;
    case TABLE_FUNCTIONS: folded_read_function(w, row); break;
    case TABLE_MAPPINGS: folded_read_mapping(w, row); break;
    case TABLE_SOURCES: folded_read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    default: loss_add_row(row);
    }
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct folded_writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct folded_write_options *)with;
    flow->adds_up = !w->options.each;
    w->profile.keep = folded_keep;
    w->profile.user = w;
    folded_want_type(w);
    if (w->options.each)
        w->spool = spool_open();
}

static void close_writer(void *to)
{
    struct folded_writer *w = to;
    stacks_settle(&w->profile.stacks);
    folded_settle_types(w);
    folded_write_lines(w);
    for (size_t i = 0; i < w->source_count; i++)
        mem_free(w->sources[i].gauges);
    void *blocks[] = {w->sources,   w->types, w->mapped, w->names,
                      w->locations, w->ends,  w->stack,  w->parts};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    struct buf *bufs[] = {&w->wanted[0], &w->wanted[1], &w->text, &w->scratch};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    intern_free(&w->texts);
    arena_free(&w->arena);
    profile_free(&w->profile);
}

const struct stage folded_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct folded_writer),
    .open = open_writer,
    .close = close_writer,
};
