/* sides.h - the runs of both sides: what each item had in each, itself and in all.
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

/* Sides, as bits. */
enum { SIDES_BASE = 1, SIDES_NEW = 2, SIDES_BOTH = SIDES_BASE | SIDES_NEW };

/* How runs are compared. */
struct sides_how {
    enum sides_per { SIDES_PER_RUN, SIDES_PER_SECOND, SIDES_PER_OP } per;
    double operations; /* of a run, with SIDES_PER_OP */
    bool normalize;    /* new is scaled so that its runs cost, on average, what those of base do */
    bool allow_equal;  /* equal runs are not spoken of */
    bool no_pairs;     /* names are what they are */
};

/* A source. */
struct sides_run {
    bool is_new;
    enum sides_run_state {
        SIDES_RUN_COUNTS,
        SIDES_RUN_EMPTY, /* it has no sample of a type that is sampled: it measured nothing */
        SIDES_RUN_LACKS, /* it has no values of the type that is compared */
        SIDES_RUN_COPY,  /* a run before it on its side has the same contents */
    } state;
    size_t place; /* among the runs that count, in their order, from 0 */
    uint64_t sample_count, cut_count;
    double time;     /* when it was taken, in seconds since 1970; NAN: unknown */
    double seconds;  /* how long it took; NAN: unknown */
    double cost;     /* the sum of its values, signs left aside */
    double weight;   /* what its values are multiplied by */
    uint64_t digest; /* of all that it holds but its name */
    size_t original; /* the first run of its side with the same contents, from 1: itself, mostly */
    size_t twin;     /* the first run of the other side with the same contents, from 1; 0: none */
};

/* What a row of a table is about: an entry (collect.h) of base and the one of new that it is compared with.  They are
 * the same, unless names differ in a generated part (pairs.h); 0: that side has none. */
struct sides_item {
    uint32_t base, new;
};

/* One of what costs are told of, such as "a run". */
const char *sides_per_name(enum sides_per per);

/* What an item had in a run, in some of its stacks: items have few of all runs, so there is no table of both. */
struct sides_cell {
    uint32_t place, before; /* of the run; the cell of this item before, plus 1, 0: none */
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
    unsigned char *seen; /* by location - 1: the sides that have it in a stack, as bits */
    size_t seen_capacity;

    /* Once it is settled */
    size_t run_count, base_count, new_count; /* of those that count */
    double *all;                             /* by place: the cost of the run */
    struct sides_item *items;
    size_t item_count;
    uint32_t *item_of[2]; /* by entry - 1, of base and of new: its item; 0: none */
    struct sides_cell *cells;
    size_t cell_count, cell_capacity;
    uint32_t *cell;         /* by item - 1: its last cell, plus 1; 0: none */
    double *values[2];      /* by place: see sides_values */
    uint32_t *last;         /* by item - 1: number + 1 of the last stack that had it */
    double sample;          /* what one sample stands for, in the unit of values; 1: unknown */
    double scale;           /* what new was multiplied by; 1 unless it is normalized */
    enum sides_per per;     /* what costs are told of */
    double divisor;         /* how many seconds, or operations, a run has; 1 where runs are told */
    struct intern calls;    /* struct sides_call: what is called, and by whom */
    double (*call_sums)[2]; /* by call - 1: what base and new had in it, of a run */
    uint32_t *call_last;
    size_t call_capacity, call_last_capacity;
};

/* There is no padding: equal calls are equal bytes. */
struct sides_call {
    uint32_t caller, callee; /* items; CALLER 0: none */
};

/* Makes S, all zero but for base_inputs, has_own and its expression, and by, label and keeps_labels of its collection, an empty
 * one of FLOW, of values of TYPE, the argument of --type or NULL. */
void sides_open(struct sides *s, struct flow *flow, const char *type);

/* Take a row of definitions, and a sample, merged (merge.h).  False where the sample has no stack, and is left out. */
void sides_row(struct sides *s, const struct row *row);
bool sides_sample(struct sides *s, struct sample *sample);

/* SUM, as collect_each_stack gives it, in the unit of values. */
static inline double sides_sum(const struct sides *s, int64_t sum)
{
    return decimal_to_double((struct decimal){wide_of(sum), s->collect.power});
}

/* Adds up what came.  Ends the tool (STATUS_INPUT) where runs are copies that cannot be (admit.h), or do not say how
 * long they took though HOW asks for that. */
void sides_finish(struct sides *s, const struct sides_how *how);

/* Appends the name of ITEM, bytes, to TO: that which new has, or else that of base. */
void sides_add_name(const struct sides *s, uint32_t item, struct buf *to);

/* Whether base has another name for ITEM, and that name. */
static inline bool sides_is_renamed(const struct sides *s, uint32_t item)
{
    const struct sides_item *of = &s->items[item - 1];
    return of->base != 0 && of->new != 0 && of->base != of->new;
}
void sides_add_old_name(const struct sides *s, uint32_t item, struct buf *to);

/* Appends both to TO, for people. */
void sides_add_names(const struct sides *s, uint32_t item, struct buf *to);

/* Whether a frame of ITEM has a file of one's own. */
bool sides_is_own(const struct sides *s, uint32_t item);

/* What ITEM had in each run, by place, in all if IS_TOTAL; valid until this is asked for the same of another one. */
const double *sides_values(const struct sides *s, uint32_t item, bool is_total);

/* The mean of VALUES, by place, over the runs of one side; 0 where it has none. */
double sides_mean(const struct sides *s, const double *values, bool is_new);

/* Whether no run that counts has anything of the type that is compared. */
bool sides_have_nothing(const struct sides *s);

/* By how much BASE has grown to NEW, as a part of its size: of -100 to -10 that is 0.9.  INFINITY, or 0, where it was nothing. */
double sides_growth(double base, double new);

/* The mean share of the cost of a run that they are. */
double sides_mean_share(const struct sides *s, const double *values, bool is_new);

/* Whether a run of one side has something of VALUES. */
bool sides_has(const struct sides *s, const double *values, bool is_new);

/* How many runs of a side are in STATE. */
size_t sides_count(const struct sides *s, bool is_new, enum sides_run_state state);

/* Whether S has runs enough for tests: three on each side. */
static inline bool sides_can_test(const struct sides *s)
{
    return s->base_count >= MODERATE_RUNS && s->new_count >= MODERATE_RUNS;
}

/* Whether each run of one side that counts has one of the same contents on the other. */
bool sides_are_equal(const struct sides *s);

/* What the runs of an item say, all items together. */
struct sides_verdict {
    struct moderate_test test; /* in shares, or in samples */
    double share;              /* of both sides together, signs left aside */
    bool is_judged;            /* that is enough */
    double q, holm; /* p after Benjamini and Hochberg's, and Holm's correction; NAN: not tested */
};

/* The verdicts by item - 1, which the caller frees: of what items had, in all if IS_TOTAL, as shares or as cost.
 * Those with a share of less than MIN_SHARE of both sides are not judged, and not tested. */
struct sides_verdict *sides_judge(const struct sides *s, bool is_total, bool are_shares,
                                  double min_share);

/* The same of the cost of whole runs. */
struct sides_verdict sides_judge_cost(const struct sides *s);

/* Frees what S holds. */
void sides_free(struct sides *s);

#endif
