/* proffilter: selects samples, and parts of their stacks and values, by steps (select_steps.h).
 *
 * Rows that only dropped samples refer to are dropped too (prune.h). */
#include "base/decimal.h"
#include "base/mem.h"
#include "filters/derive.h"
#include "filters/filters.h"
#include "filters/select_steps.h"
#include "filters/select_tally.h"
#include "profile/clock.h"
#include "profile/inclusive.h"
#include "profile/naming.h"
#include "profile/profile.h"
#include "rows/emit.h"
#include "rows/left_out.h"
#include "rows/listed.h"
#include "rows/text.h"
#include "stream/emitter.h"
#include "stream/prune.h"

/* A source of the profile, by id - 1. */
struct select_source {
    bool is_left;          /* the steps keep some of its samples */
    bool leaves_stackless; /* samples without a stack are not in its sums */
};

struct select {
    struct sink sink;
    struct emitter emitter;
    struct select_steps steps;
    struct prune prune;
    struct derive derive; /* the time that samples stand for, if --type asks for it */
    struct clock clock;   /* when they were taken, if --samples asks for it */

    struct naming_sources source_names; /* names of the sources of all profiles */
    struct select_source *sources;
    size_t source_count, source_capacity;
    bool keeps_sources;
    bool has_warned; /* of totals */
    struct select_tally tally;
    struct left_out left_out; /* of the current profile */

    uint32_t *positions; /* see struct select_view */
    size_t position_capacity;
    struct buf name, file, extra;
    struct arena reals; /* texts of values that --thin has made */
};

/* --- rows --- */

/* The bytes of the column TEXT. */
static struct str bytes_of(struct buf *to, struct str text)
{
    to->n = 0;
    text_unescape(to, text);
    return buf_str(to);
}

static void take_mapping(struct select *s, const struct row *row)
{
    struct member m;
    s->file.n = 0;
    if (members_get(row, MEMBER_ID_MAPPED_FILE, &m))
        text_inner_bytes(&s->file, m.value);
    select_steps_mapping(&s->steps, buf_str(&s->file));
}

static void take_function(struct select *s, const struct row *row)
{
    bool no_name = members_flag(row, MEMBER_ID_NO_NAME);
    select_steps_function(&s->steps, bytes_of(&s->name, no_name ? STR("") : row->function.name),
                          bytes_of(&s->file, row->function.filename));
}

static void take_location(struct select *s, const struct row *row)
{
    struct member m;
    int64_t function = row->location.function_id;
    struct match_frame frame = {.line = row->location.line, .file = STR("")};
    if (function != ROW_NULL) {
        frame.function = (uint32_t)function;
        frame.file =
            bytes_of(&s->file, prune_row(&s->prune, TABLE_FUNCTIONS, function)->function.filename);
    } else if (members_get(row, MEMBER_ID_FILENAME, &m)) {
        frame.file = bytes_of(&s->file, m.text);
    }
    if (members_get(row, MEMBER_ID_MAPPING, &m) && m.integer != ROW_NULL)
        frame.mapping = (uint32_t)m.integer;
    select_steps_location(&s->steps, &frame);
}

/* --- sources --- */

/* Records which types in COLUMN, the `.value_types` of ROW, are levels, and appends the types that
 * are kept to TO. */
static void take_types(struct select *s, struct buf *to, const struct row *row,
                       const struct member *column)
{
    struct members walk = members_of(row, s->sink.flow->where, &findings_ignored);
    struct listed listed = listed_of(&walk, column);
    struct value_types *types = &s->sink.flow->types;
    const char *lead = "[";
    while (listed_next(&listed)) {
        uint32_t number =
            value_types_add_bytes(types, buf_str(&listed.type), buf_str(&listed.unit));
        const struct value_type *type = value_types_get(types, number);
        if (listed.gauge)
            select_tally_gauge(&s->tally, number);
        if (!select_steps_type(&s->steps, type->type, type->unit))
            continue;
        buf_add(to, str_of(lead));
        buf_add(to, listed.text);
        lead = ",";
    }
    buf_add(to, *lead == '[' ? STR("[]") : STR("]"));
    listed_free(&listed);
}

