#include "rows/loss.h"

#include "base/buf.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/mem.h"
#include "rows/hidden.h"
#include "rows/left_out.h"
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

/* Words for one thing that was lost, and for many. */
struct words {
    const char *one, *many;
};

static const struct {
    struct words words;
    bool is_reported;
} losses[LOSS_COUNT] = {
#define LOSS(constant, one, many, is_reported) [LOSS_##constant] = {{one, many}, is_reported},
    LOSSES(LOSS)
#undef LOSS
};

/* The columns and tables of the model that have words of their own. */
static const struct {
    struct str name;
    struct words words;
} known[] = {
    {STR("functions.filename"), {"file name", "file names"}},
    {STR("locations..filename"),
     {"file name of a frame without a function", "file names of frames without a function"}},
    {STR("functions.start_line"), {"start line of a function", "start lines of functions"}},
    {STR("functions.system_name"), {"mangled name", "mangled names"}},
    {STR("locations.line"), {"line number", "line numbers"}},
    {STR("locations..column"), {"column number", "column numbers"}},
    {STR("locations..inlined_into"), {"mark of an inlined frame", "marks of inlined frames"}},
    {STR("locations..address"), {"address", "addresses"}},
    {STR("locations..is_folded"), {"mark of a merged location", "marks of merged locations"}},
    {STR("locations..mapping_id"), {"mapping of a frame", "mappings of frames"}},
    {STR(".mappings"), {"mapping", "mappings"}},
    {LEFT_OUT_TABLE, {"sum of what a filter left out", "sums of what a filter left out"}},
    {STR("samples..labels"), {"label", "labels"}},
    {STR("samples..time"), {"time of a sample", "times of samples"}},
    {STR("samples..truncated"), {"mark of a cut stack", "marks of cut stacks"}},
};

static _Thread_local struct loss_diversion *diversion;
static _Thread_local uint64_t repeated = 1;
static uint64_t noted; /* losses that counted nothing */

void loss_divert(struct loss_diversion *to)
{
    diversion = to;
}

void loss_repeat(uint64_t times)
{
    repeated = times;
}

void loss_name_target(const char *name)
{
    target = name;
}

void loss_add(enum loss loss, struct str name, uint64_t count)
{
    struct tally *t = &tallies[loss];
    if (count == 0)
        return;
    if (diversion != NULL) {
        diversion->total += count;
        diversion->add(diversion, loss, name, count, NULL);
        return;
    }
    noted += repeated == 0;
    count *= repeated;
    t->sum += count;
    if (name.n == 0)
        return;
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
    if (diversion != NULL) {
        diversion->total++;
        diversion->add(diversion, LOSS_FRACTIONS, name, 1, &more);
        return;
    }
    loss_add(LOSS_FRACTIONS, name, 1);
    uint32_t id = intern_find(&t->names, name);
    if (id == 0)
        return;
    t->more = mem_array_zeroed(t->more, &t->more_capacity, id, sizeof *t->more);
    decimal_add(&t->more[id - 1], more);
}

bool loss_round(struct str name, struct decimal exact, int64_t *rounded)
{
    if (!decimal_round(exact, rounded))
        return false;
    struct decimal more = decimal_of(*rounded);
    decimal_subtract(&more, exact);
    if (decimal_sign(more) != 0)
        loss_add_fraction(name, more);
    return true;
}

/* Whether NAME, of a dotted column or table, only matters to its own format, or to our tables. */
static bool is_own(struct str name)
{
    return source_kind_owner(name) != NULL || hidden_named(name) != NULL ||
           str_equal(name, LEFT_OUT_TABLE);
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
    uint64_t total = noted;
    if (diversion != NULL)
        return diversion->total;
    for (size_t i = 0; i < LOSS_COUNT; i++)
        total += tallies[i].sum;
    return total;
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

/* --- the report --- */

struct report {
    struct buf line; /* the last one: only with it is it known whether the tool goes on */
    bool lossless;
};

static const char *target_name(void)
{
    return target == NULL ? "the output" : target;
}

/* Tells the line of REPORT, after which there is another, and starts that one: COUNT and what WORDS
 * call it. */
static void start_line(struct report *report, uint64_t count, struct words words)
{
    struct buf *line = &report->line;
    if (line->n > 0 && report->lossless)
        diag_error(CODE_LOST_VALUES, "--lossless: not in %s: %.*s", target_name(),
                   STR_ARG(buf_str(line)));
    else if (line->n > 0)
        warn(CODE_LOST_VALUES, "not in %s: %.*s", target_name(), STR_ARG(buf_str(line)));
    line->n = 0;
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64 " ", count);
    buf_add(line, str_of(text));
    buf_add(line, str_of(count == 1 ? words.one : words.many));
}

