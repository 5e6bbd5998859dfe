/* profagg: merges equal samples and adds up their values. Definitions pass unchanged, or are made
 * coarser. Samples are added up in a table and written at the end; or, for neighbours only, as soon
 * as a different sample comes. */
#include "base/mem.h"
#include "filters/agg_entries.h"
#include "filters/agg_extras.h"
#include "filters/agg_labels.h"
#include "filters/agg_names.h"
#include "filters/agg_sources.h"
#include "filters/agg_values.h"
#include "filters/filters.h"
#include "profile/stacks.h"
#include "rows/emit.h"
#include "rows/left_out.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "stream/emitter.h"
#include "stream/prune.h"

/* Identifies samples with the same stack. No padding. */
struct head {
    uint32_t source; /* 0: all sources are merged */
    uint32_t set;    /* of dotted columns */
};

struct agg {
    struct sink sink;
    struct emitter emitter;
    struct prune prune;     /* if inlined frames are left out: passes the rest on to the emitter */
    struct sink *out;       /* where all goes: the emitter or prune */
    struct agg_names names; /* passes rows on to it */
    const struct agg_options *options;
    struct agg_values values;
    struct agg_extras extras;
    struct agg_entries entries; /* if frames are made coarser */
    struct agg_labels labels;   /* frames made of them */
    struct agg_sources sources; /* if sources are merged */
    struct derive derive;       /* the time of samples */
    bool times_differ;          /* the time per sample differs between sources */
    int64_t sample_id;          /* of the last sample written */
    bool has_warned;            /* of totals */

    bool *inlined; /* by location - 1, if inlined frames are left out */
    size_t inlined_capacity;

    /* The stack of the current sample, or of the one being written. */
    int64_t *frames;
    size_t frame_capacity;

    /* All samples; or */
    struct intern heads;
    struct stacks stacks;
    uint32_t *stack;
    size_t stack_capacity;

    /* the samples of the current streak. */
    bool in_streak;
    struct head streak;
    int64_t *streak_frames;
    size_t streak_depth, streak_capacity;
};

/* --- rows --- */

/* Whether ROW refers to rows that are not written unchanged. */
static bool refers_to_dropped(const struct agg *a, const struct row *row)
{
    struct members walk = members_references(row, a->sink.flow->where, NULL);
    struct member m;
    while (members_next(&walk, &m)) {
        if (m.id == MEMBER_ID_OTHER)
            continue;
        if (m.refers == TABLE_SAMPLES ||
            (m.refers == TABLE_SOURCES && a->options->across_sources) ||
            (m.refers != TABLE_SOURCES && a->entries.by != AGG_BY_ALL))
            return true;
    }
    return false;
}

/* The factor of TYPE, or NULL. */
static struct agg_scale *scale_of(const struct agg *a, struct str type)
{
    for (size_t i = 0; i < a->options->scale_count; i++)
        if (str_equal(a->options->scales[i].type, type))
            return &a->options->scales[i];
    return NULL;
}

/* Adds the time of the samples in the source ROW to its types, if values of it are requested or may
 * be needed. Merged sources may have different times per sample. */
static void derive(struct agg *a, struct row *row)
{
    struct derive_time *time = derive_source(&a->derive, row);
    const struct derive_time *first = &a->derive.times[0];
    a->times_differ |= time->type != first->type || time->period != first->period;
    if (time->type == 0)
        return;
    struct str type = value_types_get(&a->sink.flow->types, time->type)->type;
    const struct agg_scale *own = scale_of(a, type), *counts = scale_of(a, STR("samples"));
    a->times_differ |= own != NULL;
    if (own == NULL && counts != NULL)
        time->each = decimal_multiply(time->each, counts->factor);
    if (own != NULL || a->options->across_sources)
        derive_list(&a->derive, row);
}

/* Warns once where OF counts calls, and what they cost does not follow what is done to functions or to
 * values. */
static void warn_of_totals(struct agg *a, const struct profile_source *of)
{
    const struct agg_options *o = a->options;
    if (a->has_warned || !profile_counts_calls(of) ||
        (a->entries.by == AGG_BY_ALL && o->roots.count == 0 && o->leaves.count == 0 &&
         !o->normalizes && o->scale_count == 0))
        return;
    a->has_warned = true;
    warn(CODE_NOT_SHOWN,
         "the input has calls, not stacks: its inclusive values are added up as all others, so "
         "totals may be wrong");
}

