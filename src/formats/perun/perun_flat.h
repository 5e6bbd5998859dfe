/* perun_flat.h - what Perun keeps, as the data frames of its Python have it: one level of columns.
 *
 * An object's members are called by both names with ':' between, as in `uid:line`, and `uid` itself is what they
 * all are, with ':' between, in the order in which Perun ranks their names.  A list is one value, with ',' between its
 * items, but for one of objects with `name` and `value`, as coefficients of models are, which stands for an
 * object.  Objects nested deeper than is sensible are left out as text. */
#ifndef PROFPIPE_PERUN_FLAT_H
#define PROFPIPE_PERUN_FLAT_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* What stands in the column NAME, bytes. */
struct perun_cell {
    struct str name;
    struct str text; /* bytes, or a value as the file spells it; p is NULL: null */
    enum {
        PERUN_CELL_BYTES,
        PERUN_CELL_JSON, /* a number, true or false */
        PERUN_CELL_WORD, /* NaN, Infinity or -Infinity, of which JSON knows nothing */
    } kind;
};

/* Cells.  All zero is none. */
struct perun_flat {
    struct perun_cell *cells;
    size_t count, capacity;
    struct arena arena; /* for their strings */
};

/* Makes FLAT the cells of the members of OBJECT, as the file spells it: of several in one column the last holds.  None where it is no object. */
void perun_flatten(struct perun_flat *flat, struct str object);

/* The cell called NAME; NULL: there is none. */
const struct perun_cell *perun_flat_find(const struct perun_flat *flat, struct str name);

/* Frees what FLAT holds. */
void perun_flat_free(struct perun_flat *flat);

#endif
