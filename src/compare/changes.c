#include "compare/changes.h"

#include "base/mem.h"
#include "base/order.h"
#include "base/units.h"
#include "compare/moved.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* --- figures --- */

void changes_print(struct buf *to, const char *format, ...)
{
    enum { MAX = 1024 }; /* enough for two of the longest doubles (309 digits) and words */
    va_list args;
    va_start(args, format);
    to->n += (size_t)vsnprintf(buf_reserve(to, MAX), MAX, format, args);
    va_end(args);
}

/* Removes the sign of the number in TO after FROM if all its digits are 0. */
static void drop_sign_of_zero(struct buf *to, size_t from)
{
    char *sign = to->p + from;
    const size_t n = to->n - from;
    if ((*sign != '-' && *sign != '+') || strspn(sign + 1, "0.") < n - 1)
        return;
    memmove(sign, sign + 1, n - 1);
    to->n--;
}

void changes_add_number(struct buf *to, const struct changes *t, const char *format, double value)
{
    if (!isfinite(value)) {
        buf_add(to, t->is_json ? STR("null") : STR(""));
        return;
    }
    const size_t from = to->n;
    changes_print(to, format, value);
    drop_sign_of_zero(to, from);
}

void changes_add_amount(struct buf *to, const struct changes *t, double value)
{
    const double longest = 1e15; /* without an exponent */
    if (t->is_human) {
        const char *format = fabs(value) >= longest                    ? "%.6g"
                             : t->s->is_level && fabs(value) < 1000    ? "%.4g"
                             : fabs(value) >= 1000 || !t->has_decimals ? "%.0f"
                                                                       : "%.2f";
        changes_add_number(to, t, format, value);
        return;
    }
    const double exact = 9007199254740992.0; /* every integer up to here is a double */
    bool is_whole = isfinite(value) && fabs(value) <= exact && value == trunc(value);
    if (is_whole)
        sheet_add_plain(to, wide_of_double(value), 0);
    else
        changes_add_number(to, t, "%.15g", value);
}

double changes_growth(const struct changes *t, const struct change *change)
{
    bool are_both = t->s->base_count > 0 && t->s->new_count > 0;
    return are_both && change->base != 0 ? 100 * sides_growth(change->base, change->new) : NAN;
}

void changes_add_probability(struct buf *to, const struct changes *t, double p)
{
    if (!t->is_human)
        changes_add_number(to, t, "%.12g", p);
    else if (isfinite(p) && p < 0.0001)
        buf_add(to, STR("<0.0001"));
    else
        changes_add_number(to, t, "%.4f", p);
}

/* --- rows --- */

/* Whether what V is about has grown, by a test of its own. */
static bool is_above(const struct changes *t, const struct sides_verdict *v)
{
    if (t->s->ranks) /* these know no range */
        return v->test.p < SIDES_LEVEL && v->test.new > v->test.base;
    return v->test.low > 0;
}

/* Whether only the share of CHANGE, with the verdict V, has grown, and not its cost. If runs can be
 * tested this must be significant, since means differ by chance. */
static bool is_share_only(const struct changes *t, const struct change *change,
                          const struct sides_verdict *v)
{
    if (!sides_can_test(t->s))
        return change->new_share > change->base_share && !(change->new > change->base);
    const struct sides_verdict *other = &t->others[change->item - 1];
    const struct sides_verdict *share = t->request->are_shares ? v : other;
    const struct sides_verdict *cost = t->request->are_shares ? other : v;
    return share->q < SIDES_LEVEL && is_above(t, share) && !is_above(t, cost);
}

/* The row for ITEM with the verdict V. */
static struct change change_of(const struct changes *t, uint32_t item,
                               const struct sides_verdict *v)
{
    const struct sides *s = t->s;
    const double *values = item == 0 ? s->all : sides_values(s, item, t->request->is_total);
    struct change change = {.item = item, .verdict = v};
    change.base = sides_mean(s, values, false) / s->divisor;
    change.new = sides_mean(s, values, true) / s->divisor;
    change.base_share = item == 0 ? 1 : sides_mean_share(s, values, false);
    change.new_share = item == 0 ? 1 : sides_mean_share(s, values, true);
    if (item == 0 && s->is_level)
        change.base = change.new = NAN;
    if (item == 0)
        return change;
    const double *total = sides_values(s, item, true);
    if (s->is_level)
        change.base_share = change.new_share = NAN;
    bool is_sure = isnan(v->q) ? !sides_can_test(s) : v->q < SIDES_LEVEL;
    change.beside = is_sure ? t->beside[item - 1] : 0;
    if (!sides_has(s, total, false))
        change.mark = MARK_NEW;
    else if (!sides_has(s, total, true))
        change.mark = MARK_GONE;
    else if (!s->is_level && is_share_only(t, &change, v))
        change.mark = MARK_SHARE;
    else if (change.beside != 0)
        change.mark = MARK_MOVED;
    return change;
}

