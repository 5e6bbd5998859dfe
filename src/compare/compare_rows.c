/* profdiff --rows: writes rows in which the values of base are negated, so that their sum is the
 * difference. Samples of base get the label by which pprof recognises them.
 *
 * Samples pass as they come. But if new is scaled, the factor is known only at the end, so distinct
 * stacks of new wait, with their sums. */
#include "base/mem.h"
#include "compare/compare.h"
#include "profile/stacks.h"
#include "rows/emit.h"
#include "rows/left_out.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "stream/emitter.h"

#include <math.h>

/* Identifies samples of new with the same frames. No padding: equal ones are equal bytes. */
struct head {
    uint32_t source, columns;
};

struct rows {
    struct sink sink;
    struct emitter emitter;
    const struct compare_options *options;
    struct buf extra;   /* dotted columns of a sample of base */
    struct buf numbers; /* its values that are not integers */
    bool *is_new;       /* by source - 1 */
    size_t source_count, source_capacity;
    int64_t sample_id; /* of the last sample written */

    /* --normalize */
    struct intern columns, heads; /* dotted columns of samples, and struct head */
    struct stacks stacks;         /* of new, by head */
    double *totals[2];            /* of base and new, by type - 1 */
    size_t total_capacity[2];
    uint32_t *frames;
    struct sums_part *parts;
    struct sample_value *values;
    int64_t *locations;
    size_t frame_capacity, part_capacity, value_capacity, location_capacity;
};

/* --- rows --- */

/* Whether ROW refers to a sample: samples of new are not written unchanged. */
static bool refers_to_sample(const struct rows *r, const struct row *row)
{
    struct members walk = members_references(row, r->sink.flow->where, NULL);
    struct member m;
    while (members_next(&walk, &m))
        if (m.id != MEMBER_ID_OTHER && m.refers == TABLE_SAMPLES)
            return true;
    return false;
}

static void take_row(struct sink *to, struct row *row)
{
    struct rows *r = (struct rows *)to;
    if (row->table == TABLE_SOURCES) {
        r->is_new =
            mem_array(r->is_new, &r->source_capacity, r->source_count + 1, sizeof *r->is_new);
        r->is_new[r->source_count++] = to->flow->input > r->options->base_count;
    }
    if (row->table == TABLE_DOTTED && str_equal(row->dotted.name, LEFT_OUT_TABLE))
        return; /* a difference has no such sums */
    if (row->table == TABLE_DOTTED && r->options->normalize && refers_to_sample(r, row)) {
        loss_add_row(row);
        return;
    }
    sink_row(&r->emitter.sink, row);
}

/* --- base --- */

/* Adds the label for base to the dotted columns of SAMPLE. */
static void label(struct rows *r, struct sample *sample)
{
    const struct str mark = STR("{\"key\":\"pprof::base\",\"str\":\"true\"}]");
    const struct row row = {.table = TABLE_SAMPLES, .extra = sample->extra};
    struct member labels;
    bool has_some = members_get(&row, MEMBER_ID_LABELS, &labels) && labels.value.n > 2;
    r->extra.n = 0;
    emit_others(&r->extra, sample->extra, STR(".labels"));
    emit_member(&r->extra, STR(".labels"));
    if (has_some)
        buf_add(&r->extra, (struct str){labels.value.p, labels.value.n - 1});
    buf_add(&r->extra, has_some ? STR(",") : STR("["));
    buf_add(&r->extra, mark);
    sample->extra = buf_str(&r->extra);
}

/* Negates V. If it is not an integer its text goes to TO, which has room for it. */
static void negate(struct sample_value *v, struct buf *to, struct place where)
{
    struct str real = v->value.real;
    if (v->value.kind == NUMBER_INTEGER) {
        if (v->value.integer == INT64_MIN)
            die_as(CODE_OVERFLOW, where, "the value %lld has no opposite of 64 bits",
                   (long long)v->value.integer);
        v->value.integer = -v->value.integer;
        return;
    }
    if (str_take(&real, STR("-"))) {
        v->value.real = real;
        return;
    }
    size_t start = to->n;
    buf_add(to, STR("-"));
    buf_add(to, real);
    buf_add(to, (struct str){"", 1});
    v->value.real = (struct str){to->p + start, to->n - 1 - start};
}

static void take_base(struct rows *r, struct sample *sample)
{
    size_t room = 0;
    for (size_t i = 0; i < sample->value_count; i++)
        room += sample->values[i].value.kind == NUMBER_REAL ? sample->values[i].value.real.n + 2
                                                            : 0; /* a sign and a NUL */
    r->numbers.n = 0;
    buf_reserve(&r->numbers, room);
    for (size_t i = 0; i < sample->value_count; i++)
        negate(&sample->values[i], &r->numbers, sample_place(sample, r->sink.flow->where, i));
    label(r, sample);
    r->sample_id = sample->sample_id;
    sink_sample(&r->emitter.sink, sample);
}

/* --- new, if it is scaled --- */

static void add_total(struct rows *r, bool is_new, uint32_t type, double value)
{
    r->totals[is_new] =
        mem_array_zeroed(r->totals[is_new], &r->total_capacity[is_new], type, sizeof **r->totals);
    r->totals[is_new][type - 1] += value;
}

static int64_t integer_of(const struct rows *r, const struct sample *sample, size_t i)
{
    return sample_value_integer(&sample->values[i],
                                value_types_get(&r->sink.flow->types, sample->values[i].type),
                                sample_place(sample, r->sink.flow->where, i));
}

