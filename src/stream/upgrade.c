#include "stream/upgrade.h"

#include "base/mem.h"
#include "rows/hidden.h"
#include "rows/stack.h"
#include "stream/growth.h"
#include "stream/stream.h"

static struct str source_type(const struct upgrade *u)
{
    return u->request.source_type != NULL ? str_of(u->request.source_type)
           : u->hidden_type.n > 0         ? u->hidden_type
                                          : STR("manual");
}

/* Copies the locations of STACK to u->stack; returns how many. */
static size_t read_stack(struct upgrade *u, struct str stack)
{
    size_t depth = 0;
    for (int64_t id; stack_next(&stack, &id); depth++) {
        u->stack = mem_array(u->stack, &u->stack_capacity, depth + 1, sizeof *u->stack);
        u->stack[depth] = id;
    }
    return depth;
}

/* How many samples RUN, with DEPTH frames, becomes.  The input spells out one of them. */
static int64_t repetitions(const struct upgrade *u, const struct row *streak, size_t depth)
{
    if (u->sink.flow->adds_up)
        return 1;
    growth_repeat(u->sink.flow, (uint64_t)streak->streak.value - 1,
                  LIMITS_SAMPLE + LIMITS_FRAME_REPEATED * (uint64_t)depth + streak->extra.n,
                  streak->streak.locations.n + streak->extra.n);
    return streak->streak.value;
}

/* Pushes all samples of RUN. */
static void repeat(struct upgrade *u, const struct row *streak)
{
    if (u->count_type == 0)
        u->count_type = value_types_add(&u->sink.flow->types, STR("samples"), STR("count"));
    int64_t count = repetitions(u, streak, read_stack(u, streak->streak.locations));
    for (int64_t i = 0; i < count; i++) {
        struct sample_value value = {u->count_type,
                                     number_of(count == 1 ? streak->streak.value : 1), STR("")};
        struct sample sample = {
            .sample_id = ++u->sample_id,
            .source_id = 1,
            .extra = streak->extra,
            .values = &value,
            .value_count = 1,
            .depth =
                read_stack(u, streak->streak.locations), /* the last receiver may have changed it */
        };
        sample.locations = u->stack;
        sink_sample(u->next, &sample);
    }
}

static void take_old(struct upgrade *u, struct row *row)
{
    switch (row->table) {
    case TABLE_META:
        u->hidden_type = STR("");
        u->sample_id = 0;
        row->meta.value = STR("2.0");
        break;
    case TABLE_SAMPLE_TYPES: {
        struct str extra = row->extra;
        *row = (struct row){.table = TABLE_SOURCES,
                            .source = {.source_id = 1, .source_type = source_type(u)},
                            .extra = extra};
        break;
    }
    case TABLE_STREAKS: repeat(u, row); return;
    case TABLE_DOTTED:
        if (hidden_named(row->dotted.name) != NULL)
            u->hidden_type = hidden_named(row->dotted.name)->source_type;
        break;
    default: break;
    }
    sink_row(u->next, row);
}

static void take_row(struct sink *to, struct row *row)
{
    struct upgrade *u = (struct upgrade *)to;
    if (row->table == TABLE_META)
        u->is_old = stream_version(row->meta.value) == VERSION_1;
    if (u->is_old)
        take_old(u, row);
    else
        sink_row(u->next, row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    sink_sample(((struct upgrade *)to)->next, sample);
}

struct upgrade upgrade_of(struct sink *next, const struct upgrade_request *request)
{
    return (struct upgrade){
        .sink = {next->flow, take_row, take_sample}, .next = next, .request = *request};
}

void upgrade_free(struct upgrade *u)
{
    mem_free(u->stack);
}
