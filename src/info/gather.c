#include "info/gather.h"

#include "base/amount.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/units.h"
#include "profile/default_type.h"
#include "profile/naming.h"

#include <math.h>

static struct gather_type *type_at(struct gather *g, uint32_t number)
{
    g->types = mem_array_zeroed(g->types, &g->type_capacity, number, sizeof *g->types);
    return &g->types[number - 1];
}

/* --- definitions --- */

static void add_source(struct gather *g, const struct row *row)
{
    const struct profile_source *of = profile_add_source(&g->profile, row, g->flow->where);
    g->sources = mem_array_zeroed(g->sources, &g->source_capacity, g->profile.source_count,
                                  sizeof *g->sources);
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *t = &of->types[i];
        uint32_t number = value_types_add_bytes(&g->flow->types, t->type, t->unit);
        struct gather_type *type = type_at(g, number);
        type->is_there = true;
        type->is_gauge |= t->gauge;
        type->is_inclusive |= t->inclusive;
    }
    if (!default_type_has_time(of) || of->period <= 0)
        return;
    struct gather_source *source = &g->sources[g->profile.source_count - 1];
    source->time = value_types_add_bytes(&g->flow->types, of->period_type, of->period_unit);
    source->period = of->period;
}

static bool has_name(const struct gather *g, const struct profile_location *l)
{
    const struct profile *p = &g->profile;
    struct str name =
        profile_string_of(p, l->function == 0 ? 0 : p->functions[l->function - 1].name);
    return (name.n > 0 || naming_is_toplevel(l)) && !str_equal(name, NAMING_UNKNOWN) &&
           !str_equal(name, STR("[unknown]"));
}

static void add_location(struct gather *g, const struct row *row)
{
    const size_t id = (size_t)row->location.location_id;
    const struct profile_location *l = profile_add_location(&g->profile, row, g->flow->where);
    g->unnamed = mem_array(g->unnamed, &g->unnamed_capacity, id, sizeof *g->unnamed);
    g->unnamed[id - 1] = !has_name(g, l);
    g->location_count++;
}

void gather_begin(struct gather *g)
{
    g->input = arena_copy(&g->profile.arena, str_of(g->flow->where.file));
    g->format = g->flow->format;
    g->counts = value_types_add(&g->flow->types, STR("samples"), STR("count"));
    g->profile.keep = profile_keep_all;
    g->profile.keeps_provenance = true;
    g->profile.stacks.flow = g->flow;
}

void gather_row(struct gather *g, const struct row *row)
{
    switch (row->table) {
    case TABLE_SOURCES: add_source(g, row); break;
    case TABLE_LOCATIONS: add_location(g, row); break;
    case TABLE_FUNCTIONS:
        profile_add_function(&g->profile, row, g->flow->where);
        g->function_count++;
        break;
    case TABLE_MAPPINGS:
        profile_add_mapping(&g->profile, row, g->flow->where);
        g->mapping_count++;
        break;
    default: break;
    }
}

/* --- samples --- */

static void add_count(struct gather_count *to, struct gather_count x)
{
    to->rows += x.rows;
    to->samples += x.samples;
}

/* Whether TYPE, canonical text, is the name of CPU time, as pprof and perf have it. */
static bool is_cpu(struct str type)
{
    static const struct str names[] = {STR("cpu"), STR("cpu-clock"), STR("task-clock")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str rest = type;
        if (str_take(&rest, names[i]) && (rest.n == 0 || *rest.p == ':'))
            return true;
    }
    return false;
}

/* Adds EXACT, a value of type NUMBER of SOURCE; INTEGER is the same, or NULL. */
static void add_number(struct gather *g, struct gather_source *source, uint32_t number,
                       struct decimal exact, const int64_t *integer)
{
    const struct value_type *type = value_types_get(&g->flow->types, number);
    struct gather_type *t = type_at(g, number);
    t->is_there = true;
    if (integer != NULL)
        wide_add_to(&t->integers, *integer);
    else
        decimal_add(&t->rest, exact);
    if (decimal_sign(exact) != 0) {
        const double x = decimal_to_double(exact);
        if (t->spread.count == 0 || (x >= t->spread.max && decimal_compare(exact, t->max) > 0))
            t->max = exact;
        spread_add(&t->spread, x);
    }
    if (is_cpu(type->type) && units_nanoseconds(type->unit) > 0) {
        decimal_add(&source->cpu, amount_times(exact, units_nanoseconds(type->unit)));
        source->has_cpu = true;
    }
}

