/* agg_extras.h - sets of dotted columns of samples, each stored once and numbered from 1; 0 is the
 * empty set.
 *
 * Samples with different sets are different. To compare them, labels are sorted by bytes and come
 * after all other columns, since real producers write the same labels in any order. A false flag is
 * dropped. */
#ifndef PROFPIPE_AGG_EXTRAS_H
#define PROFPIPE_AGG_EXTRAS_H

#include "base/buf.h"
#include "base/intern.h"
#include "filters/agg.h"
#include "stream/sink.h"

/* All zero is empty. */
struct agg_extras {
    struct intern texts; /* as found in samples; most are repeated */
    uint32_t *sets;      /* by text - 1 */
    size_t set_capacity;
    struct intern distinct; /* the sets */
    struct str *labels;     /* of the current sample: the text of each */
    size_t label_count, label_capacity;
    struct buf columns;
    uint64_t found;       /* of the first keys of labels to drop, those that there are, as bits */
    struct intern others; /* some keys that are kept */
};

/* Returns the set for COLUMNS of a sample at WHERE, without the labels that OPTIONS drops. Ends the
 * tool (STATUS_INPUT) if a column has an invalid value. */
uint32_t agg_extras_add(struct agg_extras *e, const struct agg_options *options, struct str columns,
                        struct place where);

/* The columns of SET, valid until agg_extras_free. */
static inline struct str agg_extras_get(const struct agg_extras *e, uint32_t set)
{
    return set == 0 ? STR("") : intern_get(&e->distinct, set);
}

/* Warns of each key of labels that OPTIONS drops and no sample had. */
void agg_extras_warn(const struct agg_extras *e, const struct agg_options *options);

/* Frees what E holds. */
void agg_extras_free(struct agg_extras *e);

#endif
