/* agg_sources.h - many sources become one: it says what all of them say. */
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
    struct row row;      /* but for its dotted columns */
    struct buf columns;  /* these, but for .value_types */
    struct intern types; /* the items of these, in order of appearance */
    uint32_t dropped;    /* one of them, which is left out; 0: none */
};

/* Takes ROW, the next source. */
void agg_sources_add(struct agg_sources *s, const struct row *row);

/* After the last: makes *ROW the one source, 1, valid until agg_sources_free.  False where there was none. */
bool agg_sources_get(struct agg_sources *s, struct row *row);

/* Leaves out TYPE, as derive.h lists it. */
void agg_sources_drop(struct agg_sources *s, const struct value_type *type);

/* Frees what S holds. */
void agg_sources_free(struct agg_sources *s);

#endif
