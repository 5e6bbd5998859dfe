/* Profile rows to OTLP profiles. See ndjson2otlp(1) for the rules.
 *
 * A profile of OTLP has values of one type, and the list of all its samples. So samples of a source
 * are grouped by which types they have values of: each group becomes a profile for each of its types,
 * with equal lists. Samples without a time are added up by group, stack and labels; those with one
 * wait in spools. All is written twice, at first only to know how long it is. */
#include "formats/otlp/otlp_write.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/units.h"
#include "formats/otlp/otlp.h"
#include "formats/otlp/otlp_format.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <stdio.h>

/* Observations that follow each other, of one stack with one set of labels, are one sample, but no
 * more than so many: they are held. */
enum { OBSERVATIONS_MAX = 1 << 14 };

/* Memory that a payload may take in all profiles of a source, each of which has it. */
enum { PAYLOADS_MAX = 64 << 20 };

/* The same of all facts, of which no real source has many: beyond, a few rows would make a file of any
 * size. */
enum { FACTS_MAX = 1 << 30 };

/* --- types and columns of a source --- */

static struct otlp_source *source_at(struct otlp_writer *w, uint32_t source)
{
    return &w->sources[source - 1];
}

static uint32_t key_of(struct intern *t, struct str a, const uint32_t *numbers, size_t count,
                       struct buf *key, bool *is_new)
{
    key->n = 0;
    buf_add(key, (struct str){(const char *)numbers, count * sizeof *numbers});
    buf_add(key, a);
    return intern_add(t, buf_str(key), is_new);
}

/* The index in the types of SOURCE of NAME in UNIT, canonical text. */
static uint32_t type_of(struct otlp_writer *w, uint32_t source, struct str name, struct str unit)
{
    struct otlp_source *s = source_at(w, source);
    const struct str finest = units_finest(unit);
    const uint32_t numbers[] = {source, (uint32_t)name.n};
    bool is_new;
    w->scratch.n = 0;
    buf_add(&w->scratch, name);
    buf_add(&w->scratch, finest);
    const uint32_t key = key_of(&w->type_keys, buf_str(&w->scratch), numbers, 2, &w->key, &is_new);
    w->type_of = mem_array(w->type_of, &w->type_of_capacity, key, sizeof *w->type_of);
    if (is_new) {
        s->types = mem_array(s->types, &s->type_capacity, s->type_count + 1, sizeof *s->types);
        s->types[s->type_count] =
            (struct otlp_type){.name = arena_copy(&w->arena, name),
                               .unit = arena_copy(&w->arena, unit),
                               .is_time = s->derives && str_equal(name, s->period_type)};
        w->type_of[key - 1] = (uint32_t)s->type_count++;
    }
    struct otlp_type *t = &s->types[w->type_of[key - 1]];
    if (units_in(t->unit, unit) > 1) /* nothing is rounded */
        t->unit = arena_copy(&w->arena, unit);
    return w->type_of[key - 1];
}

/* The column of SOURCE for values of NAME in UNIT that count TIMES each. */
static uint32_t column_of(struct otlp_writer *w, uint32_t source, struct str name, struct str unit,
                          int64_t times)
{
    const uint32_t type = type_of(w, source, name, unit);
    struct otlp_source *s = source_at(w, source);
    const uint32_t numbers[] = {source, type, (uint32_t)times, (uint32_t)((uint64_t)times >> 32)};
    bool is_new;
    const uint32_t key = key_of(&w->column_keys, unit, numbers, 4, &w->key, &is_new);
    w->column_of = mem_array(w->column_of, &w->column_of_capacity, key, sizeof *w->column_of);
    if (is_new) {
        s->columns =
            mem_array(s->columns, &s->column_capacity, s->column_count + 1, sizeof *s->columns);
        s->columns[s->column_count] =
            (struct otlp_column){type, arena_copy(&w->arena, unit), times, 0};
        w->column_of[key - 1] = (uint32_t)s->column_count++;
    }
    return w->column_of[key - 1];
}

/* The same for the type NUMBER of the flow. */
static uint32_t column_of_type(struct otlp_writer *w, uint32_t source, uint32_t number)
{
    if (__builtin_expect(number > w->known_capacity, 0))
        w->known = mem_array_zeroed(w->known, &w->known_capacity, number, sizeof *w->known);
    struct otlp_known *known = &w->known[number - 1];
    if (__builtin_expect(known->source != source, 0)) {
        const struct value_type *t = value_types_get(&w->sink.flow->types, number);
        *known = (struct otlp_known){source, column_of(w, source, t->type, t->unit, 1)};
    }
    return known->column;
}

static struct otlp_type *type_at(struct otlp_writer *w, uint32_t source, uint32_t column)
{
    struct otlp_source *s = source_at(w, source);
    return &s->types[s->columns[column].type];
}

