/* Memory over time: levels as lines, allocations as bars.
 *
 * Samples are put into bins as they come: by their times if they have any, else one after another. When
 * there are too many bins, neighbours are merged, so memory does not grow with the number of
 * samples. */
#include "base/diag.h"
#include "base/mem.h"
#include "base/port.h"
#include "base/units.h"
#include "page/svg.h"
#include "pictures/plot_parts.h"
#include "rows/members.h"
#include "rows/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Bins per type (even); max number of types; height of the two plots, and the gap between them;
 * width of the numbers at the left. */
enum { BINS = 4096, TYPES = 8, PLOT = 160, BETWEEN = 28, NUMBERS = 56 };

struct bin {
    double min, max, last;
    double at;  /* of LAST */
    double sum; /* of values above 0 */
    double all; /* the same of all values */
    bool is_used;
};

struct series {
    uint32_t type; /* a number in the table of types */
    struct bin *bins;
    double level; /* so far in this moment */
    bool has_level;
};

struct plot_memory {
    struct series series[TYPES];
    size_t count;           /* of types */
    size_t left_out, below; /* values without room for their type, and values below 0 */
    double size;            /* of a bin: samples, or nanoseconds; a power of two */
    double at;              /* start of the next sample, or of the current one's time */

    /* Samples have times: then they need no order. */
    bool is_timed;
    bool lacks_times;  /* but some have none */
    double base;       /* where the first bin starts */
    double first, end; /* the earliest and the latest time */

    /* A level may be in several samples of one moment (ROLE_MOMENT), one for each stack. */
    bool has_moment;
    int64_t moment, source;
    double since; /* its first sample */
};

/* --- collecting --- */

void plot_memory_open(struct plot *p)
{
    p->memory = mem_alloc_zeroed(sizeof *p->memory);
    p->memory->size = 1;
}

static struct bin united(struct bin a, struct bin b)
{
    if (!a.is_used || !b.is_used)
        return a.is_used ? a : b;
    return (struct bin){.min = fmin(a.min, b.min),
                        .max = fmax(a.max, b.max),
                        .last = b.at >= a.at ? b.last : a.last,
                        .at = fmax(a.at, b.at),
                        .sum = a.sum + b.sum,
                        .all = a.all + b.all,
                        .is_used = true};
}

/* Doubles the width of bins. They stay at multiples of it: so where they are does not depend on the
 * order of samples. */
static void widen(struct plot_memory *m)
{
    static const struct bin none;
    const size_t odd = fmod(m->base / m->size, 2) != 0; /* then the first one has no partner */
    for (size_t k = 0; k < m->count; k++) {
        struct bin *bins = m->series[k].bins;
        for (size_t i = 0; i < BINS / 2 + odd; i++)
            bins[i] = united(2 * i >= odd ? bins[2 * i - odd] : none,
                             2 * i + 1 - odd < BINS ? bins[2 * i + 1 - odd] : none);
        memset(bins + BINS / 2 + odd, 0, (BINS / 2 - odd) * sizeof *bins);
    }
    m->base -= (double)odd * m->size;
    m->size *= 2;
}

/* The series of TYPE, or NULL if there are too many. */
static struct series *series_of(struct plot_memory *m, uint32_t type)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->series[i].type == type)
            return &m->series[i];
    if (m->count == TYPES) {
        m->left_out++;
        return NULL;
    }
    struct series *series = &m->series[m->count++];
    *series = (struct series){.type = type, .bins = mem_alloc_zeroed(BINS * sizeof(struct bin))};
    return series;
}

/* Bytes per unit of TYPE; 0 if its unit is not a size. */
static int64_t bytes_of(const struct plot *p, uint32_t type)
{
    const struct value_types *types = &p->summary.collect.flow->types;
    return units_in(value_types_get(types, type)->unit, STR("bytes"));
}

static double number_in(const struct sample_value *v)
{
    return v->value.kind == NUMBER_INTEGER ? (double)v->value.integer
                                           : strtod(v->value.real.p, NULL);
}

