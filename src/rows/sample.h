/* sample.h - a whole sample: its rows of samples, sample_values and sample_locations together,
 * since these must be adjacent (profstream(5), ORDER).
 *
 * A sample borrows all that it points to, and is valid until the function that it is passed to
 * returns.  That function may change the sample and its arrays. */
#ifndef PROFPIPE_SAMPLE_H
#define PROFPIPE_SAMPLE_H

#include "base/decimal.h"
#include "base/diag.h"
#include "rows/row.h"
#include "rows/value_types.h"

struct sample_value {
    uint32_t type; /* its number in the table of types */
    struct number value;
    struct str extra; /* dotted columns of the row */
};

struct sample {
    int64_t sample_id, source_id;
    struct str extra; /* dotted columns of the row of samples */
    struct sample_value *values;
    size_t value_count;
    int64_t *locations; /* ids, innermost first */
    size_t depth;
    struct str *location_extras; /* dotted columns of each location, by index; NULL: none */
    const uint64_t *lines; /* line numbers of the rows of values, then of locations; NULL: none */

    /* Only for stages that say so (flow.takes_sums in sink.h): a sample may come in two parts. The
     * TALLY stands for TIMES samples of its source with the same types of values: its values are
     * the sums of theirs, and 0 where theirs are.  The stage counts them, but adds nothing up.
     * Labels and stack are those of the first; all have a stack, or none has. The SUM stands for
     * TIMES samples of its labels and stack, whose values were added up, and their times, if they
     * have any, are not known.  They are of sources with the same kind, value types and period; all
     * have been counted before. All values of both are integers from 0. */
    enum { SAMPLE_ONE, SAMPLE_TALLY, SAMPLE_SUM } role;
    uint64_t times; /* unused with SAMPLE_ONE */
};

/* For how many samples S counts; 0 for a SUM, whose samples have been counted. */
static inline uint64_t sample_tallied(const struct sample *s)
{
    return s->role == SAMPLE_ONE ? 1 : s->role == SAMPLE_TALLY ? s->times : 0;
}

/* How many samples the values of S add up; 0 for a TALLY, whose values are added elsewhere. */
static inline uint64_t sample_added(const struct sample *s)
{
    return s->role == SAMPLE_ONE ? 1 : s->role == SAMPLE_SUM ? s->times : 0;
}

/* The value of V, of TYPE, as an integer.  A double is rounded, which is counted as a loss
 * (loss.h); one that does not fit 64 bits ends the tool (STATUS_INPUT) at WHERE. */
int64_t sample_value_integer(const struct sample_value *v, const struct value_type *type,
                             struct place where);

/* The exact value of V. */
struct decimal sample_value_exact(const struct sample_value *v);

/* The same, but converts a fraction of a time to nanoseconds, where most are whole; the type of
 * V in TYPES becomes nanoseconds, too.  V must be a real; it becomes an integer if the result is
 * one. */
struct decimal sample_value_refine(struct sample_value *v, struct value_types *types);

/* Takes the time off the front of COLUMNS, the dotted columns of a sample, and stores it in *TIME;
 * false if another column is first.  All readers write it there: the other columns repeat a lot, so
 * that they can be looked up, but hardly any two times are equal. */
bool sample_take_time(struct str *columns, int64_t *time);

/* Stores the time of a sample with the dotted columns COLUMNS in *TIME; false if it has none. */
bool sample_time(struct str columns, int64_t *time);

/* Whether the outer frames of SAMPLE are missing. */
bool sample_is_cut(const struct sample *sample);

/* The place of the row I of SAMPLE, counted from 0 over values and then locations; WHERE is the
 * place of its row of samples. */
static inline struct place sample_place(const struct sample *sample, struct place where, size_t i)
{
    if (sample->lines != NULL)
        where.at = sample->lines[i];
    return where;
}

#endif
