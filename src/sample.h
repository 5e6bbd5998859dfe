/* sample.h - a whole sample: what its rows of samples, sample_values and sample_locations say, taken
 * together, since they stand together by contract (profstream(5), ORDER).
 *
 * It borrows all that it points to, and is valid until whoever is handed it returns; until then that
 * one may change it and its arrays. */
#ifndef PROFPIPE_SAMPLE_H
#define PROFPIPE_SAMPLE_H

#include "diag.h"
#include "intern.h"
#include "row.h"

/* A type of values with its unit.  Numbers of these, from 1, mean the same as long as their table
 * lives, whatever profile a sample is of. */
struct value_type {
    struct str type, unit; /* canonical text */
    struct str lead;       /* canonical text between the sample_id of a row and its value */
    uint32_t name;         /* a number that types of equal name share: a sample has one of them */
};

/* All zero is an empty table. */
struct value_types {
    struct intern leads, names;
    struct value_type *items; /* by number - 1 */
    size_t capacity;
};

/* The number of TYPE in UNIT, which are copied when they are new. */
uint32_t value_types_add(struct value_types *types, struct str type, struct str unit);

/* The type NUMBER of TYPES, valid until the next is added. */
static inline const struct value_type *value_types_get(const struct value_types *types,
                                                       uint32_t number)
{
    return &types->items[number - 1];
}

/* Frees what TYPES holds. */
void value_types_free(struct value_types *types);

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

/* The place of row number I of SAMPLE, values and then locations, whose row of samples stands at
 * WHERE. */
static inline struct place sample_place(const struct sample *sample, struct place where, size_t i)
{
    if (sample->lines != NULL)
        where.at = sample->lines[i];
    return where;
}

#endif
