/* Profile rows to folded stacks. See ndjson2folded(1) for the rules.
 *
 * Frames become text when their rows are read. A stack is a list of numbers of texts, so stacks
 * with the same text are equal, whatever their rows. The type to write is known only at the end, so
 * all types are added up. */
#include "formats/folded/folded_write.h"

#include "base/mem.h"
#include "base/units.h"
#include "rows/loss.h"

/* Adds X, a value of TYPE, to the sample of SOURCE. */
static void add_value(struct folded_writer *w, size_t source, uint32_t type, struct decimal x)
{
    uint32_t column = (type - 1) * FOLDED_SUMS;
    if (decimal_sign(x) != 0)
        w->part_count += amount_split(&w->digits, column + w->sources[source - 1].side, x,
                                      w->parts + w->part_count);
    else
        w->parts[w->part_count++] = (struct sums_part){.column = column + FOLDED_ZEROS, .n = 1};
}

/* Adds the value V to the sample, and the time it stands for. */
static void read_value(struct folded_writer *w, size_t source, struct sample_value *v)
{
    struct decimal exact;
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    if (!choice_admit(&w->choice, source, v, &exact))
        return;
    add_value(w, source, v->type, exact);
    const struct choice_source *of = &w->choice.sources[source - 1];
    if (v->type != w->counts || of->time == 0)
        return;
    choice_note_value(&w->choice, source, of->time, decimal_sign(exact) == 0);
    add_value(w, source, of->time, amount_times(exact, of->period));
}

static void take_sample(struct sink *to, struct sample *sample)
{
    enum { PARTS = 2 * AMOUNT_PARTS }; /* max parts per value: of itself and of a time */
    struct folded_writer *w = (struct folded_writer *)to;
    struct place where = to->flow->where;
    w->part_count = 0;
    w->parts =
        mem_array(w->parts, &w->part_capacity, sample->value_count * PARTS, sizeof *w->parts);
    for (size_t i = 0; i < sample->value_count; i++) {
        to->flow->where = sample_place(sample, where, i);
        read_value(w, (size_t)sample->source_id, &sample->values[i]);
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

void folded_check_write_options(const struct folded_write_options *options)
{
    choice_check(options->type);
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
    w->counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    w->choice.takes_times = true;
    choice_open(&w->choice, w->options.type, &flow->types);
    if (w->options.each)
        w->spool = spool_open();
}

/* Counts the name of the written type as lost, unless readers assume it anyway. */
static void count_name(const struct folded_writer *w)
{
    if (w->choice.chosen == 0)
        return;
    const struct value_type *t = value_types_get(&w->sink.flow->types, w->choice.chosen);
    if (!str_equal(t->type, STR("samples")) || !str_equal(t->unit, STR("count")))
        loss_add(LOSS_FACTS, STR(".value_types"), 1);
}

/* Lines count samples. But if samples stand for different times, lines have those times, in
 * microseconds. */
static void finish_unit(struct folded_writer *w)
{
    struct choice *c = &w->choice;
    if (w->options.type != NULL || !choice_is_time(c) || choice_take_counts(c))
        return;
    static const struct str units[] = {STR("seconds"), STR("milliseconds"), STR("microseconds"),
                                       STR("nanoseconds")};
    enum { MICRO = -6 };
    for (int i = 0; i < (int)(sizeof units / sizeof *units); i++)
        if (units_in(c->unit, units[i]) == 1)
            w->power = MICRO + 3 * i;
    warn("samples stand for different times: lines hold %s of \"%.*s\"",
         units_in(c->unit, STR("nanoseconds")) > 0 ? "microseconds" : "units",
         STR_ARG(value_types_get(c->names, c->chosen)->type));
}

static void close_writer(void *to)
{
    struct folded_writer *w = to;
    stacks_finish(&w->profile.stacks);
    choice_finish(&w->choice);
    finish_unit(w);
    choice_count_others(&w->choice);
    choice_warn(&w->choice);
    count_name(w);
    folded_write_lines(w);
    void *blocks[] = {w->sources, w->mapped, w->names, w->locations, w->ends, w->stack, w->parts};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    buf_free(&w->text);
    buf_free(&w->scratch);
    intern_free(&w->texts);
    amount_free(&w->digits);
    choice_free(&w->choice);
    profile_free(&w->profile);
}

const struct stage folded_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct folded_writer),
    .open = open_writer,
    .close = close_writer,
};