static void add_to_bin(const struct plot_memory *m, struct series *s, double at, double n)
{
    const size_t i = (size_t)((at - m->base) / m->size);
    struct bin *bin = &s->bins[i < BINS ? i : BINS - 1];
    *bin = united(*bin, (struct bin){n, n, n, at, fmax(n, 0), n, true});
}

static bool is_level(const struct plot *p, const struct series *s);

void plot_memory_end_moment(struct plot *p)
{
    struct plot_memory *m = p->memory;
    for (size_t i = 0; i < m->count; i++)
        if (m->series[i].has_level) {
            add_to_bin(m, &m->series[i], m->since, m->series[i].level);
            m->series[i].level = 0;
            m->series[i].has_level = false;
        }
    m->has_moment = false;
}

/* Begins the moment of SAMPLE, unless it is that of the last one. */
static void enter_moment(struct plot *p, const struct sample *sample)
{
    struct plot_memory *m = p->memory;
    const struct row row = {.table = TABLE_SAMPLES, .extra = sample->extra};
    struct member moment = {.integer = 0};
    const bool has_moment = members_get_role(&row, ROLE_MOMENT, &moment);
    if (has_moment && m->has_moment && moment.integer == m->moment &&
        sample->source_id == m->source)
        return;
    plot_memory_end_moment(p);
    m->has_moment = has_moment;
    m->moment = moment.integer;
    m->source = sample->source_id;
    m->since = m->at;
}

/* Where the bin begins that has the first time. */
static double base_of(const struct plot_memory *m)
{
    return floor(m->first / m->size) * m->size;
}

/* Makes the bins reach to TIME. */
static void enter_time(struct plot_memory *m, double time)
{
    if (m->count == 0) /* the first one */
        m->base = m->first = m->end = time;
    m->at = time;
    m->first = fmin(m->first, time);
    m->end = fmax(m->end, time);
    while (m->end - base_of(m) >= m->size * BINS)
        widen(m);
    const size_t moved = (size_t)((m->base - base_of(m)) / m->size);
    for (size_t k = 0; k < m->count && moved > 0; k++) {
        struct bin *bins = m->series[k].bins;
        memmove(bins + moved, bins, (BINS - moved) * sizeof *bins);
        memset(bins, 0, moved * sizeof *bins);
    }
    m->base = base_of(m);
}

bool plot_memory_is_timed(const struct plot *p)
{
    return p->memory != NULL && p->memory->is_timed && !p->memory->lacks_times;
}

/* Goes to the place of SAMPLE, which was taken at *TIME if that is the axis. */
static void enter(struct plot *p, const struct sample *sample, const int64_t *time)
{
    struct plot_memory *m = p->memory;
    if (m->is_timed)
        enter_time(m, (double)*time);
    while (!m->is_timed && m->at >= m->size * BINS)
        widen(m);
    enter_moment(p, sample);
}

void plot_memory_add(struct plot *p, const struct sample *sample, int64_t count,
                     const int64_t *time)
{
    struct plot_memory *m = p->memory;
    if (m->at == 0 && time != NULL)
        m->is_timed = true;
    m->lacks_times |= m->is_timed && time == NULL;
    if (m->lacks_times)
        return;
    bool has_entered = !m->is_timed; /* times of samples without bytes say nothing */
    if (has_entered)
        enter(p, sample, time);
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct sample_value *v = &sample->values[i];
        int64_t bytes = bytes_of(p, v->type);
        if (bytes != 0 && !has_entered)
            enter(p, sample, time);
        has_entered |= bytes != 0;
        struct series *series = bytes == 0 ? NULL : series_of(m, v->type);
        if (series == NULL)
            continue;
        double n = number_in(v) * (double)bytes;
        m->below += n < 0;
        if (is_level(p, series)) {
            series->level += n;
            series->has_level = true;
        } else {
            add_to_bin(m, series, m->at, n);
        }
    }
    if (!m->is_timed)
        m->at += (double)count;
}

void plot_memory_free(struct plot *p)
{
    if (p->memory == NULL)
        return;
    for (size_t i = 0; i < p->memory->count; i++)
        mem_free(p->memory->series[i].bins);
    mem_free(p->memory);
}