static void take_source(struct agg *a, struct row *row)
{
    derive(a, row);
    warn_of_totals(a, &a->derive.profile.sources[a->derive.profile.source_count - 1]);
    agg_values_source(&a->values, row);
    agg_labels_source(&a->labels, row, a->sink.flow->where);
    if (a->options->across_sources)
        agg_sources_add(&a->sources, row);
    else
        sink_row(&a->names.sink, row);
    if (a->entries.by != AGG_BY_ALL)
        agg_entries_add(&a->entries, row);
}

static void note_inlined(struct agg *a, const struct row *row)
{
    const size_t id = (size_t)row->location.location_id;
    a->inlined = mem_array(a->inlined, &a->inlined_capacity, id, sizeof *a->inlined);
    a->inlined[id - 1] = row->site.inlined_into != 0;
}

static void take_row(struct sink *to, struct row *row)
{
    struct agg *a = (struct agg *)to;
    switch (row->table) {
    case TABLE_SOURCES: take_source(a, row); return;
    case TABLE_MAPPINGS:
    case TABLE_FUNCTIONS:
    case TABLE_LOCATIONS:
        if (row->table == TABLE_LOCATIONS && a->options->drops_inlined)
            note_inlined(a, row);
        if (a->entries.by == AGG_BY_ALL)
            break;
        agg_entries_add(&a->entries, row);
        return;
    case TABLE_DOTTED:
        if ((a->options->normalizes || a->options->scale_count > 0) &&
            str_equal(row->dotted.name, LEFT_OUT_TABLE))
            return; /* it is not of the values that there are now */
        if (!refers_to_dropped(a, row))
            break;
        loss_add_row(row);
        return;
    default: break;
    }
    sink_row(&a->names.sink, row);
}

/* --- merged samples --- */

/* Writes a->values as samples of HEAD with DEPTH frames at FRAMES: one sample, or more if a type
 * comes in several units. */
static void write_sample(struct agg *a, struct head head, int64_t *frames, size_t depth)
{
    struct sample sample = {
        .source_id = head.source == 0 ? 1 : head.source,
        .extra = agg_extras_get(&a->extras, head.set),
        .locations = frames,
        .depth = depth,
    };
    uint32_t type;
    do {
        sample.sample_id = ++a->sample_id;
        if (!agg_values_take(&a->values, &sample, &type)) {
            struct str name = value_types_get(&a->sink.flow->types, type)->type;
            struct str leaf = depth == 0 ? STR("") : agg_names_get(&a->names, frames[0]);
            die(CODE_OVERFLOW, "the sum of \"%.*s\" in \"%.*s\" does not fit 64 bits",
                STR_ARG(name), STR_ARG(leaf));
        }
        sink_sample(a->out, &sample);
    } while (a->values.total_count > 0);
}

/* --- all samples, in a table --- */

static void add_to_table(struct agg *a, const struct sample *sample, struct head head,
                         const int64_t *frames, size_t depth)
{
    uint32_t number = intern_add(&a->heads, (struct str){(const char *)&head, sizeof head}, NULL);
    a->stack = mem_array(a->stack, &a->stack_capacity, depth + 1, sizeof *a->stack);
    for (size_t i = 0; i < depth; i++)
        a->stack[i] = (uint32_t)frames[i];
    agg_values_read(&a->values, sample);
    stacks_add(&a->stacks, number, a->stack, depth, a->values.parts, a->values.part_count);
    if (a->values.has_levels) {
        stacks_finish(&a->stacks);
        agg_values_keep_levels(&a->values, sample, a->stacks.last);
    }
}

/* Moves to the next stack of PASS: sets *STACK, its sums in a->values, and *HEAD. False after the
 * last. */
static bool next_stack(struct agg *a, struct stacks_pass *pass, struct stacks_stack *stack,
                       struct head *head)
{
    stacks_offset place;
    if (!stacks_next(&a->stacks, pass, &place))
        return false;
    *stack = stacks_at(&a->stacks, place);
    memcpy(head, intern_get(&a->heads, stack->labels).p, sizeof *head);
    agg_values_begin(&a->values);
    agg_values_add_sums(&a->values, &a->stacks.sums, stack->number, head->source);
    return true;
}

