/* flame_values.h - the sums of rows for one type of a picture after the other.
 *
 * For a few types each row is searched once per type. For many types that is too slow: parts of
 * rows are first sorted by type, for as many types at a time as have at most FLAME_VALUES_MAX
 * parts. */
#ifndef PROFPIPE_FLAME_VALUES_H
#define PROFPIPE_FLAME_VALUES_H

#include "pictures/flame.h"

/* Max number of types for which each row is searched. Max number of parts sorted at a time: 16
 * MB. */
enum { FLAME_VALUES_FEW = SUMS_BLOCK, FLAME_VALUES_MAX = 1 << 20 };

struct flame_value;

/* A position is the index of a row in ROWS. */
struct flame_values {
    const struct flame *f;
    const struct sums *sums; /* columns are numbers of types in the flow - 1 */
    const uint32_t *rows;    /* by position; NULL: a position is itself a row */
    size_t row_count;
    size_t type; /* the current type */

    /* For many types. */
    size_t *counts;            /* by type: number of its parts */
    size_t *ends;              /* by type, for sorted ones: the end of its parts */
    size_t first, next;        /* sorted types: from FIRST up to, but without, NEXT */
    struct flame_value *parts; /* by type and position */
    size_t capacity, at;       /* AT: the current part */
};

/* The values of the stacks of F; positions are in its order. */
struct flame_values flame_values_of(const struct flame *f);

/* Opens V for all types; not needed for a single one. The members up to ROW_COUNT are set, all
 * others zero. What they point at must not change until flame_values_free. */
void flame_values_open(struct flame_values *v);

/* Moves on to TYPE. Fastest if types come in order. */
void flame_values_begin(struct flame_values *v, size_t type);

/* Adds to TOTAL the value of the current type in the row at POSITION. For each type all positions
 * must come, in order. */
void flame_values_add(struct flame_values *v, size_t position, struct amount *total);

/* The same for all rows of CELL, whose positions are stacks. */
void flame_values_add_cell(struct flame_values *v, const struct flame_cell *cell,
                           struct amount *total);

/* The value of TOTAL for the current type. Ends the tool (STATUS_INPUT) if it exceeds 64 bits. */
int64_t flame_values_finish(const struct flame_values *v, const struct amount *total);

/* Frees what V holds. */
void flame_values_free(struct flame_values *v);

#endif
