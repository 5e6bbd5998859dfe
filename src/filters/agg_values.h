/* agg_values.h - the values of samples that are added up.
 *
 * Integers are added as such.  A real is digits times a power of ten: digits are added up by type and
 * power, so that sums are exact as long as they have no more digits than a decimal keeps (decimal.h), and
 * do not depend on the order in which their terms came. */
#ifndef PROFPIPE_AGG_VALUES_H
#define PROFPIPE_AGG_VALUES_H

#include "base/sums.h"
#include "filters/agg.h"
#include "filters/agg_normal.h"
#include "filters/derive.h"
#include "stream/sink.h"

/* What the values of one type come to, of the samples that become one. */
struct agg_value {
    uint32_t type;   /* in the types of the flow */
    uint32_t rank;   /* among those of its source */
    uint64_t levels; /* if it is a gauge: how many reals AMOUNT is the sum of; 0: it is none */
    struct agg_amount amount;
};

/* A type of the sample in hand. */
struct agg_type {
    uint32_t type;
    uint32_t column; /* of the sums of its integers, plus 1; 0: not asked for yet */
    uint32_t signs;  /* and where those below 1 are counted; the same */
    bool is_gauge;
};

/* All zero but for what is set is empty. */
struct agg_values {
    struct flow *flow;        /* set */
    enum agg_gauge gauge;     /* set */
    bool is_one_source;       /* set: sources are one, 0 */
    struct agg_scale *scales; /* set; not owned */
    size_t scale_count;
    const struct derive *derive; /* set: what samples of sources stand for */
    uint32_t dropped;            /* a type whose values are not written; 0: none */

    struct intern ranks; /* source and type, in the order in which the source has them */
    bool *gauges;        /* by rank - 1 */
    size_t gauge_capacity;
    struct agg_normal *normals; /* the same, once values have been noted */
    size_t normal_capacity;
    int64_t source;         /* of the sample before, and */
    struct agg_type *types; /* by place: the types that it had */
    size_t type_count, type_capacity;

    struct intern columns;   /* type and power of ten, or one of what agg_values.c lists instead */
    struct sums_part *parts; /* of the sample in hand */
    size_t part_count, part_capacity;
    bool has_levels; /* it has values of gauges that are kept */

    struct intern cells;      /* stack and type of gauges that are kept */
    struct agg_value *levels; /* by cell - 1 */
    size_t level_capacity;

    struct agg_value *totals; /* of the sample that is made */
    size_t total_count, total_capacity;
    uint32_t *places; /* by type - 1: its place in TOTALS, where that is of this type */
    size_t place_capacity;
    int64_t *last_samples; /* by name of a type: the last sample that was given a value of it */
    size_t name_capacity;
    struct sample_value *values;
    size_t value_capacity;
    struct buf text; /* of reals */
};

/* Takes what ROW, a source, says of its types. */
void agg_values_source(struct agg_values *v, const struct row *row);

/* Makes v->parts the values of SAMPLE, for stacks_add.  Where v->has_levels, agg_values_keep_levels must follow
 * once the number of its stack is known. */
void agg_values_read(struct agg_values *v, const struct sample *sample);
void agg_values_keep_levels(struct agg_values *v, const struct sample *sample, uint32_t stack);

/* Begins v->totals anew, with none. */
void agg_values_begin(struct agg_values *v);

/* Adds the values of SAMPLE, or the sums of STACK of the source SOURCE, to v->totals. */
void agg_values_add(struct agg_values *v, const struct sample *sample);
void agg_values_add_sums(struct agg_values *v, const struct sums *sums, uint32_t stack,
                         int64_t source);

/* Notes v->totals, for sources to be scaled to the first one: all of them before agg_values_normalize, which settles
 * how.  Warns where that cannot be. */
void agg_values_note(struct agg_values *v);
void agg_values_normalize(struct agg_values *v);

/* Gives SAMPLE, which has its id, the values that v->totals come to, scaled, and takes them away; those stay
 * whose type comes in several units, for a next sample.  False where a sum passes 64 bits or what a double
 * can hold: *TYPE is that of it. */
bool agg_values_take(struct agg_values *v, struct sample *sample, uint32_t *type);

/* Frees what V holds. */
void agg_values_free(struct agg_values *v);

#endif
