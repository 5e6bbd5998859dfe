/* sides.h - the runs of both sides: what each entry (collect.h) had in each, itself and in all.
 *
 * A source is a run.  Those of base come first, in their order, then those of new.  Sums are doubles: the
 * statistics are. */
#ifndef PROFPIPE_SIDES_H
#define PROFPIPE_SIDES_H

#include "compare/moderate.h"
#include "profile/match.h"
#include "summary/collect.h"

/* Below this p, or q, is what is called significant; and what has less than this share of a run is not judged, where
 * nothing else is said. */
#define SIDES_LEVEL 0.05
#define SIDES_SHARE 0.005

/* A source. */
struct sides_run {
    bool is_new;
    size_t place; /* among the runs in their order, from 0 */
    uint64_t sample_count, cut_count;
    double time; /* seconds since 1970, NAN: unknown */
};

/* What an entry had in a run, in some of its stacks: entries have few of all runs, so there is no table of both. */
struct sides_cell {
    uint32_t place, before; /* of the run; the cell of this entry before, plus 1, 0: none */
    double self, total;
};

struct sides {
    struct collect collect;
    size_t base_inputs;
    struct sides_run *runs; /* by source - 1 */
    size_t run_capacity;
    struct match own; /* set if there is an expression */
    bool has_own;
    bool *is_own; /* by entry - 1: a frame of it has a file of one's own */
    size_t own_capacity;
    bool has_files;

    /* Once it is settled */
    size_t run_count, base_count, new_count;
    double *all; /* by place: the cost of the run */
    struct sides_cell *cells;
    size_t cell_count, cell_capacity;
    uint32_t *cell;         /* by entry - 1: its last cell, plus 1; 0: none */
    double *values[2];      /* by place: see sides_values */
    uint32_t *last;         /* by entry - 1: number + 1 of the last stack that had it */
    double sample;          /* what one sample stands for, in the unit of values; 1: unknown */
    double scale;           /* what new was multiplied by; 1 unless it is normalized */
    struct intern calls;    /* struct sides_call: what is called, and by whom */
    double (*call_sums)[2]; /* by call - 1: what base and new had in it, of a run */
    uint32_t *call_last;
    size_t call_capacity, call_last_capacity;
};

/* There is no padding: equal calls are equal bytes. */
struct sides_call {
    uint32_t caller, callee; /* entries; CALLER 0: none */
};

/* Makes S, all zero but for base_inputs, has_own and its expression, and by, label and keeps_labels of its collection, an empty
 * one of FLOW, of values of TYPE, the argument of --type or NULL. */
void sides_open(struct sides *s, struct flow *flow, const char *type);

/* Take a row of definitions, and a sample, merged (merge.h).  False where the sample has no stack, and is left out. */
void sides_row(struct sides *s, const struct row *row);
bool sides_sample(struct sides *s, struct sample *sample);

/* Adds up what came.  With NORMALIZE the runs of new are scaled so that all of them together cost, on average,
 * as much as those of base. */
void sides_settle(struct sides *s, bool normalize);

/* What the entry ENTRY had in each run, by place, in all if IS_TOTAL; valid until this is asked for the same of
 * another one. */
const double *sides_values(const struct sides *s, uint32_t entry, bool is_total);

/* The mean of VALUES, by place, over the runs of one side; 0 where it has none. */
double sides_mean(const struct sides *s, const double *values, bool is_new);

/* The mean share of the cost of a run that they are. */
double sides_mean_share(const struct sides *s, const double *values, bool is_new);

/* Whether a run of one side has something of VALUES. */
bool sides_has(const struct sides *s, const double *values, bool is_new);

/* Whether S has runs enough for tests: three on each side. */
static inline bool sides_can_test(const struct sides *s)
{
    return s->base_count >= MODERATE_RUNS && s->new_count >= MODERATE_RUNS;
}

/* What the runs of an entry say, all entries together. */
struct sides_verdict {
    struct moderate_test test; /* in shares, or in samples */
    double share;              /* of both sides together */
    bool is_judged;            /* that is enough */
    double q, holm; /* p after Benjamini and Hochberg's, and Holm's correction; NAN: not tested */
};

/* The verdicts by entry - 1, which the caller frees: of what entries had, in all if IS_TOTAL, as shares or as cost.
 * Those with a share of less than MIN_SHARE of both sides are not judged, and not tested. */
struct sides_verdict *sides_judge(const struct sides *s, bool is_total, bool are_shares,
                                  double min_share);

/* The same of the cost of whole runs. */
struct sides_verdict sides_judge_cost(const struct sides *s);

/* Frees what S holds. */
void sides_free(struct sides *s);

#endif