/* Keeps the dotted columns of ROW that are still true. */
static void take_columns(struct select *s, struct row *row)
{
    struct str rest = row->extra, name, value;
    struct member types;
    s->extra.n = 0;
    while (text_next_member(&rest, &name, &value)) {
        emit_member(&s->extra, name);
        if (str_equal(name, STR(".value_types")) && members_get(row, MEMBER_ID_VALUE_TYPES, &types))
            take_types(s, &s->extra, row, &types);
        else
            buf_add(&s->extra, value);
    }
    row->extra = buf_str(&s->extra);
}

/* Adds the time of the samples in the source ROW to its types, if --type asks for it. */
static void derive(struct select *s, struct row *row)
{
    uint32_t number = derive_source(&s->derive, row)->type;
    if (number == 0 || select_steps_type(&s->steps, STR(""), STR("")))
        return;
    const struct value_type *type = value_types_get(&s->sink.flow->types, number);
    if (select_steps_type(&s->steps, type->type, type->unit))
        derive_list(&s->derive, row);
}

/* Whether the steps keep any sample of the source NAME, canonical text. */
static bool picks_source(struct select *s, struct str name)
{
    struct str bytes = bytes_of(&s->name, name);
    bytes = bytes.n > 0 ? bytes : NAMING_UNKNOWN;
    return select_steps_source(&s->steps, bytes, naming_number(&s->source_names, bytes) + 1);
}

/* Whether --type keeps a type of OF and drops the inclusive one that makes totals of it. */
static bool drops_totals(const struct select *s, const struct profile_source *of)
{
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *t = &of->types[i];
        const struct inclusive totals = inclusive_of(t->type);
        if (t->inclusive && !select_steps_type(&s->steps, t->type, t->unit) &&
            (select_steps_type(&s->steps, totals.type, t->unit) ||
             select_steps_type(&s->steps, totals.by_caller, t->unit)))
            return true;
    }
    return false;
}

/* Warns once of totals that the output does not have: OF counts calls, and says what they cost before. */
static void warn_of_totals(struct select *s, const struct profile_source *of)
{
    bool changes_calls = false;
    if (s->has_warned || !profile_counts_calls(of))
        return;
    for (size_t i = 0; i < s->steps.count; i++)
        changes_calls |= s->steps.items[i].kind <= SELECT_MAX_DEPTH;
    s->has_warned = changes_calls || drops_totals(s, of);
    if (changes_calls)
        warn(CODE_NOT_SHOWN, "the input has calls, not stacks: its inclusive values stay as they "
                             "were, so totals of what is left may be wrong");
    else if (s->has_warned)
        warn(CODE_NOT_SHOWN,
             "--type: totals of calls come from inclusive values, which are left out" HINT
             "another --type keeps them");
}

static void take_source(struct select *s, struct row *row)
{
    const struct str uri = row->source.source_uri, kind = row->source.source_type;
    const struct select_source of = {.is_left = picks_source(s, uri.n > 0 ? uri : kind),
                                     .leaves_stackless = profile_leaves_stackless(kind)};
    derive(s, row);
    take_columns(s, row);
    s->sources =
        mem_array(s->sources, &s->source_capacity, s->source_count + 1, sizeof *s->sources);
    s->sources[s->source_count++] = of;
    clock_add(&s->clock, &s->derive.profile.sources[s->source_count - 1]);
    warn_of_totals(s, &s->derive.profile.sources[s->source_count - 1]);
    sink_row(&s->prune.sink, row);
    if (!of.is_left)
        prune_leave_out_source(&s->prune);
    else if (s->keeps_sources)
        prune_keep_source(&s->prune);
}

/* --- what was left out --- */

/* Adds the values of SAMPLE, which is left out and counts TIMES, and the time that it stands for.
 * Levels have no sum. */