/* --- what is drawn --- */

static bool is_level(const struct plot *p, const struct series *s)
{
    const struct choice *choice = &p->summary.collect.choice;
    return s->type <= choice->type_capacity && choice->types[s->type - 1].is_gauge;
}

/* The sample or the time at which the axis begins: of times the same as on other plots, which have those
 * of samples without such values, too. */
static double first_of(const struct plot *p)
{
    return !plot_memory_is_timed(p) ? 0
           : plot_is_timed(p)       ? (double)p->times->first
                                    : p->memory->first;
}

/* Its length. */
static double span_of(const struct plot *p)
{
    const struct plot_memory *m = p->memory;
    if (!plot_memory_is_timed(p))
        return p->samples;
    return fmax(plot_is_timed(p) ? plot_span(p) : m->end - m->first, 1);
}

/* Bins are drawn as steps, each of so many bins that it has a pixel, or as many as the smallest box of a
 * coarse plot. */
static size_t bins_of_step(const struct plot *p)
{
    const double pixels = p->width - 2 * PLOT_MARGIN - NUMBERS;
    const double bins = span_of(p) / p->memory->size / pixels * p->coarse;
    return bins > 1 ? (size_t)fmin(bins, BINS) : 1;
}

/* The samples or nanoseconds of a step. */
static double step_size(const struct plot *p)
{
    return p->memory->size * (double)bins_of_step(p);
}

static size_t steps_of(const struct plot *p)
{
    const size_t bins = bins_of_step(p);
    return (BINS + bins - 1) / bins;
}

/* Step I of S, as one bin. */
static struct bin step_of(const struct plot *p, const struct series *s, size_t i)
{
    const size_t bins = bins_of_step(p);
    struct bin step = {.is_used = false};
    for (size_t at = i * bins; at < (i + 1) * bins && at < BINS; at++)
        step = united(step, s->bins[at]);
    return step;
}

/* The height of STEP of S: the max for levels, the sum for others. */
static double height_of_step(const struct plot *p, const struct series *s, const struct bin *step)
{
    return is_level(p, s) ? step->max : step->sum;
}

/* The number of series that are levels, or not; *MAX is the largest height. */
static size_t count_series(const struct plot *p, bool levels, double *max)
{
    size_t count = 0;
    *max = 0;
    for (size_t k = 0; k < p->memory->count; k++) {
        const struct series *s = &p->memory->series[k];
        if (is_level(p, s) != levels)
            continue;
        count++;
        for (size_t i = 0; i < steps_of(p); i++) {
            const struct bin step = step_of(p, s, i);
            *max = fmax(*max, step.is_used ? height_of_step(p, s, &step) : 0);
        }
    }
    return count;
}

static size_t plots_of(const struct plot *p)
{
    double max;
    return (count_series(p, true, &max) > 0) + (count_series(p, false, &max) > 0);
}

static const char *memory_lacks(const struct plot *p)
{
    return p->memory->count == 0    ? "no sample has values in bytes"
           : p->memory->lacks_times ? "some samples have a time, and others have none"
                                    : NULL;
}

/* Colours that differ as lines on white and on black; the first ones also for colour-blind
 * readers. */
static uint32_t colour_of_series(size_t i)
{
    static const uint32_t colours[TYPES] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                            0x7a5bd0, 0xa6761d, 0x7f7f7f, 0xc2185b};
    return colours[i];
}

/* The rows of the legend, drawn from Y on if IS_DRAWN, else only measured. */
static size_t draw_names(struct plot *p, double y, bool is_drawn)
{
    enum { LINE = 2, BAR = 10 };
    struct plot_legend l = {.p = p, .top = y, .rows = 1, .rows_max = TYPES, .is_drawn = is_drawn};
    for (size_t k = 0; k < p->memory->count; k++) {
        const struct series *s = &p->memory->series[k];
        const struct value_types *types = &p->summary.collect.flow->types;
        plot_legend_add(&l, value_types_get(types, s->type)->type, colour_of_series(k),
                        is_level(p, s) ? LINE : BAR);
    }
    return l.rows;
}

