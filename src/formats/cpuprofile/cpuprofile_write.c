/* Profile rows to a profile of V8. See ndjson2cpuprofile(1) for the rules.
 *
 * Nodes come first in such a file, with the number of their samples, and the type whose values are
 * times is known only at the end. So samples wait in a spool, each with its node and values. */
#include "formats/cpuprofile/cpuprofile_write.h"

#include "base/amount.h"
#include "base/mem.h"
#include "base/units.h"
#include "rows/loss.h"

/* --- samples --- */

/* Takes the dotted columns of SAMPLE: the others are losses. Stores its time, INT64_MIN if it has
 * none. Returns the node that it names; 0: none. */
static uint32_t read_columns(struct cpuprofile_writer *w, const struct sample *sample,
                             int64_t *time)
{
    struct row row = {.table = TABLE_SAMPLES, .extra = sample->extra};
    struct members walk = members_of(&row, cpuprofile_place(w), NULL);
    struct member m;
    uint32_t node = 0;
    *time = INT64_MIN;
    while (walk.rest.n > 0 && members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_TIME:
            *time = m.integer;
            w->timed++;
            break;
        case MEMBER_ID_CPUPROFILE_SAMPLE_NODE:
            node = sample->source_id == 1 ? cpuprofile_named_node(w, sample, m.integer) : 0;
            break;
        default:
            if (m.id == MEMBER_ID_OTHER || m.kind != MEMBER_FLAG || m.flag)
                loss_add_column(&row, m.name);
        }
    for (size_t i = 0; sample->location_extras != NULL && i < sample->depth; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
    return node;
}

/* Adds VALUE of SOURCE to those of the sample, and the time that it stands for. */
static void read_value(struct cpuprofile_writer *w, size_t source, struct sample_value *v,
                       size_t *count)
{
    const struct choice_source *of = &w->choice.sources[source - 1];
    struct decimal exact;
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    if (!choice_admit(&w->choice, source, v, &exact, 1))
        return;
    w->values[(*count)++] = (struct cpuprofile_value){v->type, exact};
    if (v->type != w->counts || of->time == 0)
        return;
    choice_note_value(&w->choice, source, of->time, decimal_sign(exact) == 0, 1);
    w->values[(*count)++] = (struct cpuprofile_value){of->time, amount_times(exact, of->period)};
}

/* Whether V says only that its sample is one. */
static bool is_one(const struct cpuprofile_writer *w, const struct sample_value *v)
{
    return v->type == w->counts && v->value.kind == NUMBER_INTEGER && v->value.integer == 1;
}

static void read_values(struct cpuprofile_writer *w, struct sample *sample, size_t *count)
{
    struct place where = cpuprofile_place(w);
    w->values =
        mem_array(w->values, &w->value_capacity, 2 * sample->value_count + 1, sizeof *w->values);
    for (size_t i = 0; i < sample->value_count; i++) {
        struct sample_value *v = &sample->values[i];
        bool is_said = is_one(w, v) && sample->value_count > 1 &&
                       w->choice.sources[sample->source_id - 1].time == 0 && !w->options.type;
        if (v->type == w->counts && v->value.kind == NUMBER_INTEGER && v->value.integer > 0)
            w->count_sum += (uint64_t)v->value.integer;
        w->sink.flow->where = sample_place(sample, where, i);
        if (!is_said)
            read_value(w, (size_t)sample->source_id, v, count);
    }
    w->sink.flow->where = where;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct cpuprofile_writer *w = (struct cpuprofile_writer *)to;
    struct cpuprofile_waiting head = {0};
    size_t count = 0;
    const uint64_t before = w->count_sum;
    if (!w->is_linked)
        cpuprofile_link_nodes(w);
    head.node = read_columns(w, sample, &head.time);
    if (head.node == 0)
        head.node = cpuprofile_node_of(w, sample);
    if (sample->depth > 0)
        head.line = w->places[sample->locations[0] - 1].line;
    w->is_whole &= sample->depth > 0 && (!w->facts.is_timed || head.time != INT64_MIN);
    read_values(w, sample, &count);
    if (head.node != 0 && head.node <= w->kept_count)
        cpuprofile_kept_at(w, head.node)->taken +=
            w->facts.samples >= 0 ? 1 : w->count_sum - before;
    head.values = (uint32_t)count;
    w->sample_count++;
    spool_write(w->spool, (struct str){(const char *)&head, sizeof head});
    spool_write(w->spool, (struct str){(const char *)w->values, count * sizeof *w->values});
}

/* --- samples that wait --- */

bool cpuprofile_length_of(const struct cpuprofile_writer *w, const struct cpuprofile_waiting *head,
                          struct decimal *length)
{
    const struct choice *c = &w->choice;
    *length = decimal_of(1);
    for (uint32_t i = 0; c->chosen != 0 && i < head->values; i++) {
        const struct cpuprofile_value *v = &w->values[i];
        int64_t nanoseconds = units_nanoseconds(c->unit);
        if (c->types[v->type - 1].times == 0)
            continue;
        *length = amount_times(v->amount, c->types[v->type - 1].times);
        if (nanoseconds != 0)
            *length = amount_times(*length, nanoseconds);
        length->exponent -= nanoseconds != 0 ? 3 : 0;
        return decimal_sign(*length) >= 0;
    }
    return c->chosen == 0;
}

bool cpuprofile_next_sample(struct cpuprofile_writer *w, struct cpuprofile_waiting *head)
{
    if (!spool_read(w->spool, head, sizeof *head))
        return false;
    w->values = mem_array(w->values, &w->value_capacity, head->values + 1, sizeof *w->values);
    spool_read(w->spool, w->values, head->values * sizeof *w->values);
    return true;
}

bool cpuprofile_next_written(struct cpuprofile_writer *w, struct cpuprofile_waiting *head,
                             struct decimal *length)
{
    while (cpuprofile_next_sample(w, head))
        if (w->is_whole || cpuprofile_length_of(w, head, length))
            return true;
    return false;
}

/* --- the stage --- */

static void take_row(struct sink *to, struct row *row)
{
    struct cpuprofile_writer *w = (struct cpuprofile_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: cpuprofile_read_location(w, row); break;
    case TABLE_FUNCTIONS: cpuprofile_read_function(w, row); break;
    case TABLE_SOURCES: cpuprofile_read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    case TABLE_MAPPINGS:
        profile_add_mapping(&w->profile, row,
                            cpuprofile_place(w)); /* frames may be called by its file */
        loss_add_row(row);
        break;
    default:
        if (str_equal(row->dotted.name, STR(".cpuprofile_nodes")))
            cpuprofile_read_node(w, row);
        else
            loss_add_row(row);
    }
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct cpuprofile_writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct cpuprofile_write_options *)with;
    choice_check(w->options.type);
    w->profile.stacks.flow = flow;
    w->profile.keep = cpuprofile_keep;
    w->profile.user = w;
    w->facts.samples = -1;
    w->next_id = 1;
    w->counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    w->choice.takes_times = true;
    choice_open(&w->choice, w->options.type, &flow->types);
    w->spool = spool_open();
}

static void close_writer(void *to)
{
    struct cpuprofile_writer *w = to;
    cpuprofile_write_file(w);
    spool_close(w->spool);
    choice_free(&w->choice);
    profile_free(&w->profile);
    stack_tree_free(&w->stacks);
    intern_free(&w->line_keys);
    idmap_free(&w->kept_ids);
    arena_free(&w->arena);
    MEM_FREE(w->owns, w->places, w->nodes, w->firsts, w->kept, w->tallies, w->above, w->lines,
             w->values);
    buf_free(&w->text);
    buf_free(&w->scratch);
}

const struct stage cpuprofile_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct cpuprofile_writer),
    .open = open_writer,
    .close = close_writer,
};