static void leave_out(struct select *s, const struct sample *sample, int64_t times)
{
    const struct derive_time *time = &s->derive.times[sample->source_id - 1];
    if (sample->depth == 0 && s->sources[sample->source_id - 1].leaves_stackless)
        return;
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct sample_value *v = &sample->values[i];
        const struct decimal size =
            decimal_multiply(decimal_size(sample_value_exact(v)), decimal_of(times));
        if (!select_tally_is_gauge(&s->tally, v->type))
            left_out_add(&s->left_out, v->type, size);
        if (v->type == s->clock.counts && time->type != 0 && !time->is_listed)
            left_out_add(&s->left_out, time->type,
                         decimal_multiply(size, decimal_of(time->period)));
    }
}

/* Whether type NUMBER is the time that samples/count, which are kept, stand for in a source. */
static bool is_kept_time(const struct select *s, uint32_t number)
{
    if (!select_steps_type(&s->steps, STR("samples"), STR("count")))
        return false;
    for (size_t i = 0; i < s->source_count; i++)
        if (s->derive.times[i].type == number)
            return true;
    return false;
}

/* Pushes the sums of the profile that ends, of the types that are kept. What is beyond the range of
 * doubles cannot be said. */
static void push_left_out(struct select *s)
{
    const struct value_types *types = &s->sink.flow->types;
    for (uint32_t number = 1; number <= s->left_out.capacity; number++) {
        const struct decimal sum = s->left_out.sums[number - 1];
        if (decimal_sign(sum) == 0 || !decimal_is_double(sum))
            continue;
        const struct value_type *type = value_types_get(types, number);
        if (!select_steps_type(&s->steps, type->type, type->unit) && !is_kept_time(s, number))
            continue;
        struct row row = left_out_row(&s->left_out, number, types, &s->extra);
        sink_row(&s->prune.sink, &row);
    }
    left_out_free(&s->left_out);
}

static void begin_profile(struct select *s)
{
    push_left_out(s);
    derive_begin(&s->derive);
    clock_clear(&s->clock);
    select_steps_clear(&s->steps);
    s->source_count = 0;
}

static void take_row(struct sink *to, struct row *row)
{
    struct select *s = (struct select *)to;
    switch (row->table) {
    case TABLE_SOURCES: take_source(s, row); return;
    case TABLE_MAPPINGS: take_mapping(s, row); break;
    case TABLE_FUNCTIONS: take_function(s, row); break;
    case TABLE_LOCATIONS: take_location(s, row); break;
    case TABLE_META: begin_profile(s); break;
    case TABLE_DOTTED:
        if (left_out_read(&s->left_out, row, &s->sink.flow->types, s->sink.flow->where))
            return; /* of an earlier filter: it comes back in one sum with our own */
        if (row_is_end(row))
            push_left_out(s);
        break;
    default: break;
    }
    sink_row(&s->prune.sink, row);
}

/* --- samples --- */

/* Ends the tool: SAMPLE has no time. */
static _Noreturn void die_no_time(const struct select *s, const struct sample *sample)
{
    const struct profile_source *of = &s->derive.profile.sources[sample->source_id - 1];
    const bool has_order = profile_is_sequence(of->kind);
    struct buf name = {0}, kind = {0};
    text_escape(&name, of->uri.n > 0 ? of->uri : of->kind);
    text_escape(&kind, of->kind);
    die_as(CODE_NO_TIME, s->sink.flow->where,
           "--samples: the samples of \"%.*s\" have no time: %s%.*s%s", STR_ARG(buf_str(&name)),
           has_order ? "" : "those of ", STR_ARG(has_order ? STR("") : buf_str(&kind)),
           has_order ? "their period is not known" : " are in no order");
}

/* The time of SAMPLE in nanoseconds since the first one of its source; 0 if a step drops all of
 * these. */
