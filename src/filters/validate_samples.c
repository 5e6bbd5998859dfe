/* Checks the rows of a sample: depths, value types and order. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/order.h"
#include "filters/validator.h"

#include <inttypes.h>

/* Max number of locations that wait for ones with smaller depths. */
enum { DEPTHS_MAX = 1 << 18 };

/* A location that came out of order. */
struct validator_depth {
    int64_t depth;
    uint64_t line;
    bool twice;
};

/* --- depths --- */

static int by_line(const void *a, const void *b)
{
    const struct validator_depth *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

static int by_depth(const void *a, const void *b)
{
    const struct validator_depth *x = a, *y = b;
    return x->depth != y->depth ? (x->depth < y->depth ? -1 : 1) : by_line(a, b);
}

static void found_depth(const struct validator *v, enum rule rule, const struct validator_depth *at,
                        int64_t expected)
{
    struct place where = {v->where.file, PLACE_LINE, at->line};
    struct str table = STR("sample_locations"), column = STR("depth");
    if (rule == RULE_UNIQUE)
        finding_add(v->findings, where, rule, table, column,
                    "%" PRId64 " comes twice in sample %" PRId64, at->depth, v->sample_id);
    else if (rule == RULE_DEPTH)
        finding_add(v->findings, where, rule, table, column,
                    "expected %" PRId64 ", found %" PRId64 ": depths have no gaps", expected,
                    at->depth);
    else
        finding_add(v->findings, where, rule, table, column,
                    "%" PRId64 " comes after a greater one: profsort puts rows in order",
                    at->depth);
}

/* For depths that are not 1, 2, 3, ...: reports duplicates and gaps. */
static void check_gaps(struct validator *v)
{
    int64_t last = v->depth;
    order_items(v->depths, v->depth_count, sizeof *v->depths, by_depth);
    for (size_t i = 0; i < v->depth_count; i++) {
        struct validator_depth *d = &v->depths[i];
        d->twice = d->depth <= last;
        if (d->twice)
            found_depth(v, RULE_UNIQUE, d, 0);
        else if (d->depth - 1 > last && !v->doubtful)
            found_depth(v, RULE_DEPTH, d, last + 1);
        last = d->twice ? last : d->depth;
    }
}

/* Reports depths that are only out of order. */
static void check_depth_order(struct validator *v)
{
    int64_t greatest = v->depth;
    order_items(v->depths, v->depth_count, sizeof *v->depths, by_line);
    for (size_t i = 0; i < v->depth_count; i++) {
        struct validator_depth *d = &v->depths[i];
        if (d->depth < greatest && !d->twice)
            found_depth(v, RULE_ORDER, d, 0);
        greatest = d->depth > greatest ? d->depth : greatest;
    }
}

/* Checks the waiting depths, and empties the list. */
static void check_depths(struct validator *v)
{
    check_gaps(v);
    check_depth_order(v);
    for (size_t i = 0; i < v->depth_count; i++)
        v->depth = v->depths[i].depth > v->depth ? v->depths[i].depth : v->depth;
    v->depth_count = 0;
}

/* Takes a location after those up to v->depth, but not the next one. */
static void check_later_depth(struct validator *v, const struct validator_depth *d)
{
    if (!v->request->any_order && !v->has_judged) {
        v->depths = mem_array(v->depths, &v->depth_capacity, v->depth_count + 1, sizeof *v->depths);
        v->depths[v->depth_count++] = *d;
        v->has_judged = v->depth_count == DEPTHS_MAX;
        if (v->has_judged)
            check_depths(v);
        return;
    }
    if (!v->doubtful)
        found_depth(v, RULE_DEPTH, d, v->depth + 1);
    v->depth = d->depth;
}

void validator_end_sample(struct validator *v)
{
    if (v->depth_count > 0)
        check_depths(v);
    v->in_sample = false;
}

void validator_sample(struct validator *v, const struct row *row)
{
    validator_end_sample(v);
    v->in_sample = true;
    v->in_locations = v->doubtful = v->has_judged = false;
    v->depth = v->outer = 0;
    v->sample_number++;
    v->sample_id = row->sample.sample_id;
}

/* --- the sample of a row, and its content --- */

/* Whether a row of TABLE with sample id ID belongs to the current sample. */
static bool is_of_sample(struct validator *v, struct str table, int64_t id)
{
    if ((v->bad & 1) != 0) /* the id is not valid */
        return v->in_sample;
    if (v->in_sample && v->sample_id == 0)
        v->sample_id = id;
    if (v->in_sample && v->sample_id == id)
        return true;
    struct column_place at = {v->where, table, STR("sample_id")};
    if (!relations_has(&v->relations, TABLE_SAMPLES, id))
        relations_wait(&v->relations, &at, TABLE_SAMPLES, id);
    else if (!v->request->any_order)
        FOUND(v, ORDER, table, STR("sample_id"),
              "sample %" PRId64 " is not the one being read: profsort puts rows in order", id);
    return false;
}

void validator_value(struct validator *v, const struct row *row)
{
    static const struct str table = STR("sample_values");
    if (!is_of_sample(v, table, row->sample_value.sample_id))
        return;
    if (v->in_locations)
        FOUND(v, ORDER, table, STR(""),
              "values stand before the locations of a sample: profsort puts rows in order");
    if ((v->bad & 2) != 0)
        return;
    bool is_new;
    uint32_t type = intern_add(&v->types, row->sample_value.type, &is_new);
    v->type_samples = mem_array(v->type_samples, &v->type_capacity, type, sizeof *v->type_samples);
    if (is_new)
        v->type_samples[type - 1] = 0;
    if (v->type_samples[type - 1] == v->sample_number)
        FOUND(v, UNIQUE, table, STR("type"), "\"%.*s\" comes twice in sample %" PRId64,
              STR_ARG(row->sample_value.type), v->sample_id);
    v->type_samples[type - 1] = v->sample_number;
}

void validator_found_apart(struct validator *v, const struct row *row)
{
    if ((v->bad & 4) == 0)
        FOUND(v, INLINED, STR("sample_locations"), STR("location_id"),
              "expected %" PRId64 ", which the location before is inlined into, found %" PRId64,
              v->outer, row->sample_location.location_id);
}

void validator_other_location(struct validator *v, const struct row *row)
{
    if (!is_of_sample(v, STR("sample_locations"), row->sample_location.sample_id))
        return;
    v->in_locations = true;
    struct validator_depth d = {row->sample_location.depth, v->where.at, false};
    if ((v->bad & 2) != 0)
        v->doubtful = true;
    else if (d.depth <= v->depth) /* gaps exist only among depths that have been checked */
        found_depth(v, v->has_judged && d.depth < v->depth ? RULE_ORDER : RULE_UNIQUE, &d, 0);
    else if (d.depth - 1 == v->depth && v->depth_count == 0)
        v->depth = d.depth;
    else
        check_later_depth(v, &d);
    if (d.depth == (int64_t)LIMITS_FRAMES + 1)
        FOUND(v, RANGE, STR("sample_locations"), STR("depth"), LIMITS_FRAMES_TEXT, LIMITS_FRAMES);
    v->outer = 0; /* the next location is not certain */
}