/* The height of what is below the plots. */
static double height_of_foot(struct plot *p)
{
    return PLOT_AXIS + (double)draw_names(p, 0, false) * PLOT_ROW;
}

static double height_of_plot(struct plot *p)
{
    double plots = (double)plots_of(p), others = height_of_foot(p);
    if (p->height <= 0)
        return PLOT;
    return fmax((p->height - others - (plots - 1) * BETWEEN) / plots, 2 * PLOT_ROW);
}

static double measure_memory(struct plot *p)
{
    double plots = (double)plots_of(p);
    return plots * height_of_plot(p) + (plots - 1) * BETWEEN + height_of_foot(p);
}

static void caption_memory(struct plot *p, struct buf *to)
{
    const struct plot_memory *m = p->memory;
    buf_add(to, STR("levels as lines, what was allocated or freed as bars"));
    if (step_size(p) > 1) {
        buf_add(to, STR("; a step is "));
        if (plot_memory_is_timed(p)) {
            plot_add_time(to, step_size(p));
        } else {
            sheet_add_grouped_count(to, (uint64_t)step_size(p));
            buf_add(to, STR(" samples"));
        }
        buf_add(to, STR(": the highest level, all that was allocated"));
    }
    if (m->left_out > 0) {
        buf_add(to, STR("; values of further types are not drawn: "));
        sheet_add_grouped_count(to, m->left_out);
    }
    if (m->below > 0) {
        buf_add(to, STR("; values below 0 are drawn as 0: "));
        sheet_add_grouped_count(to, m->below);
    }
}

struct drawing {
    struct plot *p;
    struct plot_axis time, bytes;
};

/* Whether the values of S say what was freed: they point down. */
static bool is_freed(const struct plot *p, const struct series *s)
{
    const struct str type = value_types_get(&p->summary.collect.flow->types, s->type)->type;
    return !is_level(p, s) &&
           (port_memmem(type.p, type.n, "dealloc", 7) != NULL || str_starts(type, STR("free")));
}

static double y_of(const struct drawing *d, double value)
{
    return plot_at_left(&d->bytes, fmax(value, 0));
}

/* The pixel at which step I begins, and the one before it ends. */
static double start_of(const struct drawing *d, size_t i)
{
    const double at = d->p->memory->base + (double)i * step_size(d->p) - first_of(d->p);
    return plot_at(&d->time, fmin(fmax(at, 0), d->time.size));
}

/* A level stays the same until the next sample. */
static void draw_level(struct drawing *d, size_t k)
{
    struct plot *p = d->p;
    struct bin before = {.is_used = false};
    size_t end_before = 0;
    svg_open(p->out, "polyline");
    svg_open_points(p->out);
    for (size_t i = 0; i < steps_of(p); i++) {
        const struct bin step = step_of(p, &p->memory->series[k], i);
        if (!step.is_used)
            continue;
        const double start = start_of(d, i), end = start_of(d, i + 1);
        if (before.is_used && end_before < i) {
            svg_point(p->out, start_of(d, end_before), y_of(d, before.last));
            svg_point(p->out, start, y_of(d, before.last));
        }
        if (before.is_used && step.min < step.max)
            svg_point(p->out, start, y_of(d, step.min));
        svg_point(p->out, start, y_of(d, step.max));
        svg_point(p->out, end, y_of(d, step.max));
        before = step;
        end_before = i + 1;
    }
    svg_close_points(p->out);
    svg_string(p->out, "fill", STR("none"));
    svg_colour(p->out, "stroke", colour_of_series(k));
    svg_number(p->out, "stroke-width", 1.5);
    svg_close(p->out);
}

/* Sets the text of P to that of a bar of BYTES of series K. */
static void describe(struct plot *p, size_t k, double bytes)
{
    const struct wide sum = wide_of_double(bytes);
    const struct sheet_scale scale = sheet_scale_of(STR("bytes"), 0, sum);
    const struct value_types *types = &p->summary.collect.flow->types;
    p->text.n = 0;
    buf_add(&p->text, value_types_get(types, p->memory->series[k].type)->type);
    buf_add(&p->text, STR(": "));
    plot_add_value(&p->text, sum, &scale);
}