static int64_t time_of(struct select *s, const struct sample *sample)
{
    int64_t time;
    if (clock_read(&s->clock, sample, &time))
        return time;
    if (s->sources[sample->source_id - 1].is_left)
        die_no_time(s, sample);
    return 0;
}

/* TEXT, a double, times TIMES: as text, or as an integer. NUMBER_NULL if it exceeds a double. */
static struct number multiply_real(struct select *s, struct str text, int64_t times)
{
    struct decimal product = decimal_read(text);
    int64_t integer;
    product = decimal_multiply(product, decimal_of(times));
    if (decimal_is_integer(product, &integer))
        return number_of(integer);
    s->extra.n = 0;
    bool fits = decimal_write_real(&s->extra, product);
    struct str real = arena_copy(&s->reals, buf_str(&s->extra));
    real.n--;
    return (struct number){.kind = fits ? NUMBER_REAL : NUMBER_NULL, .real = real};
}

/* Multiplies the values of SAMPLE by TIMES. */
static void multiply(struct select *s, struct sample *sample, int64_t times)
{
    arena_clear(&s->reals);
    for (size_t i = 0; i < sample->value_count; i++) {
        struct sample_value *v = &sample->values[i];
        bool fits = true;
        if (select_tally_is_gauge(&s->tally, v->type))
            continue;
        if (v->value.kind == NUMBER_REAL) {
            v->value = multiply_real(s, v->value.real, times);
            fits = v->value.kind != NUMBER_NULL;
        } else {
            fits = !__builtin_mul_overflow(v->value.integer, times, &v->value.integer);
        }
        if (!fits)
            die_as(CODE_OVERFLOW, sample_place(sample, s->sink.flow->where, i),
                   "--thin: %lld times the value is more than a number can be", (long long)times);
    }
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct select *s = (struct select *)to;
    sample = derive_sample(&s->derive, sample);
    struct select_view v = {
        .flow = s->sink.flow, .sample = sample, .depth = sample->depth, .times = 1};
    s->positions =
        mem_array(s->positions, &s->position_capacity, v.depth + 1, sizeof *s->positions);
    v.positions = s->positions;
    for (size_t i = 0; i < v.depth; i++)
        v.positions[i] = (uint32_t)i;
    select_tally_add(&s->tally, sample, v.depth, false);
    if (s->steps.needs_time)
        v.time = time_of(s, sample);
    if (!select_steps_sample(&s->steps, &v)) {
        if (!v.is_thinned)
            leave_out(s, sample, v.times);
        prune_leave_out(&s->prune, sample);
        return;
    }
    select_tally_add(&s->tally, sample, v.depth, true);
    if (v.times > 1)
        multiply(s, sample, v.times);
    prune_sample(&s->prune, sample, v.positions, v.depth);
}

/* --- the whole --- */

static void open_select(void *to, struct flow *flow, const void *with, struct out *out)
{
    static const struct select_options none;
    struct select *s = to;
    s->sink = (struct sink){flow, take_row, take_sample};
    s->emitter = emitter_of(flow, out);
    s->prune = prune_of(&s->emitter.sink);
    s->derive.flow = flow;
    s->clock.counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    const struct select_options *options = with == NULL ? &none : with;
    s->keeps_sources = options->keeps_sources;
    select_steps_open(&s->steps, options);
}

static void close_select(void *to)
{
    struct select *s = to;
    push_left_out(s);
    select_tally_report(&s->tally, &s->sink.flow->types);
    select_steps_close(&s->steps);
    prune_free(&s->prune);
    derive_free(&s->derive);
    clock_free(&s->clock);
    naming_free_sources(&s->source_names);
    mem_free(s->sources);
    select_tally_free(&s->tally);
    mem_free(s->positions);
    buf_free(&s->name);
    buf_free(&s->file);
    buf_free(&s->extra);
    arena_free(&s->reals);
}

const struct stage filter_select = {
    .takes = STAGE_TAKES_NUMBERED,
    .state_size = sizeof(struct select),
    .open = open_select,
    .close = close_select,
};