/* Whether NAME has words of its own. */
static bool is_known(struct str name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_equal(known[i].name, name))
            return true;
    return false;
}

/* Appends the name ID of T, and by how much rounding changed the total of that type. */
static void add_name(struct buf *line, const struct tally *t, uint32_t id)
{
    buf_add(line, intern_get(&t->names, id));
    if (id > t->more_capacity || decimal_sign(t->more[id - 1]) == 0)
        return;
    buf_add(line, decimal_sign(t->more[id - 1]) > 0 ? STR(" +") : STR(" "));
    decimal_write(line, t->more[id - 1]);
    buf_add(line, STR(" in total"));
}

/* Appends the first few names of T that have no words of their own, in parentheses. */
static void add_names(struct buf *line, const struct tally *t)
{
    enum { SHOWN = 3, LENGTH = 60 };
    unsigned shown = 0;
    const size_t start = line->n;
    bool is_all = t->names.count < NAMES_MAX;
    for (uint32_t id = 1; id <= t->names.count; id++) {
        struct str name = intern_get(&t->names, id);
        if (is_known(name))
            continue;
        if (shown == SHOWN || line->n - start + name.n > LENGTH) {
            is_all = false;
            break;
        }
        buf_add(line, shown++ == 0 ? STR(" (") : STR(", "));
        add_name(line, t, id);
    }
    if (!is_all)
        buf_add(line, shown == 0 ? STR(" (-v lists them") : STR(" ...; -v lists all"));
    buf_add(line, shown > 0 || !is_all ? STR(")") : STR(""));
}

/* Adds a line for each name of T that has no words of its own, and one for the REST of the kind,
 * which WORDS name. */
static void list_names(struct report *report, const struct tally *t, struct words words,
                       uint64_t rest)
{
    for (uint32_t id = 1; id <= t->names.count; id++) {
        if (is_known(intern_get(&t->names, id)))
            continue;
        start_line(report, t->counts[id - 1], words);
        buf_add(&report->line, STR(": "));
        add_name(&report->line, t, id);
        rest -= t->counts[id - 1];
    }
    if (rest > 0)
        start_line(report, rest, words);
}

/* Adds a line to REPORT for each kind of loss that T counts: those with words of their own, and the
 * rest, which WORDS name. */
static void add_kinds(struct report *report, const struct tally *t, struct words words)
{
    uint64_t rest = t->sum;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t id = intern_find(&t->names, known[i].name);
        if (id == 0)
            continue;
        start_line(report, t->counts[id - 1], known[i].words);
        rest -= t->counts[id - 1];
    }
    if (rest == 0)
        return;
    if (diag_level >= DIAG_VERBOSE) {
        list_names(report, t, words, rest);
    } else {
        start_line(report, rest, words);
        add_names(&report->line, t);
    }
}

void loss_report(bool lossless)
{
    struct report report = {.lossless = lossless};
    for (size_t i = 0; i < LOSS_COUNT; i++)
        if (losses[i].is_reported || lossless || diag_level >= DIAG_VERBOSE)
            add_kinds(&report, &tallies[i], losses[i].words);
    const struct str last = buf_str(&report.line);
    if (last.n > 0 && lossless)
        die(CODE_LOST_VALUES, "--lossless: not in %s: %.*s", target_name(), STR_ARG(last));
    if (last.n > 0)
        warn(CODE_LOST_VALUES, "not in %s: %.*s", target_name(), STR_ARG(last));
    buf_free(&report.line);
    loss_forget();
}
