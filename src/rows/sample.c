#include "rows/sample.h"

#include "base/decimal.h"
#include "base/units.h"
#include "rows/loss.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Whether what rounding took off EXACT is more than the last bit of a double: less than that may come from its
 * text, which was to mean ROUNDED. */
static bool is_loss(struct decimal exact, int64_t rounded)
{
    struct decimal rest = exact;
    decimal_subtract(&rest, decimal_of(rounded));
    rest = decimal_multiply(rest, decimal_of(INT64_C(1) << (DBL_MANT_DIG - 1)));
    return decimal_compare(decimal_size(rest), decimal_size(exact)) > 0;
}

void sample_value_refine_real(struct sample_value *v, struct value_types *types)
{
    int64_t times = units_nanoseconds(value_types_get(types, v->type)->unit), nanoseconds;
    struct decimal exact = decimal_read(v->value.real);
    if (times <= 1 || decimal_is_integer(exact, &nanoseconds))
        return;
    exact = decimal_multiply(exact, decimal_of(times));
    if (!decimal_round(exact, &nanoseconds))
        return;
    if (is_loss(exact, nanoseconds))
        loss_add(LOSS_FRACTIONS, value_types_get(types, v->type)->type, 1);
    v->type = value_types_in_nanoseconds(types, v->type);
    v->value = number_of(nanoseconds);
}

int64_t sample_value_integer(const struct sample_value *v, const struct value_type *type,
                             struct place where)
{
    if (v->value.kind == NUMBER_INTEGER)
        return v->value.integer;
    double exact = strtod(v->value.real.p, NULL), rounded = round(exact);
    if (rounded != exact)
        loss_add(LOSS_FRACTIONS, type->type, 1);
    if (!(rounded >= -0x1p63 && rounded < 0x1p63))
        die_at(where, "sample_values.value: %.*s does not fit a 64-bit integer",
               STR_ARG(v->value.real));
    return (int64_t)rounded;
}
