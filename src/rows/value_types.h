/* value_types.h - the value types of samples, numbered. */
#ifndef PROFPIPE_VALUE_TYPES_H
#define PROFPIPE_VALUE_TYPES_H

#include "base/intern.h"

/* A value type with its unit.  The numbers of types, from 1, keep their meaning for the life of
 * the table, across profiles. */
struct value_type {
    struct str type, unit; /* canonical text */
    struct str lead;       /* canonical text between the sample_id of a row and its value */
    uint32_t name;         /* the same for all types of this name: a sample has only one of them */
    uint32_t finest;       /* the number of the type in nanoseconds; 0: not known yet */
};

/* All zero is an empty table. */
struct value_types {
    struct intern leads, names;
    struct value_type *items; /* by number - 1 */
    size_t capacity;
};

/* The number of TYPE in UNIT; both are copied if they are new. */
uint32_t value_types_add(struct value_types *types, struct str type, struct str unit);

/* The same for names that are bytes. */
uint32_t value_types_add_bytes(struct value_types *types, struct str type, struct str unit);

/* The number of the same type as NUMBER, but in nanoseconds. */
uint32_t value_types_in_nanoseconds(struct value_types *types, uint32_t number);

/* The type with that NUMBER, valid until another is added. */
static inline const struct value_type *value_types_get(const struct value_types *types,
                                                       uint32_t number)
{
    return &types->items[number - 1];
}

/* Frees what TYPES holds. */
void value_types_free(struct value_types *types);

#endif