static void add_value(struct gather *g, struct gather_source *source, const struct sample_value *v)
{
    const struct decimal exact = sample_value_exact(v);
    add_number(g, source, v->type, exact,
               v->value.kind == NUMBER_INTEGER ? &v->value.integer : NULL);
    if (v->type == g->counts && source->time != 0)
        add_number(g, source, source->time, amount_times(exact, source->period), NULL);
}

/* SAMPLE as a count of one row. */
static struct gather_count count_of(struct gather *g, const struct sample *sample)
{
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct number *n = &sample->values[i].value;
        if (sample->values[i].type == g->counts && n->kind == NUMBER_INTEGER && n->integer >= 0)
            return (struct gather_count){1, (uint64_t)n->integer};
    }
    g->is_uncounted = true;
    return (struct gather_count){1, 0};
}

static void add_stack(struct gather *g, const struct sample *sample, struct gather_count count)
{
    const size_t depth = sample->depth;
    g->depths = mem_array_zeroed(g->depths, &g->depth_capacity, depth + 1, sizeof *g->depths);
    add_count(&g->depths[depth], count);
    g->deepest = depth > g->deepest ? depth : g->deepest;
    if (depth == 0) {
        add_count(&g->no_stack, count);
        return;
    }
    if (g->unnamed[sample->locations[0] - 1])
        add_count(&g->no_name, count);
    g->frames = mem_array(g->frames, &g->frame_capacity, depth, sizeof *g->frames);
    for (size_t i = 0; i < depth; i++)
        g->frames[i] = (uint32_t)sample->locations[i];
    stacks_add(&g->profile.stacks, 0, g->frames, depth, NULL, 0);
}

void gather_sample(struct gather *g, const struct sample *sample)
{
    const struct gather_count count = count_of(g, sample);
    struct gather_source *source = &g->sources[sample->source_id - 1];
    const uint32_t set = profile_label_set(&g->profile, sample->extra, g->flow->where);
    add_count(&g->all, count);
    add_count(&source->count, count);
    if (sample_is_cut(sample))
        add_count(&g->cut, count);
    add_stack(g, sample, count);
    for (size_t i = 0; i < sample->value_count; i++)
        add_value(g, source, &sample->values[i]);
    if (set == 0)
        return;
    g->sets = mem_array_zeroed(g->sets, &g->set_capacity, set, sizeof *g->sets);
    add_count(&g->sets[set - 1], count);
}

/* --- the whole --- */

/* Finds the types that are there: those that sources list come first, in their order. */
static void order_types(struct gather *g)
{
    const uint32_t known = g->flow->types.leads.count;
    bool *is_taken = mem_alloc_zeroed((known + 1) * sizeof *is_taken);
    g->type_order = mem_alloc((known + 1) * sizeof *g->type_order);
    for (size_t i = 0; i < g->profile.source_count; i++)
        for (size_t k = 0; k < g->profile.sources[i].type_count; k++) {
            const struct profile_value_type *t = &g->profile.sources[i].types[k];
            uint32_t number = value_types_add_bytes(&g->flow->types, t->type, t->unit);
            if (!is_taken[number])
                g->type_order[g->type_count++] = number;
            is_taken[number] = true;
        }
    for (uint32_t number = 1; number <= known && number <= g->type_capacity; number++)
        if (g->types[number - 1].is_there && !is_taken[number])
            g->type_order[g->type_count++] = number;
    mem_free(is_taken);
}

struct counting {
    struct gather *g;
    struct intern keys, values; /* struct label: with the key and unit alone; without the rest */
};

static void count_label(struct counting *c, uint32_t set, const struct label *label)
{
    struct gather *g = c->g;
    const bool is_number = label->string == 0;
    const struct label key = {.key = label->key, .unit = label->unit, .number = is_number};
    const struct label value = {label->key, label->string, label->unit, 0, label->number};
    bool is_new;
    uint32_t id = intern_add(&c->keys, (struct str){(const char *)&key, sizeof key}, &is_new);
    g->keys = mem_array(g->keys, &g->key_capacity, id, sizeof *g->keys);
    if (is_new)
        g->keys[id - 1] =
            (struct gather_key){.key = key.key, .unit = key.unit, .is_number = is_number};
    struct gather_key *k = &g->keys[id - 1];
    if (k->last_set != set)
        add_count(&k->count, g->sets[set - 1]);
    k->last_set = set;
    id = intern_add(&c->values, (struct str){(const char *)&value, sizeof value}, &is_new);
    g->values = mem_array(g->values, &g->value_capacity, id, sizeof *g->values);
    if (is_new)
        g->values[id - 1] = (struct gather_value){.label = value};
    add_count(&g->values[id - 1].count, g->sets[set - 1]);
}