/* A bar for each step with a value. */
static void draw_amounts(struct drawing *d, size_t k)
{
    struct plot *p = d->p;
    const bool is_down = is_freed(p, &p->memory->series[k]);
    const double zero = y_of(d, 0);
    for (size_t i = 0; i < steps_of(p); i++) {
        const struct bin step = step_of(p, &p->memory->series[k], i);
        if (!step.is_used || !(step.sum > 0))
            continue;
        const double x = start_of(d, i);
        const double y = plot_at_left(&d->bytes, is_down ? -step.sum : step.sum);
        describe(p, k, step.sum);
        plot_open_box(p, x, fmin(y, zero), start_of(d, i + 1) - x, fabs(y - zero));
        svg_string(p->out, "class", STR("bytes"));
        svg_colour(p->out, "fill", colour_of_series(k));
        svg_number(p->out, "fill-opacity", 0.6);
        plot_end_box(p);
    }
}

/* The largest bar of the series that point down, or of the others. */
static double largest_of(const struct plot *p, bool are_freed)
{
    double largest = 0;
    for (size_t k = 0; k < p->memory->count; k++) {
        const struct series *s = &p->memory->series[k];
        for (size_t i = 0; i < steps_of(p) && !is_level(p, s) && is_freed(p, s) == are_freed; i++)
            largest = fmax(largest, step_of(p, s, i).sum);
    }
    return largest;
}

/* Draws the series that are LEVELS, or the others, from TOP on. */
static void draw_series(struct plot *p, const struct plot_axis *time, bool levels, double max,
                        double top)
{
    struct buf title = {0};
    const double below = levels ? 0 : largest_of(p, true),
                 above = levels ? max : largest_of(p, false);
    struct sheet_scale scale = sheet_scale_of(STR("bytes"), 0, wide_of_double(max));
    buf_add(&title, levels      ? STR("level (")
                    : below > 0 ? STR("allocated; freed below (")
                                : STR("allocated ("));
    buf_add(&title, scale.unit);
    buf_add(&title, STR(")"));
    struct drawing d = {.p = p,
                        .time = *time,
                        .bytes = {.from = top,
                                  .length = height_of_plot(p),
                                  .size = above > 0 || below > 0 ? above : 1,
                                  .below = below,
                                  .one = (double)scale.size,
                                  .title = buf_str(&title)}};
    plot_axis_left(p, &d.bytes, time->from, time->from + time->length);
    for (size_t k = 0; k < p->memory->count; k++)
        if (is_level(p, &p->memory->series[k]) == levels)
            (levels ? draw_level : draw_amounts)(&d, k);
    buf_free(&title);
}

static void draw_memory(struct plot *p, double top)
{
    struct buf title = {0};
    const double from = PLOT_MARGIN + NUMBERS;
    struct plot_axis time = plot_memory_is_timed(p) ? plot_axis_of_time(p, span_of(p), from, &title)
                                                    : plot_time_axis(p, from, &title);
    double end = top + measure_memory(p) - height_of_foot(p), max;
    plot_axis_below(p, &time, top, end);
    if (count_series(p, true, &max) > 0) {
        draw_series(p, &time, true, max, top);
        top += height_of_plot(p) + BETWEEN;
    }
    if (count_series(p, false, &max) > 0)
        draw_series(p, &time, false, max, top);
    draw_names(p, end + PLOT_AXIS, true);
    buf_free(&title);
}

/* --- the table --- */

struct memory_row {
    size_t series, bin;
};

struct memory_table {
    struct plot *p;
    struct memory_row *rows;
    size_t count;
    struct buf *text; /* of the last cell */
};

enum { TYPE, TIME, START, SAMPLES, VALUE, GAUGE, MIN, MAX, COLUMNS };

