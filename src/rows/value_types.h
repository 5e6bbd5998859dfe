/* value_types.h - the types of values that samples have, as numbers. */
#ifndef PROFPIPE_VALUE_TYPES_H
#define PROFPIPE_VALUE_TYPES_H

#include "base/intern.h"

/* A type of values with its unit.  Numbers of these, from 1, mean the same as long as their table
 * lives, whatever profile a sample is of. */
struct value_type {
    struct str type, unit; /* canonical text */
    struct str lead;       /* canonical text between the sample_id of a row and its value */
    uint32_t name;         /* a number that types of equal name share: a sample has one of them */
    uint32_t finest;       /* that of the type in nanoseconds; 0: not asked for yet */
};

/* All zero is an empty table. */
struct value_types {
    struct intern leads, names;
    struct value_type *items; /* by number - 1 */
    size_t capacity;
};

/* The number of TYPE in UNIT, which are copied when they are new. */
uint32_t value_types_add(struct value_types *types, struct str type, struct str unit);

/* The same of names that are bytes. */
uint32_t value_types_add_bytes(struct value_types *types, struct str type, struct str unit);

/* The number of the type NUMBER in nanoseconds instead of its unit. */
uint32_t value_types_in_nanoseconds(struct value_types *types, uint32_t number);

/* The type NUMBER of TYPES, valid until the next is added. */
static inline const struct value_type *value_types_get(const struct value_types *types,
                                                       uint32_t number)
{
    return &types->items[number - 1];
}

/* Frees what TYPES holds. */
void value_types_free(struct value_types *types);

#endif
