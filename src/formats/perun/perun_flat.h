/* perun_flat.h - flattens an object into one level of columns, like the data frames of Perun's
 * Python code.
 *
 * A nested member gets both names with ':' between, as in `uid:line`. The column `uid` itself has
 * all these values joined by ':', in the order in which Perun ranks their names. A list becomes one
 * value joined by ','. A list of objects with `name` and `value`, such as the coefficients of a
 * model, is treated as an object. Objects nested too deep are kept as JSON
 * text. */
#ifndef PROFPIPE_PERUN_FLAT_H
#define PROFPIPE_PERUN_FLAT_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* The value in column NAME. NAME is bytes. */
struct perun_cell {
    struct str name;
    struct str text; /* bytes, or a value as spelled in the file; null p: null */
    enum {
        PERUN_CELL_BYTES,
        PERUN_CELL_JSON, /* a number, true or false */
        PERUN_CELL_WORD, /* NaN, Infinity or -Infinity, which are not JSON */
    } kind;
};

/* Cells.  All zero is none. */
struct perun_flat {
    struct perun_cell *cells;
    size_t count, capacity;
    struct arena arena; /* for their strings */
};

/* Sets FLAT to the cells of OBJECT, as spelled in the file. If several members have the same
 * column, the last one wins. No cells if OBJECT is not an object. */
void perun_flatten(struct perun_flat *flat, struct str object);

/* The cell called NAME; NULL if there is none. */
const struct perun_cell *perun_flat_find(const struct perun_flat *flat, struct str name);

/* Frees what FLAT holds. */
void perun_flat_free(struct perun_flat *flat);

#endif
