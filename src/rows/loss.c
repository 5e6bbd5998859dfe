#include "rows/loss.h"

#include "base/buf.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/mem.h"
#include "rows/hidden.h"
#include "rows/members.h"
#include "rows/source_kind.h"
#include "rows/text.h"

#include <inttypes.h>
#include <stdio.h>

/* Names are kept for -v, but not more than anybody would read. */
enum { NAMES_MAX = 1000 };

/* A kind of loss: its count in all, and by name. */
struct tally {
    uint64_t sum;
    struct intern names;
    uint64_t *counts; /* by name */
    size_t capacity;
    struct decimal *more; /* for fractions, by name: the sum of written minus exact values */
    size_t more_capacity;
};

static const char *target;
static struct tally tallies[LOSS_COUNT], aside[LOSS_COUNT];

static const struct {
    const char *what;
    bool is_reported;
} losses[LOSS_COUNT] = {
#define LOSS(constant, what, is_reported) [LOSS_##constant] = {what, is_reported},
    LOSSES(LOSS)
#undef LOSS
};

/* The names in messages of columns and tables of the model. */
static const struct {
    struct str name, words;
} known[] = {
    {STR("functions.filename"), STR("file names")},
    {STR("locations..filename"), STR("file names of frames without a function")},
    {STR("functions.start_line"), STR("start lines of functions")},
    {STR("functions.system_name"), STR("mangled names")},
    {STR("locations.line"), STR("line numbers")},
    {STR("locations..column"), STR("column numbers")},
    {STR("locations..inlined_into"), STR("marks of inlined frames")},
    {STR("locations..address"), STR("addresses")},
    {STR("locations..is_folded"), STR("marks of merged locations")},
    {STR("locations..mapping_id"), STR("mappings of frames")},
    {STR(".mappings"), STR("mappings")},
    {STR("samples..labels"), STR("labels")},
    {STR("samples..time"), STR("times of samples")},
    {STR("samples..truncated"), STR("marks of cut stacks")},
};

void loss_name_target(const char *name)
{
    target = name;
}

void loss_add(enum loss loss, struct str name, uint64_t count)
{
    struct tally *t = &tallies[loss];
    t->sum += count;
    bool is_new = false;
    uint32_t id = t->names.count < NAMES_MAX ? intern_add(&t->names, name, &is_new)
                                             : intern_find(&t->names, name);
    if (id == 0)
        return;
    t->counts = mem_array(t->counts, &t->capacity, id, sizeof *t->counts);
    t->counts[id - 1] = (is_new ? 0 : t->counts[id - 1]) + count;
}

void loss_add_fraction(struct str name, struct decimal more)
{
    struct tally *t = &tallies[LOSS_FRACTIONS];
    loss_add(LOSS_FRACTIONS, name, 1);
    uint32_t id = intern_find(&t->names, name);
    if (id == 0)
        return;
    t->more = mem_array_zeroed(t->more, &t->more_capacity, id, sizeof *t->more);
    decimal_add(&t->more[id - 1], more);
}

/* Whether NAME, of a dotted column or table, only matters to its own format. */
static bool is_own(struct str name)
{
    return source_kind_owner(name) != NULL || hidden_named(name) != NULL;
}

/* Counts NAME inside COLUMN of ROW. */
static void add_in_row(enum loss loss, const struct row *row, struct str column, struct str name)
{
    struct buf full = {0};
    buf_add(&full, row_table_name(row));
    buf_add(&full, STR("."));
    buf_add(&full, column);
    buf_add(&full, name.n > 0 ? STR(".") : STR(""));
    buf_add(&full, name);
    loss_add(loss, buf_str(&full), 1);
    buf_free(&full);
}

void loss_add_column(const struct row *row, struct str name)
{
    add_in_row(is_own(name) ? LOSS_OWN : LOSS_DOTTED_COLUMNS, row, name, STR(""));
}

void loss_add_inside(const struct row *row, struct str column, struct str name)
{
    add_in_row(is_own(column) ? LOSS_OWN : LOSS_DOTTED_COLUMNS, row, column, name);
}

void loss_add_columns(const struct row *row)
{
    struct str rest = row->extra, name, value;
    while (text_next_member(&rest, &name, &value))
        if (!str_equal(name, STR(".ends")))
            loss_add_column(row, name);
}

void loss_add_extra(enum table table, struct str extra)
{
    if (extra.n > 0)
        loss_add_columns(&(struct row){.table = table, .extra = extra});
}

void loss_add_sample(const struct sample *sample, struct place where)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = sample->extra};
    struct members walk = members_of(&row, where, NULL);
    struct member m;
    while (walk.rest.n > 0 && members_next(&walk, &m))
        if (m.id == MEMBER_ID_OTHER || m.kind != MEMBER_FLAG || m.flag)
            loss_add_column(&row, m.name);
    for (size_t i = 0; sample->location_extras != NULL && i < sample->depth; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
}