/* Adds the type of the time that samples/count of S, source number SOURCE, stand for. */
static void add_derived(struct otlp_writer *w, uint32_t source)
{
    struct otlp_source *s = source_at(w, source);
    if (!s->derives || s->derived != 0)
        return;
    s->derived = column_of(w, source, s->period_type, s->period_unit, s->period) + 1;
}

static bool counts_samples(const struct otlp_type *t)
{
    return str_equal(t->name, STR("samples")) && str_equal(t->unit, STR("count"));
}

static void read_source(struct otlp_writer *w, const struct row *row)
{
    otlp_write_source(w, row);
    const uint32_t source = (uint32_t)w->source_count;
    const struct profile_source *of = &w->profile.sources[source - 1];
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *listed = &of->types[i];
        const uint32_t number = profile_list_type(&w->sink.flow->types, listed);
        struct otlp_type *t = type_at(w, source, column_of_type(w, source, number));
        t->is_listed = true;
        t->is_level |= profile_is_left_out(listed);
        t->is_inclusive |= listed->inclusive;
        if (counts_samples(t))
            add_derived(w, source);
    }
}

/* --- groups --- */

static void add_to_signature(struct otlp_writer *w, uint32_t type)
{
    w->signature = mem_array(w->signature, &w->signature_capacity, w->signature_count + 1,
                             sizeof *w->signature);
    w->signature[w->signature_count++] = type;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Adds the group of SOURCE with the types of the signature, which is sorted. */
static uint32_t add_group(struct otlp_writer *w, uint32_t source)
{
    const size_t count = w->signature_count;
    struct otlp_source *s = source_at(w, source);
    w->groups = mem_array(w->groups, &w->group_capacity, w->group_count + 1, sizeof *w->groups);
    w->groups[w->group_count] =
        (struct otlp_group){.source = source, .first = w->group_type_count, .count = count};
    w->group_types = mem_array(w->group_types, &w->group_type_capacity,
                               w->group_type_count + count + 1, sizeof *w->group_types);
    for (size_t i = 0; i < count; i++) {
        w->group_types[w->group_type_count++] = w->signature[i];
        s->types[w->signature[i]].is_written = true;
    }
    const uint32_t group = (uint32_t)++w->group_count;
    if (s->last_group != 0)
        w->groups[s->last_group - 1].next = group;
    else
        s->first_group = group;
    s->last_group = group;
    return group;
}

/* The group of SOURCE with the types of the signature. */
static uint32_t group_of(struct otlp_writer *w, uint32_t source)
{
    bool is_sorted = true, is_new;
    for (size_t i = 1; i < w->signature_count; i++)
        is_sorted &= w->signature[i - 1] < w->signature[i];
    if (!is_sorted)
        order_items(w->signature, w->signature_count, sizeof *w->signature, by_number);
    if (w->last_group != 0) {
        const struct otlp_group *g = &w->groups[w->last_group - 1];
        if (g->source == source && g->count == w->signature_count &&
            memcmp(&w->group_types[g->first], w->signature, g->count * sizeof *w->signature) == 0)
            return w->last_group;
    }
    const struct str types = {(const char *)w->signature,
                              w->signature_count * sizeof *w->signature};
    w->last_group = key_of(&w->group_keys, types, &source, 1, &w->key, &is_new);
    return is_new ? add_group(w, source) : w->last_group;
}

/* --- samples --- */

static void add_value(struct otlp_writer *w, uint32_t source, uint32_t column,
                      struct decimal number)
{
    const uint32_t type = source_at(w, source)->columns[column].type;
    w->values = mem_array(w->values, &w->value_capacity, w->value_count + 1, sizeof *w->values);
    w->values[w->value_count++] = (struct otlp_value){column, number};
    add_to_signature(w, type);
    source_at(w, source)->types[type].count += decimal_sign(number) != 0;
}

/* Reads the values of SAMPLE that are written. */
static void read_values(struct otlp_writer *w, struct sample *sample)
{
    const uint32_t source = (uint32_t)sample->source_id;
    const struct place where = w->sink.flow->where;
    struct decimal count = {wide_of(0), 0};
    bool has_count = false, has_time = false;
    w->value_count = w->signature_count = 0;
    for (size_t i = 0; i < sample->value_count; i++) {
        struct sample_value *v = &sample->values[i];
        w->sink.flow->where = sample_place(sample, where, i);
        struct decimal number;
        if (v->value.kind == NUMBER_INTEGER)
            number = decimal_of(v->value.integer);
        else if (type_at(w, source, column_of_type(w, source, v->type))->is_level)
            number = sample_value_exact(v);
        else
            number = sample_value_refine(v, &w->sink.flow->types);
        if (__builtin_expect(v->extra.n > 0, 0))
            loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
        const uint32_t column = column_of_type(w, source, v->type);
        struct otlp_type *t = type_at(w, source, column);
        has_time |= t->is_time;
        if (source_at(w, source)->derives && counts_samples(t)) {
            has_count = true;
            count = number;
        }
        if (t->is_level)
            t->dropped++;
        else
            add_value(w, source, column, number);
    }
    w->sink.flow->where = where;
    if (sample->value_count == 0)
        loss_add(LOSS_NO_COUNT, STR(""), 1);
    if (has_count && !has_time) {
        add_derived(w, source);
        add_value(w, source, source_at(w, source)->derived - 1, count);
    }
}

/* The index of the stack of SAMPLE in the file. */
static uint32_t stack_of(struct otlp_writer *w, const struct sample *sample)
{
    bool is_new;
    if (sample->depth == 0)
        return 0;
    chains_read(&w->chains, sample->locations, sample->depth);
    w->text.n = 0;
    for (size_t i = 0; i < w->chains.depth; i++)
        wire_put_varint(&w->text, w->chains.stack[i]);
    const uint32_t stack =
        intern_add(&w->tables[OTLP_DICTIONARY_STACKS], buf_str(&w->text), &is_new);
    if (is_new)
        growth_hold(w->sink.flow, w->text.n + sizeof(struct str) + sizeof(struct intern_slot));
    return stack;
}

/* Adds the values to the sums of the sample KEY. */
static void add_up(struct otlp_writer *w, struct otlp_key key)
{
    const uint32_t sample =
        intern_add(&w->samples, (struct str){(const char *)&key, sizeof key}, NULL) - 1;
    struct sums_part parts[AMOUNT_PARTS];
    for (size_t i = 0; i < w->value_count; i++) {
        const size_t count =
            amount_split(&w->digits, w->values[i].column, w->values[i].number, parts);
        for (size_t k = 0; k < count; k++)
            sums_add_part(&w->sums, sample, &parts[k]);
    }
}

static int by_type(const void *a, const void *b, void *with)
{
    const struct otlp_source *s = with;
    const struct otlp_value *x = a, *y = b;
    const uint32_t of_x = s->columns[x->column].type, of_y = s->columns[y->column].type;
    return (of_x > of_y) - (of_x < of_y);
}

/* Puts the values in the order of the types of G, as most are. */
static void order_values(struct otlp_writer *w, const struct otlp_group *g)
{
    struct otlp_source *s = &w->sources[g->source - 1];
    size_t i = 0;
    while (i < g->count && s->columns[w->values[i].column].type == w->group_types[g->first + i])
        i++;
    if (i < g->count)
        order_items_with(w->values, w->value_count, sizeof *w->values, by_type, s);
}

/* Appends the sample to the strands of GROUP. */
static void put_aside(struct otlp_writer *w, uint32_t group, const struct otlp_timed *timed)
{
    struct otlp_group *g = &w->groups[group - 1];
    if (w->spools == NULL)
        w->spools = spools_open();
    if (g->strand == 0) {
        g->strand = spools_begin(w->spools) + 1;
        for (size_t i = 0; i < g->count; i++)
            spools_begin(w->spools);
    }
    spools_write(w->spools, g->strand - 1, (struct str){(const char *)timed, sizeof *timed});
    order_values(w, g);
    for (size_t i = 0; i < g->count; i++)
        spools_write(w->spools, g->strand + (uint32_t)i,
                     (struct str){(const char *)&w->values[i], sizeof *w->values});
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct otlp_writer *w = (struct otlp_writer *)to;
    const uint32_t source = (uint32_t)sample->source_id;
    int64_t time = 0;
    w->has_time = false;
    const uint32_t labels = profile_label_set(&w->profile, sample->extra, otlp_place(w));
    read_values(w, sample);
    for (size_t i = 0; sample->location_extras != NULL && i < sample->depth; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
    if (w->value_count == 0)
        return;
    otlp_set_of(w, labels);
    const uint32_t stack = stack_of(w, sample), group = group_of(w, source);
    if (w->has_time &&
        (__builtin_add_overflow(source_at(w, source)->zero, w->time, &time) || time < 0)) {
        loss_add(LOSS_OTLP_TIMES, STR(""), 1);
        w->has_time = false;
    }
    if (w->has_time)
        put_aside(w, group, &(struct otlp_timed){stack, labels, time});
    else
        add_up(w, (struct otlp_key){group, stack, labels});
}

/* --- values that are written --- */

static _Noreturn void die_overflow(const struct otlp_type *t)
{
    die(CODE_OVERFLOW, "the sum of \"%.*s\" does not fit 64 bits", STR_ARG(t->name));
}

/* The factor of C, a column of S. */
static int64_t factor_of(const struct otlp_source *s, const struct otlp_column *c)
{
    if (c->factor == 0)
        die_overflow(&s->types[c->type]);
    return c->factor;
}

/* Counts by how much a value of T was rounded, MORE. */
static void count_fraction(const struct otlp_writer *w, const struct otlp_type *t,
                           struct decimal more)
{
    if (w->counts_fractions && decimal_sign(more) != 0)
        loss_add_fraction(t->name, more);
}

/* Sets the values of sample I of G, those that are added up, in VALUES: by type, then by sample. */
static void fill_row(struct otlp_writer *w, const struct otlp_group *g, size_t i, int64_t *values)
{
    const struct otlp_source *s = &w->sources[g->source - 1];
    struct sums_walk walk = {.row = w->order[g->from + i]};
    struct sums_part part;
    while (sums_next(&w->sums, &walk, &part)) {
        const struct otlp_column *c = &s->columns[amount_column(&w->digits, &part)];
        amount_add(&w->totals[c->type], &w->digits, &part, factor_of(s, c));
    }
    for (size_t k = 0; k < g->count; k++) {
        const uint32_t type = w->group_types[g->first + k];
        int64_t *value = &values[k * g->samples + i];
        if (!amount_fits(&w->totals[type], 0, value))
            die_overflow(&s->types[type]);
        count_fraction(w, &s->types[type], amount_rounding(&w->totals[type], 0, *value));
        w->totals[type] = (struct amount){0};
    }
}

/* These values of all samples of G; the caller frees them. */
static int64_t *values_of(struct otlp_writer *w, const struct otlp_group *g)
{
    int64_t *values = mem_alloc((g->samples * g->count + 1) * sizeof *values);
    w->totals = mem_array_zeroed(w->totals, &w->total_capacity,
                                 w->sources[g->source - 1].type_count, sizeof *w->totals);
    for (size_t i = 0; i < g->samples; i++)
        fill_row(w, g, i, values);
    return values;
}

/* --- profiles --- */

/* A pass over the samples of a profile: it adds up how long they are, or writes them. */
struct pass {
    struct otlp_out *out; /* NULL: only adds up */
    uint64_t size;
};

/* Begins a sample in w->message: all but its values and times. */
static void begin_sample(struct otlp_writer *w, uint32_t stack, uint32_t labels)
{
    const struct otlp_set *set = &w->sets[labels];
    w->message.n = 0;
    otlp_put(&w->message, OTLP_SAMPLE_STACK, stack);
    otlp_put_any(&w->message, OTLP_SAMPLE_ATTRIBUTES, set->attributes);
    otlp_put(&w->message, OTLP_SAMPLE_LINK, set->link);
}

static void end_sample(struct otlp_writer *w, struct pass *pass)
{
    if (pass->out == NULL)
        pass->size += otlp_out_size(w->message.n);
    else
        otlp_out_put(pass->out, OTLP_PROFILE_SAMPLES, buf_str(&w->message));
}

/* Passes over the samples of G that are added up; VALUES are those of the type. */
static void pass_sums(struct otlp_writer *w, const struct otlp_group *g, const int64_t *values,
                      struct pass *pass)
{
    for (size_t i = 0; i < g->samples; i++) {
        struct otlp_key key;
        memcpy(&key, intern_get(&w->samples, w->order[g->from + i] + 1).p, sizeof key);
        begin_sample(w, key.stack, key.labels);
        w->text.n = 0;
        wire_put_varint(&w->text, (uint64_t)values[i]);
        otlp_put_bytes(&w->message, OTLP_SAMPLE_VALUES, buf_str(&w->text));
        end_sample(w, pass);
    }
}

/* The value V of a sample of G with a time. */
static int64_t timed_value(const struct otlp_writer *w, const struct otlp_group *g,
                           const struct otlp_value *v)
{
    const struct otlp_source *s = &w->sources[g->source - 1];
    const struct otlp_column *c = &s->columns[v->column];
    const struct decimal exact = decimal_multiply(v->number, decimal_of(factor_of(s, c)));
    int64_t value;
    if (!decimal_round(exact, &value))
        die_overflow(&s->types[c->type]);
    struct decimal more = decimal_of(value);
    decimal_subtract(&more, exact);
    count_fraction(w, &s->types[c->type], more);
    return value;
}

/* Ends the sample of observations with VALUES and TIMES, if there are any, and empties both. */
static void end_observations(struct otlp_writer *w, struct buf *values, struct buf *times,
                             struct pass *pass)
{
    if (times->n == 0)
        return;
    otlp_put_bytes(&w->message, OTLP_SAMPLE_VALUES, buf_str(values));
    otlp_put_bytes(&w->message, OTLP_SAMPLE_TIMES, buf_str(times));
    end_sample(w, pass);
    values->n = times->n = 0;
}

/* The same over the samples of G with times, for its type number K. */
static void pass_timed(struct otlp_writer *w, const struct otlp_group *g, size_t k,
                       struct pass *pass)
{
    if (g->strand == 0)
        return;
    struct spools_walk walk = {.strand = g->strand - 1},
                       walk_values = {.strand = g->strand + (uint32_t)k};
    struct otlp_timed timed, last = {0};
    struct otlp_value value;
    struct buf values = {0}, times = {0};
    while (spools_read(w->spools, &walk, &timed, sizeof timed) &&
           spools_read(w->spools, &walk_values, &value, sizeof value)) {
        if (timed.stack != last.stack || timed.labels != last.labels ||
            times.n >= 8 * OBSERVATIONS_MAX)
            end_observations(w, &values, &times, pass);
        if (times.n == 0)
            begin_sample(w, timed.stack, timed.labels);
        last = timed;
        wire_put_varint(&values, (uint64_t)timed_value(w, g, &value));
        wire_put_fixed(&times, (uint64_t)timed.time);
    }
    end_observations(w, &values, &times, pass);
    spools_leave(&walk);
    spools_leave(&walk_values);
    buf_free(&values);
    buf_free(&times);
}

/* How long a profile is, without and with its samples. */
struct measure {
    uint64_t front, samples, back;
};

static uint64_t size_of(const struct measure *m)
{
    return m->front + m->samples + m->back;
}

/* What is left of the ids of the profiles of S, for put_back. */
static struct str ids_of(const struct otlp_source *s)
{
    return s->ids.p != NULL && s->first_group == s->last_group ? text_inside(s->ids) : STR("");
}

/* Sets w->text to the type number K of G, as a message. */
static void put_type(struct otlp_writer *w, const struct otlp_group *g, size_t k)
{
    const struct otlp_type *t = &w->sources[g->source - 1].types[w->group_types[g->first + k]];
    const uint32_t name = otlp_put_text(w, t->name), unit = otlp_put_text(w, t->unit);
    w->text.n = 0;
    otlp_put(&w->text, OTLP_VALUE_TYPE_TYPE, name);
    otlp_put(&w->text, OTLP_VALUE_TYPE_UNIT, unit);
}

/* Sets w->text to the fields of a profile of S that come after its samples; takes its id off IDS. */
static void put_back(struct otlp_writer *w, const struct otlp_source *s, struct str *ids)
{
    struct str item, text;
    struct wire wire = {"", "OTLP", s->facts, 0};
    struct wire_field f = {.number = 0};
    struct buf id = {0};
    bool more = true;
    if (ids->n > 0 && text_next_item(ids, &item) && text_is_string(item, &text))
        text_unhex(&id, text);
    w->text.n = 0;
    for (uint64_t before = 0; more; before = f.number) {
        more = wire_next(&wire, &f);
        if (before < OTLP_PROFILE_ID && (!more || f.number > OTLP_PROFILE_ID))
            otlp_put_any(&w->text, OTLP_PROFILE_ID, buf_str(&id));
        if (more && !(s->drops_payload && f.number == OTLP_PROFILE_PAYLOAD))
            buf_add(&w->text, f.whole);
    }
    buf_free(&id);
}

/* Measures the profiles of G in MEASURES, one for each of its types. */
static void measure_group(struct otlp_writer *w, const struct otlp_group *g,
                          struct measure *measures)
{
    struct str ids = ids_of(&w->sources[g->source - 1]);
    int64_t *values = values_of(w, g);
    for (size_t k = 0; k < g->count; k++) {
        struct pass pass = {NULL, 0};
        put_type(w, g, k);
        measures[k].front = otlp_out_size(w->text.n);
        pass_sums(w, g, values + k * g->samples, &pass);
        pass_timed(w, g, k, &pass);
        measures[k].samples = pass.size;
        put_back(w, &w->sources[g->source - 1], &ids);
        measures[k].back = w->text.n;
    }
    mem_free(values);
}

static void write_group(struct otlp_writer *w, const struct otlp_group *g,
                        const struct measure *measures, struct otlp_out *out)
{
    struct str ids = ids_of(&w->sources[g->source - 1]);
    int64_t *values = values_of(w, g);
    for (size_t k = 0; k < g->count; k++) {
        struct pass pass = {out, 0};
        otlp_out_open(out, OTLP_SCOPE_PROFILES_PROFILES, size_of(&measures[k]));
        put_type(w, g, k);
        otlp_out_put(out, OTLP_PROFILE_TYPE, buf_str(&w->text));
        pass_sums(w, g, values + k * g->samples, &pass);
        pass_timed(w, g, k, &pass);
        put_back(w, &w->sources[g->source - 1], &ids);
        otlp_out_add(out, buf_str(&w->text));
        otlp_out_close(out);
    }
    mem_free(values);
}

/* --- resources and scopes --- */

/* What follows each other and shares a resource, sources, or a scope, groups: their numbers from
 * 0. Groups are in the order of their sources. */
struct run {
    size_t first, end;
};

static bool same_resource(const struct otlp_source *a, const struct otlp_source *b)
{
    return str_equal(a->resource, b->resource) && str_equal(a->resource_schema, b->resource_schema);
}

/* Number I of the groups in the order of their sources. */
static const struct otlp_group *ordered_group(const struct otlp_writer *w, size_t i)
{
    return &w->groups[w->group_order[i] - 1];
}

/* Whether B may follow A in one scope. A reader takes profiles for those of one source if their
 * samples are equal and their types are not: so the first type of B must be one of A. */
static bool same_scope(const struct otlp_writer *w, const struct otlp_group *a,
                       const struct otlp_group *b)
{
    const struct otlp_source *of_a = &w->sources[a->source - 1], *of_b = &w->sources[b->source - 1];
    if (!str_equal(of_a->scope, of_b->scope) || !str_equal(of_a->scope_schema, of_b->scope_schema))
        return false;
    const struct str name = of_b->types[w->group_types[b->first]].name;
    for (size_t i = 0; i < a->count; i++)
        if (str_equal(of_a->types[w->group_types[a->first + i]].name, name))
            return true;
    return false;
}

/* The run of groups from FIRST to before END that share a scope. */
static struct run scope_run(const struct otlp_writer *w, size_t first, size_t end)
{
    struct run run = {first, first + 1};
    while (run.end < end && same_scope(w, ordered_group(w, run.end - 1), ordered_group(w, run.end)))
        run.end++;
    return run;
}

/* The groups of the sources of RUN; AT: the first of them. */
static struct run groups_of(const struct otlp_writer *w, const struct run *run, size_t at)
{
    struct run groups = {at, at};
    while (groups.end < w->group_count && ordered_group(w, groups.end)->source <= run->end)
        groups.end++;
    return groups;
}

static struct run resource_run(const struct otlp_writer *w, size_t first)
{
    struct run run = {first, first + 1};
    while (run.end < w->source_count &&
           same_resource(&w->sources[run.end - 1], &w->sources[run.end]))
        run.end++;
    return run;
}

/* How long the message of a resource or scope is: CONTENT, the profiles or scopes, and its SCHEMA. */
static uint64_t size_with(struct str head, uint64_t content, struct str schema)
{
    return (head.n > 0 ? otlp_out_size(head.n) : 0) + content +
           (schema.n > 0 ? otlp_out_size(schema.n) : 0);
}

static uint64_t size_of_scope(const struct otlp_writer *w, const struct run *run,
                              const struct measure *measures)
{
    const struct otlp_source *s = &w->sources[ordered_group(w, run->first)->source - 1];
    uint64_t size = 0;
    for (size_t i = run->first; i < run->end; i++)
        for (size_t k = 0; k < ordered_group(w, i)->count; k++)
            size += otlp_out_size(size_of(&measures[ordered_group(w, i)->first + k]));
    return size_with(s->scope, size, s->scope_schema);
}

static void write_scope(struct otlp_writer *w, const struct run *run,
                        const struct measure *measures, struct otlp_out *out)
{
    const struct otlp_source *s = &w->sources[ordered_group(w, run->first)->source - 1];
    otlp_out_open(out, OTLP_RESOURCE_PROFILES_SCOPES, size_of_scope(w, run, measures));
    if (s->scope.n > 0)
        otlp_out_put(out, OTLP_SCOPE_PROFILES_SCOPE, s->scope);
    for (size_t i = run->first; i < run->end; i++)
        write_group(w, ordered_group(w, i), &measures[ordered_group(w, i)->first], out);
    if (s->scope_schema.n > 0)
        otlp_out_put(out, OTLP_SCOPE_PROFILES_SCHEMA, s->scope_schema);
    otlp_out_close(out);
}

/* Writes the resource of the sources of RUN, which have the GROUPS. */
static void write_resource(struct otlp_writer *w, const struct run *run, const struct run *groups,
                           const struct measure *measures, struct otlp_out *out)
{
    const struct otlp_source *s = &w->sources[run->first];
    struct run scope;
    uint64_t size = 0;
    for (size_t i = groups->first; i < groups->end; i = scope.end) {
        scope = scope_run(w, i, groups->end);
        size += otlp_out_size(size_of_scope(w, &scope, measures));
    }
    otlp_out_open(out, OTLP_DATA_RESOURCES, size_with(s->resource, size, s->resource_schema));
    if (s->resource.n > 0)
        otlp_out_put(out, OTLP_RESOURCE_PROFILES_RESOURCE, s->resource);
    for (size_t i = groups->first; i < groups->end; i = scope.end) {
        scope = scope_run(w, i, groups->end);
        write_scope(w, &scope, measures, out);
    }
    if (s->resource_schema.n > 0)
        otlp_out_put(out, OTLP_RESOURCE_PROFILES_SCHEMA, s->resource_schema);
    otlp_out_close(out);
}

/* --- the dictionary --- */

/* The first entry of TABLE, which stands for none. */
static struct str null_entry(unsigned table)
{
    /* trace_id and span_id */
    static const char link[] = "\x0a\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x12\x08\0\0\0\0\0\0\0";
    return table == OTLP_DICTIONARY_LINKS ? (struct str){link, sizeof link} : STR("");
}

/* Sets TO to the entry ENTRY of TABLE. */
static struct str entry_of(struct otlp_writer *w, unsigned table, uint32_t entry)
{
    const struct str stored = intern_get(&w->tables[table], entry);
    if (table != OTLP_DICTIONARY_STACKS)
        return stored;
    w->message.n = 0;
    otlp_put_bytes(&w->message, OTLP_STACK_LOCATIONS, stored);
    return buf_str(&w->message);
}

static void write_dictionary(struct otlp_writer *w, struct otlp_out *out)
{
    uint64_t size = 0;
    for (unsigned t = 1; t <= OTLP_DICTIONARY_STACKS; t++) {
        size += otlp_out_size(null_entry(t).n);
        for (uint32_t i = 1; i <= w->tables[t].count; i++)
            size += otlp_out_size(entry_of(w, t, i).n);
    }
    otlp_out_open(out, OTLP_DATA_DICTIONARY, size);
    for (unsigned t = 1; t <= OTLP_DICTIONARY_STACKS; t++) {
        otlp_out_put(out, t, null_entry(t));
        for (uint32_t i = 1; i <= w->tables[t].count; i++)
            otlp_out_put(out, t, entry_of(w, t, i));
    }
    otlp_out_close(out);
}

/* --- the whole file --- */

/* Orders the samples that are added up by group. */
static void order_samples(struct otlp_writer *w)
{
    size_t from = 0;
    struct otlp_key key;
    w->order = mem_alloc(((size_t)w->samples.count + 1) * sizeof *w->order);
    for (uint32_t i = 0; i < w->samples.count; i++) {
        memcpy(&key, intern_get(&w->samples, i + 1).p, sizeof key);
        w->groups[key.group - 1].samples++;
    }
    for (size_t g = 0; g < w->group_count; g++) {
        w->groups[g].from = from;
        from += w->groups[g].samples;
        w->groups[g].samples = 0;
    }
    for (uint32_t i = 0; i < w->samples.count; i++) {
        memcpy(&key, intern_get(&w->samples, i + 1).p, sizeof key);
        struct otlp_group *g = &w->groups[key.group - 1];
        w->order[g->from + g->samples++] = i;
    }
}

/* Gives SOURCE a group without samples, of the types that it lists and no sample has. Without any
 * type it is samples/count: a profile has one. */
static void add_empty_group(struct otlp_writer *w, uint32_t source)
{
    const struct otlp_source *s = source_at(w, source);
    w->signature_count = 0;
    for (uint32_t i = 0; i < s->type_count; i++)
        if (!s->types[i].is_level && !s->types[i].is_written)
            add_to_signature(w, i);
    if (w->signature_count == 0 && s->first_group == 0)
        add_to_signature(w, type_of(w, source, STR("samples"), STR("count")));
    if (w->signature_count > 0)
        add_group(w, source);
}

/* Counts what SOURCE loses. */
static void count_losses(struct otlp_writer *w, struct otlp_source *s)
{
    uint64_t profiles = 0;
    for (uint32_t g = s->first_group; g != 0; g = w->groups[g - 1].next)
        profiles += w->groups[g - 1].count;
    s->drops_payload = s->payload_size > PAYLOADS_MAX / profiles;
    if (s->facts.n - (s->drops_payload ? s->payload_size : 0) > FACTS_MAX / profiles)
        die(CODE_TOO_LARGE, "facts of a source in all its profiles: more than %d bytes", FACTS_MAX);
    if (s->drops_payload)
        loss_add(LOSS_OTLP_PAYLOADS, STR(""), 1);
    if (s->ids.p != NULL && s->first_group != s->last_group)
        loss_add(LOSS_FACTS, STR("profile_ids"), 1);
    for (size_t i = 0; i < s->type_count; i++)
        if (s->types[i].dropped > 0)
            loss_add(s->types[i].is_inclusive ? LOSS_INCLUSIVE : LOSS_GAUGES, s->types[i].name,
                     s->types[i].dropped);
}

/* Sets the factors of the columns of S, whose types have their final units. */
static void set_factors(struct otlp_source *s)
{
    for (size_t i = 0; i < s->column_count; i++) {
        struct otlp_column *c = &s->columns[i];
        if (__builtin_mul_overflow(units_in(c->unit, s->types[c->type].unit), c->times, &c->factor))
            c->factor = 0;
    }
}

static void finish_source(struct otlp_writer *w, uint32_t source)
{
    add_empty_group(w, source);
    set_factors(source_at(w, source));
    count_losses(w, source_at(w, source));
    otlp_finish_scope(w, source_at(w, source));
}

/* The number of the group of S to show first: the first one with the type that S shows. */
static uint32_t shown_group(const struct otlp_writer *w, const struct otlp_source *s)
{
    const struct otlp_type *shown = otlp_shown_type(s);
    for (uint32_t g = s->first_group; g != 0; g = w->groups[g - 1].next)
        for (size_t k = 0; k < w->groups[g - 1].count; k++)
            if (&s->types[w->group_types[w->groups[g - 1].first + k]] == shown)
                return g;
    return s->first_group;
}

/* Orders the groups by their sources: the one to show first, as viewers take the first profile, and
 * then the others in their order. */
static void order_groups(struct otlp_writer *w)
{
    size_t count = 0;
    w->group_order = mem_alloc((w->group_count + 1) * sizeof *w->group_order);
    for (size_t i = 0; i < w->source_count; i++) {
        const uint32_t shown = shown_group(w, &w->sources[i]);
        w->group_order[count++] = shown;
        for (uint32_t g = w->sources[i].first_group; g != 0; g = w->groups[g - 1].next)
            if (g != shown)
                w->group_order[count++] = g;
    }
}

static void write_file(struct otlp_writer *w)
{
    struct run run, groups = {0, 0};
    for (uint32_t i = 1; i <= w->source_count; i++)
        finish_source(w, i);
    order_groups(w);
    order_samples(w);
    struct measure *measures = mem_alloc((w->group_type_count + 1) * sizeof *measures);
    w->counts_fractions = true;
    for (size_t i = 0; i < w->group_count; i++)
        measure_group(w, &w->groups[i], &measures[w->groups[i].first]);
    w->counts_fractions = false;
    struct otlp_out out = otlp_out_begin(w->out, w->is_json);
    for (size_t i = 0; i < w->source_count; i = run.end) {
        run = resource_run(w, i);
        groups = groups_of(w, &run, groups.end);
        write_resource(w, &run, &groups, measures, &out);
    }
    write_dictionary(w, &out);
    otlp_out_end(&out);
    mem_free(measures);
}

/* --- the stage --- */

static bool keep(void *writer, const struct row *row, const struct member *m, uint32_t *other)
{
    return row->table == TABLE_SOURCES ? otlp_keep_fact(writer, row, m)
                                       : otlp_keep_mark(writer, row, m, other);
}

static void take_row(struct sink *to, struct row *row)
{
    struct otlp_writer *w = (struct otlp_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: otlp_write_location(w, row); break;
    case TABLE_FUNCTIONS: otlp_write_function(w, row); break;
    case TABLE_MAPPINGS: otlp_write_mapping(w, row); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    default: loss_add_row(row);
    }
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct otlp_writer *w = to;
    const struct otlp_write_options *options = with;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    w->is_json = options != NULL && options->is_json;
    w->profile.keep = keep;
    w->profile.user = w;
    w->chains.make = otlp_make_location;
    w->chains.user = w;
    flow->adds_up = true;
}

static void close_writer(void *to)
{
    struct otlp_writer *w = to;
    write_file(w);
    if (w->spools != NULL)
        spools_close(w->spools);
    for (size_t i = 0; i < w->source_count; i++) {
        mem_free(w->sources[i].types);
        mem_free(w->sources[i].columns);
    }
    for (unsigned t = 0; t <= OTLP_DICTIONARY_STACKS; t++)
        intern_free(&w->tables[t]);
    struct intern *interns[] = {&w->kinds, &w->type_keys, &w->column_keys, &w->group_keys,
                                &w->samples};
    for (size_t i = 0; i < sizeof interns / sizeof *interns; i++)
        intern_free(interns[i]);
    void *blocks[] = {w->strings,   w->mappings,    w->functions,   w->lines,
                      w->sources,   w->known,       w->type_of,     w->column_of,
                      w->groups,    w->group_types, w->group_order, w->values,
                      w->signature, w->order,       w->sets,        w->totals};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    struct buf *bufs[] = {&w->text,        &w->scratch,          &w->key,
                          &w->message,     &w->marks.attributes, &w->facts.resource,
                          &w->facts.scope, &w->facts.attributes, &w->facts.payload};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    chains_free(&w->chains);
    sums_free(&w->sums);
    amount_free(&w->digits);
    arena_free(&w->arena);
    profile_free(&w->profile);
}

const struct stage otlp_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct otlp_writer),
    .open = open_writer,
    .close = close_writer,
};