static int compare_keys(const void *a, const void *b, void *with)
{
    const struct gather *g = with;
    const struct gather_key *x = a, *y = b;
    int order =
        str_compare(profile_string_of(&g->profile, x->key), profile_string_of(&g->profile, y->key));
    if (order == 0)
        order = str_compare(profile_string_of(&g->profile, x->unit),
                            profile_string_of(&g->profile, y->unit));
    return order != 0 ? order : x->is_number - y->is_number;
}

/* By key, in the same order, and then the most frequent first. */
static int compare_values(const void *a, const void *b, void *with)
{
    const struct gather *g = with;
    const struct gather_value *x = a, *y = b;
    const struct gather_key kx = {.key = x->label.key,
                                  .unit = x->label.unit,
                                  .is_number = x->label.string == 0},
                            ky = {.key = y->label.key,
                                  .unit = y->label.unit,
                                  .is_number = y->label.string == 0};
    const uint64_t cx = gather_samples(g, &x->count), cy = gather_samples(g, &y->count);
    int order = compare_keys(&kx, &ky, with);
    if (order == 0)
        order = (cx < cy) - (cx > cy);
    if (order == 0)
        order = str_compare(profile_string_of(&g->profile, x->label.string),
                            profile_string_of(&g->profile, y->label.string));
    return order != 0 ? order
                      : (x->label.number > y->label.number) - (x->label.number < y->label.number);
}

static void count_labels(struct gather *g)
{
    struct counting c = {.g = g};
    for (uint32_t set = 1; set <= g->set_capacity; set++) {
        size_t count = 0;
        const struct label *labels =
            g->sets[set - 1].rows > 0 ? labels_get(&g->profile.labels, set, &count) : NULL;
        for (size_t i = 0; i < count; i++)
            count_label(&c, set, &labels[i]);
    }
    g->key_count = c.keys.count;
    g->value_count = c.values.count;
    order_items_with(g->keys, g->key_count, sizeof *g->keys, compare_keys, g);
    order_items_with(g->values, g->value_count, sizeof *g->values, compare_values, g);
    for (size_t key = 0, value = 0; key < g->key_count; key++) {
        struct gather_key *k = &g->keys[key];
        k->first = value;
        while (value < g->value_count && g->values[value].label.key == k->key &&
               g->values[value].label.unit == k->unit &&
               (g->values[value].label.string == 0) == k->is_number)
            value++;
        k->value_count = value - k->first;
    }
    intern_free(&c.keys);
    intern_free(&c.values);
}

void gather_finish(struct gather *g)
{
    stacks_finish(&g->profile.stacks);
    order_types(g);
    count_labels(g);
}

size_t gather_depth(const struct gather *g, double percent)
{
    const double with_stack =
        (double)(gather_samples(g, &g->all) - gather_samples(g, &g->no_stack));
    const double rank = ceil(percent / 100 * with_stack);
    double seen = 0;
    for (size_t depth = 1; depth < g->deepest; depth++) {
        seen += (double)gather_samples(g, &g->depths[depth]);
        if (seen >= rank && seen > 0)
            return depth;
    }
    return g->deepest;
}

struct decimal gather_sum(const struct gather_type *t)
{
    struct decimal sum = {t->integers, 0};
    decimal_add(&sum, t->rest);
    return sum;
}

void gather_free(struct gather *g)
{
    for (size_t i = 0; i < g->type_capacity; i++)
        spread_free(&g->types[i].spread);
    profile_free(&g->profile);
    mem_free(g->depths);
    mem_free(g->unnamed);
    mem_free(g->frames);
    mem_free(g->sources);
    mem_free(g->types);
    mem_free(g->sets);
    mem_free(g->type_order);
    mem_free(g->keys);
    mem_free(g->values);
    *g = (struct gather){.flow = g->flow};
}
