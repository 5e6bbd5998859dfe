/* flame_values.h - what rows of sums have of the types of a picture, one type after the other.
 *
 * Of a few types each row is gone through for each.  Of many that takes too long: the parts of rows are sorted by type
 * first, of as many types at a time as have FLAME_VALUES_MAX of them. */
#ifndef PROFPIPE_FLAME_VALUES_H
#define PROFPIPE_FLAME_VALUES_H

#include "pictures/flame.h"

/* Types that each row is gone through for, and the most parts that are sorted at a time: 16 MB. */
enum { FLAME_VALUES_FEW = SUMS_BLOCK, FLAME_VALUES_MAX = 1 << 20 };

struct flame_value;

/* A place is that of a row among ROWS. */
struct flame_values {
    const struct flame *f;
    const struct sums *sums; /* columns are numbers of types of the flow - 1 */
    const uint32_t *rows;    /* by place; NULL: a place is a row */
    size_t row_count;
    size_t type; /* in hand */

    /* Of many types */
    size_t *counts;            /* by type: of its parts */
    size_t *ends;              /* by type, of those that are sorted: behind its last part */
    size_t first, next;        /* from that type to before that one */
    struct flame_value *parts; /* by type and place */
    size_t capacity, at;       /* the part in hand */
};

/* Those of the stacks of F; places are those in its order. */
struct flame_values flame_values_of(const struct flame *f);

/* Prepares V, with its members up to ROW_COUNT set and all others zero, for all types; for a single one that is not
 * needed.  What these members point at must stay as it is until flame_values_free. */
void flame_values_open(struct flame_values *v);

/* Goes on with TYPE: best the one behind the one before. */
void flame_values_begin(struct flame_values *v, size_t type);

/* Adds what the row at PLACE has of the type in hand to TOTAL.  Of each type all places come, in their order. */
void flame_values_add(struct flame_values *v, size_t place, struct amount *total);

/* The same of all rows of CELL, of stacks. */
void flame_values_add_cell(struct flame_values *v, const struct flame_cell *cell,
                           struct amount *total);

/* What TOTAL, of the type in hand, comes to; ends the tool (STATUS_INPUT) where that passes 64 bits. */
int64_t flame_values_finish(const struct flame_values *v, const struct amount *total);

/* Frees what V holds. */
void flame_values_free(struct flame_values *v);

#endif
