#include "compare/title.h"

#include "base/mem.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>

static void add_runs(struct buf *to, size_t count, const char *side)
{
    changes_print(to, "%zu %s of %s", count, count == 1 ? "run" : "runs", side);
}

/* Appends how many runs are not compared. */
static void add_others(struct buf *to, const struct sides *s)
{
    size_t copies = 0, empty = 0;
    for (int side = 0; side < 2; side++) {
        copies += sides_count(s, side, SIDES_RUN_COPY);
        empty += sides_count(s, side, SIDES_RUN_EMPTY) + sides_count(s, side, SIDES_RUN_LACKS);
    }
    if (copies > 0)
        changes_print(to, ", besides %zu %s", copies, copies == 1 ? "copy" : "copies");
    if (empty > 0)
        changes_print(to, ", besides %zu that measured nothing", empty);
}

static void add_scaled(struct buf *to, const struct changes *t, double value)
{
    const struct sides *s = t->s;
    double all[] = {sides_mean(s, s->all, false), sides_mean(s, s->all, true)};
    double largest = fmax(all[0], all[1]) / s->divisor;
    struct str unit = str_equal(t->unit, STR("count")) ? STR("") : t->unit;
    if (t->is_scaled) {
        struct sheet_scale scale = sheet_scale_of(t->unit, 0, wide_of_double(largest));
        sheet_add_scaled(to, wide_of_double(round(value)), &scale);
        unit = scale.unit;
    } else {
        changes_add_amount(to, t, value);
    }
    buf_add(to, unit.n > 0 ? STR(" ") : STR(""));
    buf_add(to, unit);
}

/* Appends the mean of COUNT runs. */
static void add_mean(struct buf *to, const struct changes *t, double value, size_t count)
{
    if (count > 0)
        add_scaled(to, t, value);
    else
        buf_add(to, STR("none"));
}

/* Appends the cost of runs, and what it means. Lines are short, for terminals of 80 columns. */
static void add_cost(struct buf *to, const struct changes *t, struct str end)
{
    const struct moderate_test *test = &t->cost.test;
    struct change change = changes_of_runs(t);
    double growth = changes_growth(t, &change);
    changes_print(to, "cost of %s: ", sides_per_name(t->s->per));
    add_mean(to, t, change.base, t->s->base_count);
    buf_add(to, STR(" in base, "));
    add_mean(to, t, change.new, t->s->new_count);
    buf_add(to, STR(" in new"));
    if (isfinite(growth)) {
        buf_add(to, STR(", "));
        changes_add_number(to, t, "%+.2f", growth);
        buf_add(to, STR(" %"));
    }
    if (t->s->scale != 1)
        changes_print(to, "; new is multiplied by %.6g", t->s->scale);
    buf_add(to, end);
    if (!isfinite(test->low / test->base) || !isfinite(test->p))
        return;
    changes_print(to, "that is %+.2f to %+.2f %% (95 %% range), p ", 100 * test->low / test->base,
                  100 * test->high / test->base);
    changes_add_probability(to, t, test->p);
    buf_add(to, end);
}

static int upwards(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of the min detectable change over all rows. */
static double median_min(const struct changes *t)
{
    double *min = mem_alloc((t->count + 1) * sizeof *min), median = NAN;
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++) {
        const struct moderate_test *test = &t->items[i].verdict->test;
        const double of = t->request->are_shares ? 1 : test->base;
        const double least = test->min == 0 ? 0 : 100 * test->min / of;
        if (test->is_tested && isfinite(least)) /* of 0 there is no growth in percent */
            min[n++] = least;
    }
    order_items(min, n, sizeof *min, upwards);
    if (n > 0)
        median = min[n / 2];
    mem_free(min);
    return median;
}

static bool has_tests(const struct changes *t)
{
    size_t i = 0;
    while (i < t->count && !t->items[i].verdict->test.is_tested)
        i++;
    return i < t->count;
}

static void add_proof(struct buf *to, const struct changes *t)
{
    double min = median_min(t);
    if (!sides_can_test(t->s))
        buf_add(to, STR("with fewer than three runs on a side these differences prove nothing"));
    else if (t->s->ranks && has_tests(t))
        buf_add(to, STR("tested by ranks"));
    else if (min == 0)
        buf_add(to, STR("most rows have the same value in every run of a side"));
    else if (isfinite(min))
        changes_print(to, "changes below %.2f %s would mostly be missed", min,
                      t->request->are_shares ? "points" : "%");
    else if (has_tests(t))
        buf_add(to, STR("no row says how large a change would be missed"));
    else
        buf_add(to, STR("no row could be tested"));
}

void title_make(const struct changes *t, struct buf *to)
{
    const struct table_request *r = t->request;
    const struct choice *choice = &t->s->collect.choice;
    bool is_markdown = r->sheet.format == SHEET_FORMAT_MARKDOWN, can_test = sides_can_test(t->s);
    struct str end = is_markdown ? STR(".\n") : STR("\n");
    const uint64_t stackless = t->s->collect.stackless_count;
    if (!r->is_second) {
        buf_add(to, choice->chosen == 0 ? STR("no values")
                                        : value_types_get(choice->names, choice->chosen)->type);
        if (t->s->is_level) {
            buf_add(to, STR(", "));
            buf_add(to, t->unit);
        }
        buf_add(to, STR(": "));
        add_runs(to, t->s->base_count, "base, ");
        add_runs(to, t->s->new_count, "new");
        add_others(to, t->s);
        if (stackless > 0)
            changes_print(to, ", besides %" PRIu64 " %s without a stack", stackless,
                          stackless == 1 ? "sample" : "samples");
        buf_add(to, end);
        if (!t->s->is_level)
            add_cost(to, t, end);
    }
    changes_print(to, "%s of each row%s%s",
                  t->s->is_level ? t->s->ranks ? "median" : "mean"
                  : r->is_total  ? "total"
                                 : "self",
                  r->is_own ? ", in one's own files" : "",
                  r->are_shares && can_test ? ", in % of a run" : "");
    if (can_test)
        changes_print(to, "; * marks q below %g", SIDES_LEVEL);
    buf_add(to, end);
    add_proof(to, t);
    buf_add(to, is_markdown ? STR(".") : STR(""));
}
