/* left_out.h - rows of the table .left_out (profstream(5)): what the samples had that a filter left
 * out.
 *
 * A profile may have several for a type, from several filters or of several profiles that were
 * merged: they add up. With the samples that are there they make what all was before. */
#ifndef PROFPIPE_LEFT_OUT_H
#define PROFPIPE_LEFT_OUT_H

#include "base/decimal.h"
#include "base/diag.h"
#include "rows/row.h"
#include "rows/value_types.h"

#define LEFT_OUT_TABLE STR(".left_out")

/* Sums by type.  All zero is empty. */
struct left_out {
    struct decimal *sums; /* by number of the type - 1 */
    size_t capacity;
};

/* Adds X, of type NUMBER. */
void left_out_add(struct left_out *l, uint32_t number, struct decimal x);

/* Adds the sum of ROW, at WHERE, with a type of TYPES; false if it is of another table.  Ends the
 * tool (STATUS_INPUT) if it is invalid. */
bool left_out_read(struct left_out *l, const struct row *row, struct value_types *types,
                   struct place where);

/* The row for type NUMBER of TYPES, which has a sum; valid until TEXT changes. */
struct row left_out_row(const struct left_out *l, uint32_t number, const struct value_types *types,
                        struct buf *text);

/* Frees what L holds, and leaves it empty. */
void left_out_free(struct left_out *l);

#endif