static const struct sheet_column columns[COLUMNS] = {
    [TYPE] = VIEW_COLUMN(TYPE, "type", TEXT),
    [TIME] = VIEW_COLUMN(TIME, "time", COUNT),
    [START] = VIEW_COLUMN(START, "start", COUNT),
    [SAMPLES] = VIEW_COLUMN(SAMPLES, "samples", COUNT),
    [VALUE] = VIEW_COLUMN(VALUE, "value", GIVEN),
    [GAUGE] = VIEW_COLUMN(GAUGE, "gauge", GIVEN),
    [MIN] = VIEW_COLUMN(MIN, "min", GIVEN),
    [MAX] = VIEW_COLUMN(MAX, "max", GIVEN),
};

/* The used bins of each type. */
static void find_rows(struct memory_table *t)
{
    const struct plot_memory *m = t->p->memory;
    t->rows = mem_alloc((m->count * BINS + 1) * sizeof *t->rows);
    for (size_t k = 0; k < m->count; k++)
        for (size_t i = 0; i < BINS; i++)
            if (m->series[k].bins[i].is_used)
                t->rows[t->count++] = (struct memory_row){k, i};
}

/* Appends N for a program. */
static void add_bytes(struct buf *to, double n)
{
    const double exact = 9007199254740992.0; /* every integer up to here is a double */
    char text[32];
    if (fabs(n) <= exact && n == trunc(n))
        sheet_add_number(to, wide_of_double(n));
    else
        buf_add(to, (struct str){text, (size_t)snprintf(text, sizeof text, "%.15g", n)});
}

/* The bytes of BIN, of a level or not, in COLUMN; a type has either. */
static struct sheet_cell bytes_cell(const struct memory_table *t, const struct bin *bin, bool level,
                                    size_t column)
{
    if ((column == VALUE) == level)
        return (struct sheet_cell){.is_none = true};
    add_bytes(t->text, column == VALUE   ? bin->all
                       : column == GAUGE ? bin->last
                       : column == MIN   ? bin->min
                                         : bin->max);
    return (struct sheet_cell){.text = buf_str(t->text)};
}

static struct sheet_cell memory_cell(const void *from, size_t row, size_t column)
{
    const struct memory_table *t = from;
    const struct plot_memory *m = t->p->memory;
    const struct series *s = &m->series[t->rows[row].series];
    const bool is_timed = plot_memory_is_timed(t->p);
    const double start = m->base + (double)t->rows[row].bin * m->size;
    t->text->n = 0;
    switch (column) {
    case TYPE:
        text_unescape(t->text, value_types_get(&t->p->summary.collect.flow->types, s->type)->type);
        return (struct sheet_cell){.text = buf_str(t->text)};
    case TIME:
        return is_timed
                   ? (struct sheet_cell){.number = wide_of_double(fmax(start - first_of(t->p), 0))}
                   : plot_time_cell(t->p, wide_of_double(start));
    case START: return (struct sheet_cell){.number = wide_of_double(start), .is_none = is_timed};
    case SAMPLES:
        return (struct sheet_cell){.number = wide_of_double(fmin(m->size, m->at - start)),
                                   .is_none = is_timed};
    default: return bytes_cell(t, &s->bins[t->rows[row].bin], is_level(t->p, s), column);
    }
}

static void write_memory(struct plot *p, bool is_empty)
{
    struct buf text = {0};
    struct memory_table t = {.p = p, .text = &text};
    const struct sheet_fact unit = {COLUMN_UNIT, STR("bytes"), false};
    find_rows(&t);
    struct sheet sheet = {.columns = columns,
                          .column_count = COLUMNS,
                          .row_count = is_empty ? 0 : t.count,
                          .unit = STR("bytes"),
                          .facts = &unit,
                          .fact_count = 1,
                          .cell = memory_cell,
                          .from = &t};
    if (p->memory->left_out > 0)
        warn(CODE_NOT_SHOWN, "--kind=memory: values of further types are left out: %zu",
             p->memory->left_out);
    plot_write_sheet(p, &sheet);
    mem_free(t.rows);
    buf_free(&text);
}

const struct plot_kind plot_memory = {
    .heading = "Memory over time",
    .needs_order = true,
    .takes_times = true,
    .lacks = memory_lacks,
    .caption = caption_memory,
    .measure = measure_memory,
    .draw = draw_memory,
    .write = write_memory,
};
