/* Steps that select samples by position or time, and steps that select values. */
#include "base/decimal.h"
#include "base/units.h"
#include "filters/select_step.h"
#include "profile/choice.h"
#include "rows/text.h"

#include <stdlib.h>

/* --- arguments --- */

/* Takes a position from 1, or a time, off *TEXT; sets *IS_TIME. */
static bool take_position(const char **text, struct select_bound *bound, bool *is_time)
{
    char *end;
    strtod(*text, &end);
    size_t letters = strcspn(end, ":");
    struct str number = {*text, (size_t)(end - *text)}, unit = {end, letters};
    int64_t size = units_typed_nanoseconds(unit);
    bool is_decimal = number.n > 0 && strspn(number.p, "0123456789.eE+-") >= number.n;
    if (!str_is_digit(**text) || !is_decimal || (letters > 0 && size == 0))
        return false;
    *is_time = letters > 0;
    *bound = (struct select_bound){.is_there = true, .unit = STR("")};
    struct decimal exact = decimal_read(number);
    if (*is_time ? !decimal_round(decimal_multiply(exact, decimal_of(size)), &bound->number)
                 : !decimal_is_integer(exact, &bound->number) || bound->number < 1)
        return false;
    *text = end + letters;
    return true;
}

void select_parse_samples(struct select_step *step, struct regex_how how)
{
    (void)how;
    static const char expected[] = "FROM:TO, both positions from 1 or both times such as 1.5s";
    const char *text = step->argument;
    struct select_range *r = &step->range;
    bool is_time[2];
    r->from.number = INT64_MIN; /* `.time` may fall */
    if (*text != ':' && !take_position(&text, &r->from, &is_time[0]))
        select_die_argument(step, expected);
    if (*text++ != ':' || (*text != '\0' && !take_position(&text, &r->to, &is_time[1])))
        select_die_argument(step, expected);
    const bool both = r->from.is_there && r->to.is_there;
    if (*text != '\0' || !(r->from.is_there || r->to.is_there) ||
        (both && (is_time[0] != is_time[1] || r->from.number > r->to.number)))
        select_die_argument(step, expected);
    step->is_time = is_time[r->from.is_there ? 0 : 1];
    if (!r->to.is_there)
        r->to.number = INT64_MAX;
    else
        r->to.number -= step->is_time; /* a sample that begins at the end is outside */
}

void select_parse_thin(struct select_step *step, struct regex_how how)
{
    (void)how;
    const char *n = step->argument + 2;
    if (strncmp(step->argument, "1/", 2) != 0 || !select_parse_digits(n, &step->number) ||
        step->number < 1)
        select_die_argument(step, "1/N");
}

void select_parse_type(struct select_step *step, struct regex_how how)
{
    (void)how;
    struct str type, unit;
    if (!choice_split(str_of(step->argument), &type, &unit))
        select_die_argument(step, "TYPE or TYPE/UNIT");
    text_escape(&step->type, type);
    text_escape(&step->unit, unit);
}

/* --- samples --- */

bool select_source(struct select_step *step, struct select_view *v)
{
    bool is_left = step->sources.items[v->sample->source_id - 1];
    step->has_matched |= is_left;
    return is_left;
}

static int64_t next_position(struct select_step *step, const struct select_view *v)
{
    return ++step->positions[v->sample->source_id - 1];
}

bool select_samples(struct select_step *step, struct select_view *v)
{
    int64_t at = step->is_time ? v->time : next_position(step, v);
    bool is_left = at >= step->range.from.number && at <= step->range.to.number;
    step->has_matched |= is_left;
    return is_left;
}

/* Keeps the middle one of each N samples of a source, to stand for all N. */
bool select_thin(struct select_step *step, struct select_view *v)
{
    int64_t at = next_position(step, v) - 1;
    step->has_matched = true;
    v->is_thinned = at % step->number != (step->number - 1) / 2;
    if (v->is_thinned)
        return false;
    if (__builtin_mul_overflow(v->times, step->number, &v->times))
        die(CODE_OVERFLOW, "--thin: each sample would stand for more than 64 bits can count");
    return true;
}

/* --- values --- */

bool select_has_type(const struct select_step *step, struct str type, struct str unit)
{
    return str_equal(buf_str(&step->type), type) &&
           (step->unit.n == 0 || str_equal(buf_str(&step->unit), unit));
}

/* Keeps the values of the type of STEP; false if there are none. */
bool select_type(struct select_step *step, struct select_view *v)
{
    struct sample *sample = v->sample;
    size_t count = 0;
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct value_type *type = value_types_get(&v->flow->types, sample->values[i].type);
        if (select_has_type(step, type->type, type->unit))
            sample->values[count++] = sample->values[i];
    }
    sample->value_count = count;
    step->has_matched |= count > 0;
    return count > 0;
}
