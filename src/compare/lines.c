#include "compare/lines.h"

#include "base/mem.h"
#include "base/units.h"
#include "compare/moved.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* --- figures --- */

void lines_print(struct buf *to, const char *format, ...)
{
    char text[128];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    buf_add(to, (struct str){text, (size_t)n});
}

void lines_add_number(struct buf *to, const struct lines *t, const char *format, double value)
{
    char text[64];
    if (!isfinite(value)) {
        buf_add(to, t->is_json ? STR("null") : STR(""));
        return;
    }
    int n = snprintf(text, sizeof text, format, value == 0 ? 0 : value); /* no -0 */
    buf_add(to, (struct str){text, (size_t)n});
}

void lines_add_amount(struct buf *to, const struct lines *t, double value)
{
    if (t->are_people) {
        lines_add_number(to, t, fabs(value) >= 1000 || value == trunc(value) ? "%.0f" : "%.2f",
                         value);
        return;
    }
    const double exact = 9007199254740992.0; /* up to here doubles are all integers */
    bool is_whole = isfinite(value) && fabs(value) <= exact && value == trunc(value);
    if (is_whole)
        sheet_add_plain(to, (__int128)value, t->unit);
    else
        lines_add_number(to, t, "%.15g",
                         units_nanoseconds(t->unit) == 0
                             ? value
                             : value * ((double)units_nanoseconds(t->unit) / 1e9));
}

double lines_growth(const struct lines *t, const struct line *line)
{
    bool are_shares = line->entry != 0 && t->request->are_shares;
    double base = are_shares ? line->base_share : line->base;
    double new = are_shares ? line->new_share : line->new;
    return base > 0 ? 100 * (new / base - 1) : NAN;
}

void lines_add_probability(struct buf *to, const struct lines *t, double p)
{
    if (!t->are_people)
        lines_add_number(to, t, "%.12g", p);
    else if (isfinite(p) && p < 0.0001)
        buf_add(to, STR("<0.0001"));
    else
        lines_add_number(to, t, "%.4f", p);
}

/* --- rows --- */

/* What entry ENTRY, with the verdict V, had. */
static struct line line_of(const struct lines *t, uint32_t entry, const struct sides_verdict *v)
{
    const struct sides *s = t->s;
    const double *values = entry == 0 ? s->all : sides_values(s, entry, t->request->is_total);
    struct line line = {.entry = entry, .verdict = v};
    line.base = sides_mean(s, values, false) / t->request->per_op;
    line.new = sides_mean(s, values, true) / t->request->per_op;
    line.base_share = entry == 0 ? 1 : sides_mean_share(s, values, false);
    line.new_share = entry == 0 ? 1 : sides_mean_share(s, values, true);
    if (entry == 0)
        return line;
    const double *total = sides_values(s, entry, true);
    bool is_sure = isnan(v->q) ? !sides_can_test(s) : v->q < 0.05;
    line.beside = is_sure ? t->beside[entry - 1] : 0;
    if (!sides_has(s, total, false))
        line.mark = MARK_NEW;
    else if (!sides_has(s, total, true))
        line.mark = MARK_GONE;
    else if (line.beside != 0)
        line.mark = MARK_MOVED;
    return line;
}

struct line lines_of_runs(const struct lines *t)
{
    struct line line = line_of(t, 0, &t->cost);
    line.name = STR("<all>");
    return line;
}

static int compare(const void *a, const void *b, void *table)
{
    const struct lines *t = table;
    const struct line *x = a, *y = b;
    double by_x = fabs(x->new - x->base), by_y = fabs(y->new - y->base);
    if (t->request->are_shares) {
        by_x = fabs(x->new_share - x->base_share);
        by_y = fabs(y->new_share - y->base_share);
    }
    if (by_x != by_y)
        return by_x > by_y ? -1 : 1;
    return str_compare(x->name, y->name);
}

static bool is_shown(const struct lines *t, uint32_t entry)
{
    const double *values = sides_values(t->s, entry, t->request->is_total);
    bool is_there = sides_has(t->s, values, false) || sides_has(t->s, values, true);
    return is_there && (!t->request->is_own || t->s->is_own[entry - 1]);
}

/* Makes the rows. */
static void make_lines(struct lines *t)
{
    size_t entries = t->s->collect.entries.count, first = t->are_people ? 0 : 1;
    struct buf name = {0};
    t->items = mem_alloc((entries + 1) * sizeof *t->items);
    if (first > 0)
        t->items[t->count++] = lines_of_runs(t);
    for (uint32_t entry = 1; entry <= entries; entry++) {
        if (!is_shown(t, entry))
            continue;
        name.n = 0;
        collect_add_name(&t->s->collect, entry, &name);
        t->items[t->count] = line_of(t, entry, &t->verdicts[entry - 1]);
        t->items[t->count++].name = arena_copy(&t->names, buf_str(&name));
    }
    if (t->count > first)
        qsort_r(t->items + first, t->count - first, sizeof *t->items, compare, t);
    buf_free(&name);
}

void lines_make(struct lines *t, const struct sides *s, const struct table_request *request)
{
    *t = (struct lines){.s = s, .request = request};
    t->is_json =
        request->sheet.format == SHEET_FORMAT_JSON || request->sheet.format == SHEET_FORMAT_NDJSON;
    t->are_people = sheet_is_for_people(request->sheet.format);
    t->unit = s->collect.choice.chosen == 0 ? STR("count") : s->collect.choice.unit;
    t->is_scaled =
        t->are_people && (units_nanoseconds(t->unit) != 0 || units_in(t->unit, STR("bytes")) != 0);
    t->cost = sides_judge_cost(s);
    t->verdicts = sides_judge(s, request->is_total, request->are_shares, request->min_share);
    t->beside = moved_find(s);
    make_lines(t);
}

void lines_free(struct lines *t)
{
    mem_free(t->verdicts);
    mem_free(t->beside);
    mem_free(t->items);
    arena_free(&t->names);
}
