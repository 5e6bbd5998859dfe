/* agg_names.h - keeps the names of functions from passing rows, for messages about a stack. */
#ifndef PROFPIPE_AGG_NAMES_H
#define PROFPIPE_AGG_NAMES_H

#include "base/arena.h"
#include "stream/sink.h"

struct agg_names {
    struct sink sink;
    struct sink *next;
    struct arena arena;
    struct str *functions; /* by id - 1 */
    uint32_t *locations;   /* by id - 1: the function; 0: none */
    size_t function_count, location_count, function_capacity, location_capacity;
};

/* Returns a stage that passes rows to NEXT. Ids of rows must be dense, in order of appearance. */
struct agg_names agg_names_of(struct sink *next);

/* The name of the function of LOCATION, canonical text, or a placeholder if it has none. */
struct str agg_names_get(const struct agg_names *n, int64_t location);

/* Frees what N holds. */
void agg_names_free(struct agg_names *n);

#endif
