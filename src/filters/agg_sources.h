/* agg_sources.h - merges sources into one, which keeps what all of them agree on. */
#ifndef PROFPIPE_AGG_SOURCES_H
#define PROFPIPE_AGG_SOURCES_H

#include "base/buf.h"
#include "base/intern.h"
#include "rows/row.h"
#include "rows/value_types.h"

/* All zero is empty. */
struct agg_sources {
    struct arena arena;
    bool has_any;
    struct row row;      /* without its dotted columns */
    struct buf columns;  /* its dotted columns, without .value_types */
    struct intern types; /* items of .value_types, in order of appearance */
    uint32_t dropped;    /* the item that is dropped; 0: none */
};

/* Takes ROW, the next source. */
void agg_sources_add(struct agg_sources *s, const struct row *row);

/* After the last source: sets *ROW to the merged source, with id 1, valid until agg_sources_free.
 * False if there was no source. */
bool agg_sources_get(struct agg_sources *s, struct row *row);

/* Drops TYPE from .value_types, as spelled by listed_add. */
void agg_sources_drop(struct agg_sources *s, const struct value_type *type);

/* Frees what S holds. */
void agg_sources_free(struct agg_sources *s);

#endif
