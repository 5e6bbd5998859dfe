#include "rows/sample.h"

#include "base/decimal.h"
#include "base/port.h"
#include "base/units.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

#include <float.h>

/* Whether EXACT differs from ROUNDED by at most the last bit of a double: then its text may have
 * meant ROUNDED. */
static bool is_meant(struct decimal exact, int64_t rounded)
{
    struct decimal rest = exact;
    decimal_subtract(&rest, decimal_of(rounded));
    rest = decimal_multiply(rest, decimal_of(INT64_C(1) << (DBL_MANT_DIG - 1)));
    return decimal_compare(decimal_size(rest), decimal_size(exact)) <= 0;
}

struct decimal sample_value_exact(const struct sample_value *v)
{
    return v->value.kind == NUMBER_INTEGER ? decimal_of(v->value.integer)
                                           : decimal_read(v->value.real);
}

bool sample_take_time(struct str *columns, int64_t *time)
{
    struct str rest = *columns, name, value;
    if (!str_starts(rest, STR(",\".time\":")) || !text_next_member(&rest, &name, &value) ||
        !text_is_integer(value, time))
        return false;
    *columns = rest;
    return true;
}

bool sample_time(struct str columns, int64_t *time)
{
    struct str name, value;
    if (sample_take_time(&columns, time))
        return true;
    while (text_next_member(&columns, &name, &value))
        if (str_equal(name, members_known(MEMBER_ID_TIME)->name))
            return text_is_integer(value, time);
    return false;
}

bool sample_is_cut(const struct sample *sample)
{
    static const char cut[] = "\".truncated\":true";
    return sample->extra.n > 0 &&
           port_memmem(sample->extra.p, sample->extra.n, cut, sizeof cut - 1) != NULL;
}

struct decimal sample_value_refine(struct sample_value *v, struct value_types *types)
{
    int64_t times = units_nanoseconds(value_types_get(types, v->type)->unit), integer;
    struct decimal exact = decimal_read(v->value.real);
    if (decimal_is_integer(exact, &integer)) {
        v->value = number_of(integer);
        return exact;
    }
    if (times <= 1)
        return exact;
    struct decimal finer = decimal_multiply(exact, decimal_of(times));
    if (!decimal_round(finer, &integer))
        return exact;
    v->type = value_types_in_nanoseconds(types, v->type);
    if (!is_meant(finer, integer))
        return finer;
    v->value = number_of(integer);
    return decimal_of(integer);
}

int64_t sample_value_integer(const struct sample_value *v, const struct value_type *type,
                             struct place where)
{
    if (v->value.kind == NUMBER_INTEGER)
        return v->value.integer;
    int64_t rounded;
    if (!loss_round(type->type, decimal_read(v->value.real), &rounded))
        die_as(CODE_OVERFLOW, where, "sample_values.value: %.*s does not fit a 64-bit integer",
               STR_ARG(v->value.real));
    return rounded;
}