static void normalize(struct agg *a)
{
    struct stacks_pass pass = {0};
    struct stacks_stack stack;
    struct head head;
    while (next_stack(a, &pass, &stack, &head))
        agg_values_note(&a->values);
    agg_values_normalize(&a->values);
}

static void write_table(struct agg *a)
{
    struct stacks_pass pass = {0};
    struct stacks_stack stack;
    struct head head;
    stacks_finish(&a->stacks);
    if (a->options->normalizes)
        normalize(a);
    while (next_stack(a, &pass, &stack, &head)) {
        a->frames = mem_array(a->frames, &a->frame_capacity, stack.depth + 1, sizeof *a->frames);
        for (size_t i = 0; i < stack.depth; i++)
            a->frames[i] = agg_labels_location(&a->labels, stacks_frame(&stack, i));
        write_sample(a, head, a->frames, stack.depth);
    }
}

/* --- streaks of neighbours --- */

static void end_streak(struct agg *a)
{
    if (a->in_streak)
        write_sample(a, a->streak, a->streak_frames, a->streak_depth);
    a->in_streak = false;
}

static void add_to_streak(struct agg *a, const struct sample *sample, struct head head,
                          const int64_t *frames, size_t depth)
{
    if (!a->in_streak || head.source != a->streak.source || head.set != a->streak.set ||
        depth != a->streak_depth ||
        (depth > 0 && memcmp(frames, a->streak_frames, depth * sizeof *frames) != 0)) {
        end_streak(a);
        agg_values_begin(&a->values);
        a->streak_frames =
            mem_array(a->streak_frames, &a->streak_capacity, depth + 1, sizeof *a->streak_frames);
        if (depth > 0)
            memcpy(a->streak_frames, frames, depth * sizeof *frames);
        a->streak = head;
        a->streak_depth = depth;
        a->in_streak = true;
    }
    agg_values_add(&a->values, sample);
}

/* --- the stage --- */

/* Adds SAMPLE; TYPE is that of its only value, if a frame is made of it. */
static void add_sample(struct agg *a, const struct sample *sample, struct head head,
                       struct str type)
{
    const int64_t *frames = sample->locations;
    size_t depth = sample->depth;
    const size_t leaves = a->labels.count - a->labels.root_count;
    if (a->entries.by != AGG_BY_ALL || a->labels.count > 0) {
        a->frames = mem_array(a->frames, &a->frame_capacity, depth + 1 + a->labels.count,
                              sizeof *a->frames);
        frames = a->frames;
        if (a->entries.by != AGG_BY_ALL)
            depth = agg_entries_stack(&a->entries, sample, a->frames + leaves);
        else if (depth > 0)
            memcpy(a->frames + leaves, sample->locations, depth * sizeof *a->frames);
    }
    if (a->labels.count > 0)
        depth = agg_labels_wrap(&a->labels, sample, type, a->sink.flow->where, a->frames, depth);
    if (a->options->consecutive)
        add_to_streak(a, sample, head, frames, depth);
    else
        add_to_table(a, sample, head, frames, depth);
}

/* The type that a frame shows for value I of SAMPLE. A count of samples beside one other value, as
 * events of perf have it, is of that. */
static struct str type_of(const struct agg *a, const struct sample *sample, size_t i)
{
    const struct value_types *types = &a->sink.flow->types;
    const struct value_type *t = value_types_get(types, sample->values[i].type);
    const bool is_count = str_equal(t->type, STR("samples")) && str_equal(t->unit, STR("count"));
    return is_count && sample->value_count == 2
               ? value_types_get(types, sample->values[1 - i].type)->type
               : t->type;
}

/* Adds SAMPLE as one sample for each of its values. */
static void add_each_type(struct agg *a, const struct sample *sample, struct head head)
{
    struct sample one = *sample;
    one.value_count = 1;
    for (size_t i = 0; i < sample->value_count; i++, one.values++)
        add_sample(a, &one, head, type_of(a, sample, i));
}

