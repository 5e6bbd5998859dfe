/* agg_extras.h - the dotted columns of samples, each set once, numbered from 1; 0 is the empty one.
 *
 * They tell samples apart.  Labels are in the order of their bytes and behind all others, since real producers
 * have the same ones in any order; a flag that is false is as good as none. */
#ifndef PROFPIPE_AGG_EXTRAS_H
#define PROFPIPE_AGG_EXTRAS_H

#include "base/buf.h"
#include "base/intern.h"
#include "filters/agg.h"
#include "stream/sink.h"

/* All zero is empty. */
struct agg_extras {
    struct intern texts; /* as samples have them: most repeat one of a few */
    uint32_t *sets;      /* by text - 1 */
    size_t set_capacity;
    struct intern distinct; /* the sets */
    struct str *labels;     /* of the sample in hand: the text of each */
    size_t label_count, label_capacity;
    struct buf columns;
};

/* The set of COLUMNS, those of a sample at WHERE, without the labels that OPTIONS has go.  Ends the tool
 * (STATUS_INPUT) where a column does not hold what it must. */
uint32_t agg_extras_add(struct agg_extras *e, const struct agg_options *options, struct str columns,
                        struct place where);

/* The columns of SET, valid until agg_extras_free. */
static inline struct str agg_extras_get(const struct agg_extras *e, uint32_t set)
{
    return set == 0 ? STR("") : intern_get(&e->distinct, set);
}

/* Frees what E holds. */
void agg_extras_free(struct agg_extras *e);

#endif