struct change changes_of_runs(const struct changes *t)
{
    return change_of(t, 0, &t->cost);
}

static int compare(const void *a, const void *b, void *table)
{
    const struct changes *t = table;
    const struct change *x = a, *y = b;
    double by_x = fabs(x->new - x->base), by_y = fabs(y->new - y->base);
    if (t->request->are_shares) {
        by_x = fabs(x->new_share - x->base_share);
        by_y = fabs(y->new_share - y->base_share);
    } else if (t->s->is_level) { /* of any size */
        by_x = fabs(sides_growth(x->base, x->new));
        by_y = fabs(sides_growth(y->base, y->new));
    }
    if (by_x != by_y)
        return by_x > by_y ? -1 : 1;
    return str_compare(x->name, y->name);
}

static bool is_shown(const struct changes *t, uint32_t item)
{
    const double *values = sides_values(t->s, item, t->request->is_total);
    bool is_there = sides_has(t->s, values, false) || sides_has(t->s, values, true);
    return is_there && (!t->request->is_own || sides_is_own(t->s, item));
}

/* Makes the rows. */
static void make_items(struct changes *t)
{
    size_t count = t->s->item_count;
    struct buf name = {0};
    t->items = mem_alloc((count + 1) * sizeof *t->items);
    for (uint32_t item = 1; item <= count; item++) {
        if (!is_shown(t, item))
            continue;
        name.n = 0;
        if (t->is_human)
            sides_add_names(t->s, item, &name);
        else
            sides_add_name(t->s, item, &name);
        t->items[t->count] = change_of(t, item, &t->verdicts[item - 1]);
        t->items[t->count++].name = arena_copy(&t->names, buf_str(&name));
    }
    order_items_with(t->items, t->count, sizeof *t->items, compare, t);
    buf_free(&name);
}

/* Whether people see decimals in CHANGE. */
static bool has_decimals(const struct change *change)
{
    const double values[] = {change->base, change->new, change->new - change->base};
    for (int i = 0; i < 3; i++)
        if (fabs(values[i]) < 1000 && values[i] != trunc(values[i]))
            return true;
    return false;
}

/* Whether values have a unit that is scaled for people, and none is too large for the finest
 * unit. */
static bool can_scale(const struct changes *t)
{
    const double max = 1e22; /* hours in hundredths of a nanosecond still fit in 128 bits */
    const struct change all = changes_of_runs(t);
    return (units_nanoseconds(t->unit) != 0 || units_in(t->unit, STR("bytes")) != 0) &&
           fmax(all.base, all.new) < max;
}

void changes_make(struct changes *t, const struct sides *s, const struct table_request *request)
{
    *t = (struct changes){.s = s, .request = request};
    t->is_json =
        request->sheet.format == SHEET_FORMAT_JSON || request->sheet.format == SHEET_FORMAT_NDJSON;
    t->is_human = sheet_is_human(&request->sheet);
    t->unit = s->collect.choice.chosen == 0 ? STR("count") : s->collect.choice.unit;
    t->cost = sides_judge_cost(s);
    t->is_scaled = t->is_human && can_scale(t);
    t->verdicts = sides_judge(s, request->is_total, request->are_shares, request->min_share);
    if (sides_can_test(s))
        t->others = sides_judge(s, request->is_total, !request->are_shares, request->min_share);
    t->beside = moved_find(s);
    make_items(t);
    const struct change all = changes_of_runs(t);
    t->has_decimals = has_decimals(&all);
    for (size_t i = 0; i < t->count; i++)
        t->has_decimals |= has_decimals(&t->items[i]);
}

void changes_free(struct changes *t)
{
    mem_free(t->verdicts);
    mem_free(t->others);
    mem_free(t->beside);
    mem_free(t->items);
    arena_free(&t->names);
}