/* Leaves the frames of SAMPLE that are not inlined. */
static void drop_inlined(const struct agg *a, struct sample *sample)
{
    size_t kept = 0;
    for (size_t i = 0; i < sample->depth; i++)
        if (!a->inlined[sample->locations[i] - 1])
            sample->locations[kept++] = sample->locations[i];
    sample->depth = kept;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct agg *a = (struct agg *)to;
    if (sample_added(sample) == 0)
        return; /* what it counts comes as sums */
    sample = derive_sample(&a->derive, sample);
    struct head head = {
        .source = a->options->across_sources ? 0 : (uint32_t)sample->source_id,
        .set = agg_extras_add(&a->extras, a->options, sample->extra, to->flow->where),
    };
    for (size_t i = 0; sample->location_extras != NULL && i < sample->depth; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
    if (a->options->drops_inlined)
        drop_inlined(a, sample);
    if (a->labels.has_type)
        add_each_type(a, sample, head);
    else
        add_sample(a, sample, head, STR(""));
}

static void open_agg(void *to, struct flow *flow, const void *with, struct out *out)
{
    static const struct agg_options none;
    struct agg *a = to;
    a->options = with == NULL ? &none : with;
    a->sink = (struct sink){flow, take_row, take_sample};
    a->emitter = emitter_of(flow, out);
    a->prune = prune_of(&a->emitter.sink);
    a->out = a->options->drops_inlined ? &a->prune.sink : &a->emitter.sink;
    a->names = agg_names_of(a->out);
    a->entries.by = agg_parse_by(a->options->by);
    a->entries.next = &a->names.sink;
    agg_labels_open(&a->labels, &a->options->roots, &a->options->leaves);
    a->derive.flow = flow;
    a->stacks.flow = flow;
    a->values = (struct agg_values){
        .flow = flow,
        .derive = &a->derive,
        .gauge = agg_parse_gauge(a->options->gauge),
        .is_one_source = a->options->across_sources,
        .scales = a->options->scales,
        .scale_count = a->options->scale_count,
    };
    flow->adds_up = true;
    flow->takes_sums = a->options->across_sources && !a->options->consecutive &&
                       a->values.gauge == AGG_GAUGE_NONE && a->labels.count == 0 &&
                       a->entries.by != AGG_BY_SOURCE;
}

/* If all samples stand for the same time, the merged source has it as its period, and values would
 * only repeat it. */
static void drop_time(struct agg *a)
{
    uint32_t number = a->derive.times[0].type;
    if (number == 0)
        return;
    a->values.dropped = number;
    agg_sources_drop(&a->sources, value_types_get(&a->sink.flow->types, number));
}

static void finish_agg(void *to)
{
    struct agg *a = to;
    struct row row;
    if (a->options->across_sources && !a->times_differ && a->derive.profile.source_count > 0)
        drop_time(a);
    if (a->options->across_sources && agg_sources_get(&a->sources, &row))
        sink_row(a->out, &row);
    agg_labels_push(&a->labels, &a->names);
    if (a->options->consecutive)
        end_streak(a);
    else
        write_table(a);
    if (a->sample_id > 0) {
        agg_labels_finish(&a->labels);
        agg_extras_warn(&a->extras, a->options);
    }
    for (size_t i = 0; i < a->options->scale_count; i++)
        if (!a->options->scales[i].is_used)
            warn(CODE_NO_MATCH, "--scale: no sample has a value of the type \"%.*s\"",
                 STR_ARG(a->options->scales[i].type));
}

static void close_agg(void *to)
{
    struct agg *a = to;
    prune_free(&a->prune);
    agg_names_free(&a->names);
    agg_values_free(&a->values);
    agg_extras_free(&a->extras);
    agg_entries_free(&a->entries);
    agg_labels_free(&a->labels);
    agg_sources_free(&a->sources);
    derive_free(&a->derive);
    intern_free(&a->heads);
    stacks_free(&a->stacks);
    mem_free(a->inlined);
    mem_free(a->frames);
    mem_free(a->stack);
    mem_free(a->streak_frames);
}

const struct stage filter_agg = {
    .takes = STAGE_TAKES_MERGED,
    .state_size = sizeof(struct agg),
    .open = open_agg,
    .finish = finish_agg,
    .close = close_agg,
};
