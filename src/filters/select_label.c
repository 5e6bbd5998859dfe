/* Steps that select samples by label. */
#include "base/units.h"
#include "base/wide.h"
#include "filters/select_step.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"

#include <stdlib.h>

/* --- the argument --- */

/* Takes digits, perhaps signed, and the letters after them off *TEXT. */
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

/* Whether TEXT is N, N:, :N or N:M; sets *RANGE. */
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

void select_parse_label(struct select_step *step, struct regex_how how)
{
    const char *equals = strchr(step->argument, '=');
    if (equals == NULL || equals == step->argument)
        select_die_argument(step, "KEY=RE or KEY=FROM:TO");
    step->key_length = (size_t)(equals - step->argument);
    step->is_number = parse_range(equals + 1, &step->range);
    match_open_text(&step->match, step->action->name, equals + 1, how);
}

/* --- numbers --- */

/* Compares NUMBER in UNIT with BOUND: below 0, 0 or above 0. *CONVERTS: the units can be
 * compared. */
static int compare(int64_t number, struct str unit, const struct select_bound *bound,
                   bool *converts)
{
    struct str other = bound->unit.n > 0 ? bound->unit : unit;
    int64_t down = units_in(unit, other), up = units_in(other, unit);
    struct wide a = wide_multiply(wide_of(number), wide_of(down > 0 ? down : 1));
    struct wide b = wide_multiply(wide_of(bound->number), wide_of(down > 0 ? 1 : up));
    *converts = down > 0 || up > 0;
    return wide_compare(a, b);
}

static bool is_in_range(const struct select_range *range, int64_t number, struct str unit)
{
    bool converts = true;
    if (range->from.is_there && (compare(number, unit, &range->from, &converts) < 0 || !converts))
        return false;
    return !range->to.is_there || (compare(number, unit, &range->to, &converts) <= 0 && converts);
}

/* --- labels --- */

/* Sets TO to the bytes of the string member NAME of LABEL; false if there is none. */
static bool get_string(struct buf *to, struct str label, struct str name)
{
    struct str value = text_member(label, name), text;
    to->n = 0;
    if (text_is_string(value, &text))
        text_unescape(to, text);
    else if (text_is_string(text_member(value, STR("bytes")), &text))
        text_unhex(to, text);
    else
        return false;
    return true;
}

/* Whether LABEL, an item of `.labels` with the key of STEP, matches STEP. */
static bool has_value(struct select_step *step, struct str label)
{
    int64_t number;
    if (get_string(&step->value, label, STR("str")))
        return match_bytes(&step->match, buf_str(&step->value));
    if (!text_is_integer(text_member(label, STR("num")), &number))
        return false;
    bool has_unit = get_string(&step->value, label, STR("unit")) && step->value.n > 0;
    if (step->is_number) /* as in pprof: the key is the unit if none is given */
        return is_in_range(&step->range, number, buf_str(has_unit ? &step->value : &step->key));
    struct buf text = {0};
    emit_number(&text, number);
    buf_add(&text, has_unit ? STR(" ") : STR(""));
    buf_add(&text, buf_str(&step->value));
    bool is_it = match_bytes(&step->match, buf_str(&text));
    buf_free(&text);
    return is_it;
}

bool select_label(struct select_step *step, struct select_view *v)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = v->sample->extra};
    struct str wanted = {step->argument, step->key_length}, items, item;
    struct member labels;
    if (row.extra.n == 0 || !members_get(&row, MEMBER_ID_LABELS, &labels))
        return false;
    for (items = text_inside(labels.value); text_next_item(&items, &item);)
        if (get_string(&step->key, item, STR("key")) && str_equal(buf_str(&step->key), wanted) &&
            has_value(step, item))
            return step->has_matched = true;
    return false;
}

bool select_no_label(struct select_step *step, struct select_view *v)
{
    return !select_label(step, v);
}
