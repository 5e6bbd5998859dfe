#include "compare/admit.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/units.h"
#include "rows/emit.h"
#include "rows/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* --- content --- */

static void add_bytes(uint64_t *digest, const void *p, size_t n)
{
    *digest = hash_number(*digest ^ hash_bytes((struct str){(const char *)p, n}));
}

static double seconds_of(const struct number *n)
{
    return n->kind == NUMBER_INTEGER ? (double)n->integer
           : n->kind == NUMBER_REAL  ? strtod(n->real.p, NULL)
                                     : NAN;
}

/* The duration stated by ROW, a source. */
static double duration_of(const struct row *row, struct place where)
{
    struct members walk = members_of(row, where, &findings_ignored);
    struct member m;
    while (members_next(&walk, &m)) {
        if (m.id != MEMBER_ID_PPROF)
            continue;
        struct members facts = members_inside(&walk, &m, m.value);
        while (members_next(&facts, &m))
            if (m.id == MEMBER_ID_DURATION_NANOS && m.integer > 0)
                return (double)m.integer / 1e9;
        break;
    }
    return NAN;
}

struct sides_facts admit_facts(const struct row *row, struct place where)
{
    struct sides_facts facts = {.time = seconds_of(&row->source.source_timestamp),
                                .seconds = duration_of(row, where)};
    add_bytes(&facts.digest, row->source.source_type.p, row->source.source_type.n);
    add_bytes(&facts.digest, row->extra.p, row->extra.n);
    if (!isnan(facts.time))
        add_bytes(&facts.digest, &facts.time, sizeof facts.time);
    return facts;
}

void admit_join(struct sides_run *run, const struct sides_facts *facts)
{
    run->seconds += facts->seconds;
    run->digest = hash_number(run->digest ^ facts->digest);
}

/* Adds the dotted columns EXTRA of a sample, but for its labels. */
static void add_extra(uint64_t *digest, struct str extra, struct place where)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = extra};
    struct members walk = members_of(&row, where, NULL);
    struct member m;
    while (members_next(&walk, &m)) {
        if (m.id == MEMBER_ID_LABELS)
            continue;
        add_bytes(digest, m.name.p, m.name.n);
        add_bytes(digest, m.value.p, m.value.n);
    }
}

void admit_sample(struct sides_run *run, const struct sample *sample, struct place where)
{
    add_bytes(&run->digest, sample->locations, sample->depth * sizeof *sample->locations);
    if (sample->extra.n > 0)
        add_extra(&run->digest, sample->extra, where);
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct sample_value *v = &sample->values[i];
        bool is_integer = v->value.kind == NUMBER_INTEGER;
        run->digest = hash_number(run->digest ^ v->type);
        if (is_integer)
            run->digest = hash_number(run->digest ^ (uint64_t)v->value.integer);
        else
            add_bytes(&run->digest, v->value.real.p, v->value.real.n);
    }
}

void admit_add_name(const struct sides *s, const struct sides_run *run, struct buf *to)
{
    split_add_name(&s->split, &s->collect.profile, (uint32_t)(run - s->runs) + 1, to);
}

/* The name in quotes of RUN, beside OTHER of its side. If both have the same name, the number of
 * the run is added. */
static void add_quoted(const struct sides *s, const struct sides_run *run,
                       const struct sides_run *other, struct buf *to)
{
    struct buf name = {0};
    const size_t from = to->n + 1;
    buf_add(to, STR("\""));
    admit_add_name(s, run, to);
    admit_add_name(s, other, &name);
    const bool is_same = str_equal((struct str){to->p + from, to->n - from}, buf_str(&name));
    buf_add(to, STR("\""));
    buf_free(&name);
    if (!is_same)
        return;
    int64_t number = 0;
    for (const struct sides_run *r = s->runs; r <= run; r++)
        number += r->is_new == run->is_new;
    buf_add(to, STR(" (run "));
    emit_number(to, number);
    buf_add(to, STR(")"));
}

/* --- what was measured --- */

static void add_cost(void *to, const struct stacks_stack *stack, const struct collect_sum *sum)
{
    struct sides *s = to;
    sides_run_of(s, stack)->cost += fabs(sides_sum(s, sum->self));
}

/* Whether the compared type is a sampled one in the source OF. Without samples such a run has
 * measured nothing. */
