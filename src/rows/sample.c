#include "rows/sample.h"

#include "rows/loss.h"

#include <math.h>
#include <stdlib.h>

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
