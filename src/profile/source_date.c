#include "profile/source_date.h"

#include "base/decimal.h"

#include <math.h>
#include <time.h>

/* Seconds: dates further away are not dates. */
#define YEARS 1e11

/* Appends the fraction of SECONDS since TIME to TO. */
static void add_fraction(struct buf *to, struct decimal seconds, time_t time)
{
    struct buf text = {0};
    decimal_subtract(&seconds, decimal_of(time));
    decimal_write(&text, seconds);
    struct str digits = buf_str(&text);
    if (str_take(&digits, STR("0.")) && memchr(digits.p, 'e', digits.n) == NULL) {
        buf_add(to, STR("."));
        buf_add(to, digits);
    }
    buf_free(&text);
}

void source_date_add(struct buf *to, const struct profile_source *source, bool is_human)
{
    const struct str at = source->timestamp, own = source->date;
    const struct decimal seconds = at.n > 0 ? decimal_read(at) : decimal_of(0);
    const double whole = floor(decimal_to_double(seconds));
    const time_t time = fabs(whole) < YEARS ? (time_t)whole : 0;
    struct tm civil;
    char text[64];
    if (at.n == 0) {
        for (size_t i = 0; i < own.n; i++)
            buf_add(to, own.p[i] == ' ' && !is_human ? STR("T") : (struct str){own.p + i, 1});
        return;
    }
    if (fabs(whole) >= YEARS || gmtime_r(&time, &civil) == NULL)
        return;
    buf_add(to, (struct str){text, strftime(text, sizeof text, "%Y-%m-%d", &civil)});
    buf_add(to, is_human ? STR(" ") : STR("T"));
    buf_add(to, (struct str){text, strftime(text, sizeof text, "%H:%M:%S", &civil)});
    if (!is_human)
        add_fraction(to, seconds, time);
    buf_add(to, is_human ? STR(" UTC") : STR("Z"));
}

const struct profile_source *source_date_first(const struct profile *p)
{
    const struct profile_source *first = NULL;
    for (size_t i = 0; i < p->source_count; i++) {
        const struct profile_source *of = &p->sources[i];
        if (of->timestamp.n > 0 &&
            (first == NULL ||
             decimal_compare(decimal_read(of->timestamp), decimal_read(first->timestamp)) < 0))
            first = of;
    }
    return first == NULL && p->source_count == 1 ? p->sources : first;
}

int64_t source_date_duration(const struct profile *p)
{
    struct decimal all = decimal_of(0);
    int64_t sum;
    for (size_t i = 0; i < p->source_count; i++) {
        if (p->sources[i].duration <= 0)
            return 0;
        decimal_add(&all, decimal_of(p->sources[i].duration));
    }
    return decimal_is_integer(all, &sum) ? sum : 0;
}
