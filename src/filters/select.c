/* What the options of filter_select say. */
#include "filters/select.h"

#include "base/decimal.h"
#include "base/diag.h"
#include "base/mem.h"
#include "base/units.h"
#include "filters/select_steps.h"
#include "profile/choice.h"
#include "rows/text.h"

#include <stdlib.h>

void select_add(struct select_options *o, enum select_kind kind, const char *argument)
{
    o->requests = mem_array(o->requests, &o->capacity, o->count + 1, sizeof *o->requests);
    o->requests[o->count++] = (struct select_request){kind, argument};
}

void select_check(const struct select_options *o)
{
    struct select_steps steps = {0};
    select_steps_open(&steps, o);
    select_steps_close(&steps);
}

const char *select_name(enum select_kind kind)
{
    static const char *const names[] = {
        [SELECT_FOCUS] = "focus",         [SELECT_IGNORE] = "ignore",
        [SELECT_HIDE] = "hide",           [SELECT_SHOW] = "show",
        [SELECT_TRIM_ROOT] = "trim-root", [SELECT_TRIM_LEAF] = "trim-leaf",
        [SELECT_MAX_DEPTH] = "max-depth", [SELECT_DROP_GC] = "drop-gc",
        [SELECT_SOURCE] = "source",       [SELECT_LABEL] = "label",
        [SELECT_SAMPLES] = "samples",     [SELECT_TYPE] = "type",
        [SELECT_THIN] = "thin",
    };
    return names[kind];
}

/* --- arguments --- */

static _Noreturn void die_argument(const struct select_step *step, const char *expected)
{
    die(STATUS_USAGE, "--%s: expected %s, found \"%s\"", select_name(step->kind), expected,
        step->argument);
}

/* Whether TEXT is a number from 0 in digits alone; if so *NUMBER is that, or the largest there is. */
static bool parse_digits(const char *text, int64_t *number)
{
    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0')
        return false;
    *number = strtoll(text, NULL, 10);
    return true;
}

/* Takes digits, perhaps with a sign, and the letters behind them off *TEXT. */
static bool take_bound(const char **text, struct select_bound *bound)
{
    const char *p = *text + (**text == '-');
    char *end;
    if (!str_is_digit(*p))
        return false;
    bound->number = strtoll(*text, &end, 10);
    for (p = end; (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');)
        p++;
    bound->unit = (struct str){end, (size_t)(p - end)};
    bound->is_there = true;
    *text = p;
    return true;
}

/* Whether TEXT is N, N:, :N or N:M; if so *RANGE is that. */
static bool parse_range(const char *text, struct select_range *range)
{
    bool begins = take_bound(&text, &range->from);
    if (begins && *text == '\0') {
        range->to = range->from;
        return true;
    }
    if (*text++ != ':')
        return false;
    bool ends = take_bound(&text, &range->to);
    return (begins || ends) && *text == '\0';
}

/* Takes a position from 1, or a time, off *TEXT; *IS_TIME tells. */
static bool take_position(const char **text, struct select_bound *bound, bool *is_time)
{
    char *end;
    strtod(*text, &end);
    size_t letters = strcspn(end, ":");
    struct str number = {*text, (size_t)(end - *text)}, unit = {end, letters};
    int64_t size = str_equal(unit, STR("m"))   ? units_nanoseconds(STR("minutes"))
                   : str_equal(unit, STR("h")) ? units_nanoseconds(STR("hours"))
                                               : units_nanoseconds(unit);
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

static void parse_samples(struct select_step *step)
{
    static const char expected[] = "FROM:TO, both positions from 1 or both times such as 1.5s";
    const char *text = step->argument;
    struct select_range *r = &step->range;
    bool is_time[2];
    if (*text != ':' && !take_position(&text, &r->from, &is_time[0]))
        die_argument(step, expected);
    if (*text++ != ':' || (*text != '\0' && !take_position(&text, &r->to, &is_time[1])))
        die_argument(step, expected);
    const bool both = r->from.is_there && r->to.is_there;
    if (*text != '\0' || !(r->from.is_there || r->to.is_there) ||
        (both && (is_time[0] != is_time[1] || r->from.number > r->to.number)))
        die_argument(step, expected);
    step->is_time = is_time[r->from.is_there ? 0 : 1];
    if (!r->to.is_there)
        r->to.number = INT64_MAX;
    else
        r->to.number -= step->is_time; /* what begins there is behind the end */
}

static void parse_label(struct select_step *step, struct regex_how how)
{
    const char *equals = strchr(step->argument, '=');
    if (equals == NULL || equals == step->argument)
        die_argument(step, "KEY=RE or KEY=FROM:TO");
    step->key_length = (size_t)(equals - step->argument);
    step->is_number = parse_range(equals + 1, &step->range);
    match_open_text(&step->match, select_name(step->kind), equals + 1, how);
}

static void parse_type(struct select_step *step)
{
    struct str type, unit;
    if (!choice_split(str_of(step->argument), &type, &unit))
        die_argument(step, "TYPE or TYPE/UNIT");
    text_escape(&step->type, type);
    text_escape(&step->unit, unit);
}

static void parse_thin(struct select_step *step)
{
    const char *n = step->argument + 2;
    if (strncmp(step->argument, "1/", 2) != 0 || !parse_digits(n, &step->number) ||
        step->number < 1)
        die_argument(step, "1/N");
}

void select_parse(struct select_step *step, struct regex_how how)
{
    const char *name = select_name(step->kind);
    switch (step->kind) {
    case SELECT_TRIM_ROOT:
    case SELECT_TRIM_LEAF:
        step->is_number = parse_digits(step->argument, &step->number);
        if (step->is_number)
            break;
        /* fall through */
    case SELECT_FOCUS:
    case SELECT_IGNORE:
    case SELECT_HIDE:
    case SELECT_SHOW: match_open(&step->match, name, step->argument, how); break;
    case SELECT_DROP_GC:
        match_open(&step->match, name, "name:^<GC>$", (struct regex_how){0});
        break;
    case SELECT_MAX_DEPTH:
        if (!parse_digits(step->argument, &step->number) || step->number < 1)
            die_argument(step, "a number from 1");
        break;
    case SELECT_SOURCE: break;
    case SELECT_LABEL: parse_label(step, how); break;
    case SELECT_SAMPLES: parse_samples(step); break;
    case SELECT_TYPE: parse_type(step); break;
    case SELECT_THIN: parse_thin(step); break;
    }
}