static bool is_sampled(const struct sides *s, const struct profile_source *of)
{
    static const struct str known[] = {STR("samples"), STR("cpu"), STR("wall")};
    struct str name = value_types_get(s->collect.choice.names, s->collect.choice.chosen)->type;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_equal(name, known[i]))
            return true;
    return of->has_period && str_equal(of->period_type, name) &&
           units_nanoseconds(of->period_unit) != 0;
}

static void find_empty(struct sides *s, size_t count)
{
    for (uint32_t i = 1; i <= s->split.parts.count; i++) {
        const struct profile_source *of;
        struct sides_run *run = sides_part(s, i, &of);
        const size_t source = (size_t)(of - s->collect.profile.sources) + 1;
        if (s->collect.choice.chosen == 0 || !choice_has(&s->collect.choice, source))
            continue;
        run->has_type = true;
        run->is_sampled |= is_sampled(s, of);
    }
    for (size_t i = 0; i < count; i++) {
        struct sides_run *run = &s->runs[i];
        if (run->cost > 0 || (s->is_level && run->has_type))
            continue;
        if (run->is_sampled)
            run->state = SIDES_RUN_EMPTY;
        else if (!run->has_type)
            run->state = run->sample_count == 0 ? SIDES_RUN_EMPTY : SIDES_RUN_LACKS;
    }
}

/* --- copies --- */

static const char *side_of(const struct sides_run *run)
{
    return run->is_new ? "new" : "base";
}

/* For each run that counts: finds the first run with the same content, on its side and on the
 * other.  Levels may well be the same in several runs. */
static void find_equal(struct sides *s, size_t count)
{
    struct idmap first[2] = {{0}, {0}};
    for (size_t i = 0; i < count && !s->is_level; i++) {
        struct sides_run *run = &s->runs[i];
        uint64_t key = run->digest != 0 ? run->digest : 1;
        if (run->state != SIDES_RUN_COUNTS)
            continue;
        run->original = idmap_get(&first[run->is_new], key);
        if (run->original != 0 && s->runs[run->original - 1].source == run->source)
            run->original = i + 1; /* what one file says of two labels is no copy */
        if (run->original == 0) {
            run->original = i + 1;
            idmap_put(&first[run->is_new], key, (uint32_t)i + 1);
        } else if (run->original != i + 1) {
            run->state = SIDES_RUN_COPY;
        }
    }
    for (size_t i = 0; i < count && !s->is_level; i++) {
        struct sides_run *run = &s->runs[i];
        run->twin = idmap_get(&first[!run->is_new], run->digest != 0 ? run->digest : 1);
        if (run->twin != 0 && s->runs[run->twin - 1].source == run->source)
            run->twin = 0;
    }
    idmap_free(&first[0]);
    idmap_free(&first[1]);
}

/* Reports that COUNT runs of a side are copies of others. RUN is the last of them. */
static void tell_copies(const struct sides *s, size_t count, const struct sides_run *run)
{
    struct buf names[2] = {{0}, {0}};
    if (run == NULL)
        return;
    const struct sides_run *original = &s->runs[run->original - 1];
    add_quoted(s, run, original, &names[0]);
    add_quoted(s, original, run, &names[1]);
    if (!isnan(run->time))
        die(CODE_DUPLICATE_RUN,
            "two runs of %s are equal: %.*s has the time and the samples of %.*s" HINT
            "--allow-equal counts them once",
            side_of(run), STR_ARG(buf_str(&names[0])), STR_ARG(buf_str(&names[1])));
    warn(CODE_DUPLICATE_RUN, "copies count once: %zu %s of %s, such as %.*s of %.*s", count,
         count == 1 ? "run" : "runs", side_of(run), STR_ARG(buf_str(&names[0])),
         STR_ARG(buf_str(&names[1])));
    buf_free(&names[0]);
    buf_free(&names[1]);
}

