/* select_tally.h - counts what filter_select drops, for the report under -v. */
#ifndef PROFPIPE_SELECT_TALLY_H
#define PROFPIPE_SELECT_TALLY_H

#include "base/decimal.h"
#include "rows/sample.h"

/* The sums of a type over all samples. */
struct select_sum {
    bool is_gauge, is_known;  /* the type is a gauge; a sample has it */
    struct decimal all, kept; /* of absolute values */
};

struct select_count {
    uint64_t all, kept;
};

/* All zero is empty. */
struct select_tally {
    struct select_sum *sums; /* by number of a type - 1 */
    uint32_t *types;         /* of samples, in order of appearance */
    size_t sum_capacity, type_count, type_capacity;
    struct select_count samples, frames; /* in all profiles */
};

/* Record that some source has type NUMBER as a gauge; ask for it. */
void select_tally_gauge(struct select_tally *t, uint32_t number);
bool select_tally_is_gauge(struct select_tally *t, uint32_t number);

/* Counts SAMPLE, with DEPTH frames, as input, or as KEPT. Values are only added under -v. */
void select_tally_add(struct select_tally *t, const struct sample *sample, size_t depth, bool kept);

/* Reports what was dropped, by TYPES. */
void select_tally_report(const struct select_tally *t, const struct value_types *types);

void select_tally_free(struct select_tally *t);

#endif
