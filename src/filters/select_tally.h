/* select_tally.h - how much filter_select has taken out, which it tells under -v. */
#ifndef PROFPIPE_SELECT_TALLY_H
#define PROFPIPE_SELECT_TALLY_H

#include "base/decimal.h"
#include "rows/sample.h"

/* What all samples have of a type. */
struct select_sum {
    bool is_gauge, is_known;  /* it is a level; some sample has it */
    struct decimal all, kept; /* signs left aside */
};

struct select_count {
    uint64_t all, kept;
};

/* All zero is none. */
struct select_tally {
    struct select_sum *sums; /* by the number of the type - 1 */
    uint32_t *types;         /* that samples have, in order of appearance */
    size_t sum_capacity, type_count, type_capacity;
    struct select_count samples, frames; /* in all profiles */
};

/* Notes that a source has the type NUMBER as a level, and whether one has. */
void select_tally_gauge(struct select_tally *t, uint32_t number);
bool select_tally_is_gauge(struct select_tally *t, uint32_t number);

/* Adds SAMPLE, with DEPTH frames, to all that came, or to what is KEPT; its values under -v alone. */
void select_tally_add(struct select_tally *t, const struct sample *sample, size_t depth, bool kept);

/* Tells what has been left out, of TYPES. */
void select_tally_report(const struct select_tally *t, const struct value_types *types);

void select_tally_free(struct select_tally *t);

#endif
