#include "stream/growth.h"

#include <inttypes.h>

void growth_begin(struct flow *flow, const struct in *in, uint64_t pays, uint64_t max_size)
{
    uint64_t limit = max_size == 0 ? LIMITS_GROWTH : max_size;
    uint64_t repeated = max_size == 0 ? LIMITS_REPEATED : max_size;
    flow->growth = (struct growth){.in = in,
                                   .pays = pays,
                                   .limit = limit,
                                   .allowed = limit,
                                   .may_pass = limit,
                                   .repeated_left = repeated,
                                   .repeated_limit = repeated};
}

static _Noreturn void die_grown(const struct flow *flow, uint64_t limit)
{
    die_as(CODE_TOO_LARGE, flow->where,
           "grows by more than %" PRIu64 " bytes beyond what it spells out" HINT
           "--max-size sets the limit",
           limit);
}

/* LIMIT and PAYS for each of BYTES, or the largest number if that is more. */
static uint64_t allowed_for(uint64_t bytes, uint64_t pays, uint64_t limit)
{
    uint64_t max = UINT64_MAX - limit;
    return limit + (pays > 0 && bytes > max / pays ? max : bytes * pays);
}

void growth_check(struct flow *flow)
{
    struct growth *g = &flow->growth;
    uint64_t paid = g->in == NULL ? 0 : in_seen(g->in);
    g->allowed = allowed_for(paid, LIMITS_BYTE, g->limit);
    g->may_pass = allowed_for(paid, g->pays, g->limit);
    if (g->used > g->allowed || g->passed > g->may_pass)
        die_grown(flow, g->limit);
}

void growth_repeat(struct flow *flow, uint64_t count, uint64_t size, uint64_t paid)
{
    struct growth *g = &flow->growth;
    uint64_t free = paid * LIMITS_BYTE / size;
    count -= count < free ? count : free;
    if (count > g->repeated_left / size)
        die_grown(flow, g->repeated_limit);
    g->repeated_left -= count * size;
}

void growth_expect(struct flow *flow, uint64_t frames)
{
    struct growth *g = &flow->growth;
    if (g->in == NULL)
        return;
    growth_check(flow);
    if (frames > (g->may_pass - g->passed) / LIMITS_FRAME)
        die_grown(flow, g->limit);
}

void growth_check_depth(uint64_t depth, struct place where)
{
    if (depth > LIMITS_FRAMES)
        die_as(CODE_TOO_LARGE, where, LIMITS_FRAMES_TEXT, LIMITS_FRAMES);
}

/* --- the stage --- */

static void count_row(struct sink *to, struct row *row)
{
    struct growth_stage *s = (struct growth_stage *)to;
    size_t size = row->extra.n;
    if (row->table == TABLE_FUNCTIONS)
        size += row->function.name.n + row->function.system_name.n + row->function.filename.n;
    growth_hold(to->flow, size);
    sink_row(s->next, row);
}

/* The size that SAMPLE counts as: itself, and text that it may share with others. */
static uint64_t size_of(const struct sample *sample, const struct value_types *types)
{
    uint64_t size = LIMITS_SAMPLE + sample->extra.n;
    for (size_t i = 0; i < sample->value_count; i++)
        size += value_types_get(types, sample->values[i].type)->lead.n + sample->values[i].extra.n;
    return size;
}

static void count_sample(struct sink *to, struct sample *sample)
{
    struct growth_stage *s = (struct growth_stage *)to;
    growth_check_depth(sample->depth, to->flow->where);
    if (to->flow->growth.in != NULL) {
        to->flow->growth.passed += LIMITS_FRAME * (uint64_t)sample->depth;
        growth_add(to->flow, size_of(sample, &to->flow->types));
        if (to->flow->growth.passed > to->flow->growth.may_pass)
            growth_check(to->flow);
    }
    sink_sample(s->next, sample);
}

struct growth_stage growth_stage_of(struct sink *next)
{
    return (struct growth_stage){{next->flow, count_row, count_sample}, next};
}
