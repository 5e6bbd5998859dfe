#include "rows/sample.h"

#include "base/units.h"
#include "rows/loss.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

void sample_value_refine_real(struct sample_value *v, struct value_types *types)
{
    int64_t times = units_nanoseconds(value_types_get(types, v->type)->unit);
    long double exact = strtold(v->value.real.p, NULL), product = exact * times;
    long double nanoseconds = roundl(product);
    if (times <= 1 || roundl(exact) == exact || !(fabsl(nanoseconds) < 0x1p63L))
        return;
    if (fabsl(nanoseconds - product) >
        fabsl(product) * DBL_EPSILON) /* more than a double may be off */
        loss_add(LOSS_FRACTIONS, value_types_get(types, v->type)->type, 1);
    v->type = value_types_in_nanoseconds(types, v->type);
    v->value = number_of((int64_t)nanoseconds);
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
