/* agg_values.h - adds up the values of samples.
 *
 * Integers are added as integers. A real is digits times a power of ten, and digits are added up
 * per type and power. So sums are exact while they fit the digits of a decimal (decimal.h), and do
 * not depend on the order of the terms. */
#ifndef PROFPIPE_AGG_VALUES_H
#define PROFPIPE_AGG_VALUES_H

#include "base/sums.h"
#include "filters/agg.h"
#include "filters/agg_normal.h"
#include "filters/derive.h"
#include "stream/sink.h"

/* The sum of one type over the samples that are merged. */
struct agg_value {
    uint32_t type;   /* number in the flow */
    uint32_t rank;   /* order in its source */
    uint64_t levels; /* for a gauge: how many values AMOUNT is the sum of; 0: not a gauge */
    struct agg_amount amount;
};

/* A type of the current sample. */
struct agg_type {
    uint32_t type;
    uint32_t column; /* of the sums of its integers, + 1; 0: not known yet */
    uint32_t signs;  /* column that counts values below 1, + 1; 0: not known yet */
    bool is_gauge;
};

/* All zero except the members set by the caller is empty. */
struct agg_values {
    struct flow *flow;        /* set by the caller */
    enum agg_gauge gauge;     /* set by the caller */
    bool is_one_source;       /* set by the caller: all sources are merged, as source 0 */
    struct agg_scale *scales; /* set by the caller; not owned */
    size_t scale_count;
    const struct derive *derive; /* set by the caller: the time per sample of sources */
    uint32_t dropped;            /* a type that is not written; 0: none */

    struct intern ranks; /* source and type, in the order of the source */
    bool *gauges;        /* by rank - 1 */
    size_t gauge_capacity;
    struct agg_normal *normals; /* by rank - 1, after agg_values_note */
    size_t normal_capacity;
    int64_t source;         /* of the previous sample */
    struct agg_type *types; /* types of the previous sample, by index */
    size_t type_count, type_capacity;

    struct intern columns;   /* type and power of ten, or a special column of agg_values.c */
    struct sums_part *parts; /* of the current sample */
    size_t part_count, part_capacity;
    bool has_levels; /* the current sample has values of gauges that are kept */

    struct intern cells;      /* stack and type, for gauges that are kept */
    struct agg_value *levels; /* by cell - 1 */
    size_t level_capacity;

    struct agg_value *totals; /* of the merged sample */
    size_t total_count, total_capacity;
    uint32_t *positions; /* by type - 1: index in TOTALS, valid if the type there is the same */
    size_t position_capacity;
    int64_t *last_samples; /* by name of a type: the last sample that got a value of it */
    size_t name_capacity;
    struct sample_value *values;
    size_t value_capacity;
    struct buf text; /* of reals */
};

/* Stores the value types of ROW, a source. */
void agg_values_source(struct agg_values *v, const struct row *row);

/* agg_values_read sets v->parts to the values of SAMPLE, for stacks_add. If v->has_levels is then
 * set, call agg_values_keep_levels once the number of its stack is known. */
void agg_values_read(struct agg_values *v, const struct sample *sample);
void agg_values_keep_levels(struct agg_values *v, const struct sample *sample, uint32_t stack);

/* Empties v->totals. */
void agg_values_begin(struct agg_values *v);

/* Add to v->totals the values of SAMPLE, or the sums of STACK in SOURCE. */
void agg_values_add(struct agg_values *v, const struct sample *sample);
void agg_values_add_sums(struct agg_values *v, const struct sums *sums, uint32_t stack,
                         int64_t source);

/* For scaling sources to the first: call agg_values_note for all totals, then agg_values_normalize
 * once, which computes the factors. It warns where a source cannot be scaled. */
void agg_values_note(struct agg_values *v);
void agg_values_normalize(struct agg_values *v);

/* Moves v->totals, scaled, to the values of SAMPLE, whose id is set. If a type comes in several
 * units, only one of them is moved and the rest stay for another sample. Returns false if a sum
 * exceeds 64 bits or the range of a double; *TYPE is then its type. */
bool agg_values_take(struct agg_values *v, struct sample *sample, uint32_t *type);

/* Frees what V holds. */
void agg_values_free(struct agg_values *v);

#endif