static void tell_equal(const struct sides *s, size_t count)
{
    size_t copies[2] = {0, 0};
    const struct sides_run *last[2] = {NULL, NULL}, *both = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct sides_run *run = &s->runs[i];
        if (run->state == SIDES_RUN_COPY) {
            copies[run->is_new]++;
            last[run->is_new] = run;
        }
        if (run->state == SIDES_RUN_COUNTS && run->twin != 0)
            both = run;
    }
    tell_copies(s, copies[0], last[0]);
    tell_copies(s, copies[1], last[1]);
    if (both == NULL)
        return;
    if (sides_are_equal(s)) {
        warn(CODE_DUPLICATE_RUN, "base and new are equal: they hold the same runs");
        return;
    }
    struct buf name = {0};
    admit_add_name(s, both, &name);
    warn(CODE_DUPLICATE_RUN, "a run is in base and in new: \"%.*s\"", STR_ARG(buf_str(&name)));
    buf_free(&name);
}

/* --- positions and weights --- */

static void order_runs(struct sides *s, size_t count)
{
    size_t next[2] = {0, 0};
    s->base_count = sides_count(s, false, SIDES_RUN_COUNTS);
    s->new_count = sides_count(s, true, SIDES_RUN_COUNTS);
    s->run_count = s->base_count + s->new_count;
    next[1] = s->base_count;
    for (size_t i = 0; i < count; i++)
        if (s->runs[i].state == SIDES_RUN_COUNTS)
            s->runs[i].position = next[s->runs[i].is_new]++;
}

/* The mean weighted cost of the runs of a side. */
static double mean_cost(const struct sides *s, size_t count, bool is_new)
{
    double sum = 0;
    size_t n = is_new ? s->new_count : s->base_count;
    for (size_t i = 0; i < count; i++)
        if (s->runs[i].state == SIDES_RUN_COUNTS && s->runs[i].is_new == is_new)
            sum += s->runs[i].cost * s->runs[i].weight;
    return n == 0 ? 0 : sum / (double)n;
}

/* Ends the tool if a run that counts does not say how long it took. */
static void check_seconds(const struct sides *s, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct sides_run *run = &s->runs[i];
        if (run->state != SIDES_RUN_COUNTS || !isnan(run->seconds))
            continue;
        struct buf name = {0};
        admit_add_name(s, run, &name);
        die(CODE_NO_TIME, "--per=second: \"%.*s\" does not say how long it took",
            STR_ARG(buf_str(&name)));
    }
}

/* Weights runs as if each had the mean of AMOUNTS, by number - 1: seconds or operations. */
static void weigh_by(struct sides *s, const double *amounts, size_t count)
{
    double sum = 0, least = INFINITY, most = 0;
    for (size_t i = 0; i < count; i++) {
        if (s->runs[i].state != SIDES_RUN_COUNTS)
            continue;
        sum += amounts[i];
        least = fmin(least, amounts[i]);
        most = fmax(most, amounts[i]);
    }
    s->divisor = s->run_count == 0 ? 1 : least == most ? most : sum / (double)s->run_count;
    for (size_t i = 0; i < count; i++)
        s->runs[i].weight = s->divisor / amounts[i];
}

static void weigh_seconds(struct sides *s, size_t count)
{
    double *seconds = mem_alloc((count + 1) * sizeof *seconds);
    check_seconds(s, count);
    for (size_t i = 0; i < count; i++)
        seconds[i] = s->runs[i].seconds;
    weigh_by(s, seconds, count);
    mem_free(seconds);
}

static void weigh_runs(struct sides *s, size_t count, const struct sides_how *how)
{
    s->scale = s->divisor = 1;
    s->per = how->per;
    for (size_t i = 0; i < count; i++)
        s->runs[i].weight = 1;
    if (how->per == SIDES_PER_SECOND)
        weigh_seconds(s, count);
    else if (how->per == SIDES_PER_OP)
        weigh_by(s, how->operations, count);
    double base = mean_cost(s, count, false), new = mean_cost(s, count, true);
    if (!how->normalize || !(base > 0 && new > 0))
        return;
    s->scale = base / new;
    for (size_t i = 0; i < count; i++)
        s->runs[i].weight *= s->runs[i].is_new ? s->scale : 1;
}

void admit_runs(struct sides *s, const struct sides_how *how)
{
    size_t count = sides_known(s);
    if (!s->is_level)
        collect_each_stack(&s->collect, add_cost, s);
    find_empty(s, count);
    find_equal(s, count);
    order_runs(s, count);
    if (!how->allow_equal)
        tell_equal(s, count);
    weigh_runs(s, count, how);
}
