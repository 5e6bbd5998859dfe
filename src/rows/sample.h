/* sample.h - a whole sample: what its rows of samples, sample_values and sample_locations say, taken
 * together, since they stand together by contract (profstream(5), ORDER).
 *
 * It borrows all that it points to, and is valid until whoever is handed it returns; until then that
 * one may change it and its arrays. */
#ifndef PROFPIPE_SAMPLE_H
#define PROFPIPE_SAMPLE_H

#include "base/decimal.h"
#include "base/diag.h"
#include "rows/row.h"
#include "rows/value_types.h"

struct sample_value {
    uint32_t type; /* a number in the table of types */
    struct number value;
    struct str extra; /* dotted columns of the row */
};

struct sample {
    int64_t sample_id, source_id;
    struct str extra; /* dotted columns of the row of samples */
    struct sample_value *values;
    size_t value_count;
    int64_t *locations; /* ids, innermost first */
    size_t depth;
    struct str *location_extras; /* dotted columns of each, by place; NULL: none has any */
    const uint64_t *lines;       /* where the rows of values and then of locations stand in the
                                  * input, if those are lines; NULL if not */
};

/* The value of V, of TYPE, as an integer.  A double is rounded, which is counted as a loss (loss.h); one
 * that does not fit 64 bits ends the tool (STATUS_INPUT) at WHERE. */
int64_t sample_value_integer(const struct sample_value *v, const struct value_type *type,
                             struct place where);

/* What V is, exactly. */
struct decimal sample_value_exact(const struct sample_value *v);

/* The same, but a fraction of a unit of time becomes nanoseconds, in which most are whole, and so does the type of V, in
 * TYPES.  V is a real; it becomes an integer where what is returned is one. */
struct decimal sample_value_refine(struct sample_value *v, struct value_types *types);

/* The place of row number I of SAMPLE, values and then locations, whose row of samples stands at
 * WHERE. */
static inline struct place sample_place(const struct sample *sample, struct place where, size_t i)
{
    if (sample->lines != NULL)
        where.at = sample->lines[i];
    return where;
}

#endif