void loss_add_bytes(const struct row *row, struct str bytes)
{
    struct str rest = text_inside(bytes), name, value;
    while (text_next_member(&rest, &name, &value))
        if (!members_is_string(row, name))
            add_in_row(LOSS_DOTTED_COLUMNS, row, STR(".bytes"), name);
}

void loss_add_row(const struct row *row)
{
    loss_add(is_own(row_table_name(row)) ? LOSS_OWN : LOSS_DOTTED_ROWS, row_table_name(row), 1);
}

uint64_t loss_total(void)
{
    uint64_t total = 0;
    for (size_t i = 0; i < LOSS_COUNT; i++)
        total += tallies[i].sum;
    return total;
}

static const char *name_of_target(void)
{
    return target == NULL ? "the output" : target;
}

static void name_tally(const struct tally *t, const char *what)
{
    uint64_t others = t->sum;
    for (uint32_t i = 1; i <= t->names.count; i++) {
        note("not in %s: %s: %.*s (%" PRIu64 ")", name_of_target(), what,
             STR_ARG(intern_get(&t->names, i)), t->counts[i - 1]);
        others -= t->counts[i - 1];
    }
    if (others > 0)
        note("not in %s: %s: others (%" PRIu64 ")", name_of_target(), what, others);
}

void loss_forget(void)
{
    for (size_t i = 0; i < LOSS_COUNT; i++) {
        intern_free(&tallies[i].names);
        mem_free(tallies[i].counts);
        mem_free(tallies[i].more);
        tallies[i] = (struct tally){0};
    }
}

void loss_put_aside(void)
{
    memcpy(aside, tallies, sizeof aside);
    memset(tallies, 0, sizeof tallies);
}

void loss_take_back(void)
{
    loss_forget();
    memcpy(tallies, aside, sizeof tallies);
}

/* Appends to LINE how much rounding changed the totals in T, for the first few types. */
static void add_differences(struct buf *line, const struct tally *t)
{
    enum { SHOWN = 3 };
    unsigned shown = 0;
    for (uint32_t i = 1; i <= t->more_capacity && i <= t->names.count && shown < SHOWN; i++) {
        if (decimal_sign(t->more[i - 1]) == 0)
            continue;
        buf_add(line, shown++ == 0 ? STR("; in total: ") : STR(", "));
        buf_add(line, intern_get(&t->names, i));
        buf_add(line, decimal_sign(t->more[i - 1]) > 0 ? STR(" +") : STR(" "));
        decimal_write(line, t->more[i - 1]);
    }
}

static void add_sum(struct buf *line, struct str what, uint64_t sum)
{
    char text[32];
    snprintf(text, sizeof text, " (%" PRIu64, sum);
    buf_add(line, line->n > 0 ? STR(", ") : STR(""));
    buf_add(line, what);
    buf_add(line, str_of(text));
}

/* Appends to LINE the counts in T whose names have other words in messages.  Returns the sum of
 * the rest. */
static uint64_t add_known(struct buf *line, const struct tally *t)
{
    uint64_t rest = t->sum;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t id = intern_find(&t->names, known[i].name);
        if (id == 0)
            continue;
        add_sum(line, known[i].words, t->counts[id - 1]);
        buf_add(line, STR(")"));
        rest -= t->counts[id - 1];
    }
    return rest;
}

/* Appends the sums to LINE: of all kinds, or of those that are reported by default. */
static void sum_up(struct buf *line, bool all)
{
    for (size_t i = 0; i < LOSS_COUNT; i++) {
        if (tallies[i].sum == 0 || !(all || losses[i].is_reported))
            continue;
        uint64_t rest = losses[i].is_reported ? add_known(line, &tallies[i]) : tallies[i].sum;
        if (rest == 0)
            continue;
        add_sum(line, str_of(losses[i].what), rest);
        add_differences(line, &tallies[i]);
        buf_add(line, STR(")"));
    }
}

void loss_report(bool lossless)
{
    bool is_verbose = diag_level >= DIAG_VERBOSE;
    struct buf line = {0};
    sum_up(&line, lossless || is_verbose);
    if (line.n > 0) {
        for (size_t i = 0; i < LOSS_COUNT; i++)
            name_tally(&tallies[i], losses[i].what);
        if (lossless)
            die(STATUS_INPUT, "--lossless: not in %s: %.*s", name_of_target(),
                STR_ARG(buf_str(&line)));
        warn("not in %s: %.*s%s", name_of_target(), STR_ARG(buf_str(&line)),
             is_verbose ? "" : " (-v lists them)");
    }
    buf_free(&line);
    loss_forget();
}