/* Dotted columns of values and locations of SAMPLE are lost in a sum. */
static void drop_columns(const struct sample *sample)
{
    for (size_t i = 0; i < sample->value_count; i++)
        loss_add_extra(TABLE_SAMPLE_VALUES, sample->values[i].extra);
    for (size_t i = 0; i < sample->depth && sample->location_extras != NULL; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
}

static void hold(struct rows *r, struct sample *sample)
{
    struct head head = {.source = (uint32_t)sample->source_id};
    size_t count = sample->value_count;
    if (sample->extra.n > 0)
        head.columns = intern_add(&r->columns, sample->extra, NULL);
    drop_columns(sample);
    r->parts = mem_array(r->parts, &r->part_capacity, count + 1, sizeof *r->parts);
    for (size_t i = 0; i < count; i++) {
        int64_t value = integer_of(r, sample, i);
        r->parts[i] = (struct sums_part){.column = sample->values[i].type - 1, .n = value};
        add_total(r, true, sample->values[i].type, (double)value);
    }
    r->frames = mem_array(r->frames, &r->frame_capacity, sample->depth + 1, sizeof *r->frames);
    for (size_t i = 0; i < sample->depth; i++)
        r->frames[i] = (uint32_t)sample->locations[i];
    stacks_add(&r->stacks, intern_add(&r->heads, (struct str){(char *)&head, sizeof head}, NULL),
               r->frames, sample->depth, r->parts, count);
}

/* The factor for values of type NUMBER; as in pprof it is 0 if a side has none. */
static double ratio_of(const struct rows *r, uint32_t number)
{
    double total[2];
    for (int side = 0; side < 2; side++)
        total[side] = number > r->total_capacity[side] ? 0 : r->totals[side][number - 1];
    return total[1] == 0 ? 0 : total[0] / total[1];
}

/* Sets r->values to the scaled values of stack NUMBER; returns their number. *ANY: one is not 0. */
static size_t scale(struct rows *r, uint32_t number, bool *any)
{
    struct sums_walk walk = {.row = number};
    struct sums_part part;
    size_t count = 0;
    *any = false;
    while (sums_next(&r->stacks.sums, &walk, &part)) {
        double value = round((double)part.n * ratio_of(r, part.column + 1));
        if (part.high || fabs(value) >= 0x1p63)
            die(CODE_OVERFLOW, "the sum of \"%.*s\" in a stack does not fit 64 bits",
                STR_ARG(value_types_get(&r->sink.flow->types, part.column + 1)->type));
        r->values = mem_array(r->values, &r->value_capacity, count + 1, sizeof *r->values);
        r->values[count++] =
            (struct sample_value){.type = part.column + 1, .value = number_of((int64_t)value)};
        *any |= value != 0;
    }
    return count;
}

/* Writes the waiting stacks. As in pprof a sample whose values all round to 0 is not written. */
static void finish_rows(void *to)
{
    struct rows *r = to;
    struct stacks_pass pass = {0};
    stacks_offset place;
    bool any;
    stacks_finish(&r->stacks);
    while (stacks_next(&r->stacks, &pass, &place)) {
        struct stacks_stack stack = stacks_at(&r->stacks, place);
        struct sample sample = {.value_count = scale(r, stack.number, &any), .depth = stack.depth};
        struct head head;
        memcpy(&head, intern_get(&r->heads, stack.labels).p, sizeof head);
        if (!any)
            continue;
        r->locations =
            mem_array(r->locations, &r->location_capacity, stack.depth + 1, sizeof *r->locations);
        for (size_t i = 0; i < stack.depth; i++)
            r->locations[i] = stacks_frame(&stack, i);
        sample.sample_id = ++r->sample_id;
        sample.source_id = head.source;
        sample.extra = head.columns == 0 ? STR("") : intern_get(&r->columns, head.columns);
        sample.values = r->values;
        sample.locations = r->locations;
        sink_sample(&r->emitter.sink, &sample);
    }
}

/* --- the stage --- */

static void take_sample(struct sink *to, struct sample *sample)
{
    struct rows *r = (struct rows *)to;
    bool is_new = r->is_new[sample->source_id - 1];
    if (is_new && r->options->normalize) {
        hold(r, sample);
        return;
    }
    if (r->options->normalize)
        for (size_t i = 0; i < sample->value_count; i++)
            add_total(r, false, sample->values[i].type, (double)integer_of(r, sample, i));
    if (is_new)
        sink_sample(&r->emitter.sink, sample);
    else
        take_base(r, sample);
}

static void open_rows(void *to, struct flow *flow, const void *options, struct out *out)
{
    struct rows *r = to;
    r->sink = (struct sink){flow, take_row, take_sample};
    r->emitter = emitter_of(flow, out);
    r->stacks.flow = flow;
    r->options = options;
}

static void close_rows(void *to)
{
    struct rows *r = to;
    buf_free(&r->extra);
    buf_free(&r->numbers);
    mem_free(r->is_new);
    intern_free(&r->columns);
    intern_free(&r->heads);
    stacks_free(&r->stacks);
    mem_free(r->totals[0]);
    mem_free(r->totals[1]);
    mem_free(r->frames);
    mem_free(r->parts);
    mem_free(r->values);
    mem_free(r->locations);
}

const struct stage compare_rows_stage = {
    .takes = STAGE_TAKES_MERGED,
    .state_size = sizeof(struct rows),
    .open = open_rows,
    .finish = finish_rows,
    .close = close_rows,
};
