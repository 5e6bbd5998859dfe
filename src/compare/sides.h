/* sides.h - the runs of both sides: self and total of each item in each run.
 *
 * A source is a run, unless labels say what is (split.h). Runs of base come first, in order, then
 * those of new. Sums are doubles, as the statistics are. */
#ifndef PROFPIPE_SIDES_H
#define PROFPIPE_SIDES_H

#include "compare/moderate.h"
#include "compare/split.h"
#include "profile/calls.h"
#include "profile/match.h"
#include "summary/collect.h"

/* The level of significance for p and q. The default min share of a run: items below it are not
 * judged. */
#define SIDES_LEVEL 0.05
#define SIDES_SHARE 0.005

/* Sides, as bits. */
enum { SIDES_BASE = 1, SIDES_NEW = 2, SIDES_BOTH = SIDES_BASE | SIDES_NEW };

/* How to compare runs. */
struct sides_how {
    enum sides_per { SIDES_PER_RUN, SIDES_PER_SECOND, SIDES_PER_OP } per;
    const double *operations; /* for SIDES_PER_OP: of each run, by its number - 1 */
    bool normalize;           /* scale new so that its mean cost per run equals that of base */
    bool allow_equal;         /* do not report equal runs */
    bool no_pairs;            /* do not pair generated names */
    bool ranks;               /* compare ranks (rank.h), and show medians */
};

/* What a source says of its run. */
struct sides_facts {
    bool is_new; /* the side where it was named */
    bool has_samples;
    double time;     /* when it was taken, in seconds since 1970; NAN: unknown */
    double seconds;  /* duration; NAN: unknown */
    uint64_t digest; /* of all its content except its name and its samples */
};

struct sides_run {
    bool is_new;
    enum sides_run_state {
        SIDES_RUN_COUNTS,
        SIDES_RUN_EMPTY, /* no sample of a sampled type: it measured nothing */
        SIDES_RUN_LACKS, /* no values of the compared type */
        SIDES_RUN_COPY,  /* same content as an earlier run of its side */
    } state;
    size_t position; /* index among the runs that count, from 0 */
    size_t source;   /* the first that it has samples of, from 1 */
    bool has_type;   /* one of them lists the compared type */
    bool is_sampled; /* in one that does, it is a sampled one */
    uint64_t sample_count, cut_count;
    double time;     /* of its first source */
    double seconds;  /* of all its sources */
    double cost;     /* sum of the absolute values */
    double weight;   /* its values are multiplied by this */
    uint64_t digest; /* of all its content except names */
    size_t original; /* first run of this side with the same content, from 1: mostly itself */
    size_t twin;     /* first run of the other side with the same content, from 1; 0: none */
};

/* What a row is about: an entry of base (collect.h) and the entry of new that it is compared with.
 * They are the same unless names differ in a generated part (pairs.h). 0: missing on that side. */
struct sides_item {
    uint32_t base, new;
};

/* The name of what cost refers to, such as "a run". */
const char *sides_per_name(enum sides_per per);

/* Sums of an item in a run, for some of its stacks. An item occurs in few runs, so there is no full
 * table of items and runs. */
struct sides_cell {
    uint32_t position, before; /* position of the run; the item's previous cell + 1, or 0 */
    uint32_t values;           /* of levels: how many were put here */
    double self, total, bound; /* see struct collect_total */
};

struct sides {
    struct collect collect;
    size_t base_inputs;
    struct split split;
    struct sides_facts *facts; /* by source - 1 */
    size_t facts_capacity;
    struct sides_run *runs; /* by number - 1, split.runs.count of them; of files, by source - 1 */
    size_t run_capacity;
    struct match own; /* used if has_own */
    bool has_own;
    bool *is_own; /* by entry - 1: one of its frames is in a file of the user's own */
    size_t own_capacity;
    bool has_files;
    unsigned char *seen; /* by location - 1: the sides with a stack that contains it, as bits */
    size_t seen_capacity;

    /* Set by sides_finish. */
    bool is_level;                           /* values are levels, which are not added up */
    size_t run_count, base_count, new_count; /* of runs that count */
    uint64_t value_count;                    /* how many values stacks have */
    double *all;                             /* by position: cost of the run; NAN: of levels */
    struct sides_item *items;
    size_t item_count;
    uint32_t *item_of[2]; /* by entry - 1, for base and for new: its item; 0: none */
    struct sides_cell *cells;
    size_t cell_count, cell_capacity;
    uint32_t *cell;           /* by item - 1: its last cell + 1; 0: none */
    double *values[2];        /* by position: see sides_values */
    uint32_t *last;           /* by item - 1: number + 1 of the last stack that contained it */
    double sample;            /* value of one sample, in the unit of values; 1: unknown */
    double scale;             /* factor applied to new; 1 unless normalized */
    bool ranks;               /* as in sides_how */
    enum sides_per per;       /* what cost refers to */
    double divisor;           /* seconds or operations per run; 1 for SIDES_PER_RUN */
    struct calls calls;       /* of items; the caller may be 0: none */
    struct sides_cost *costs; /* by call - 1 */
    size_t cost_capacity;
};

/* What a call costs. */
struct sides_cost {
    uint32_t last;  /* the last stack that had it, as its number + 1 */
    double sums[2]; /* mean per run in base and in new */
};

/* Opens S for FLOW. S is all zero except base_inputs, split.how, has_own and its expression, and
 * by, label and keeps_labels of its collection. TYPE is the argument of --type, or NULL. */
void sides_open(struct sides *s, struct flow *flow, const char *type);

/* Take a row of a definition, and a sample, both merged (merge.h). sides_sample returns false if
 * the sample has no stack and is skipped, or is of neither side. */
void sides_row(struct sides *s, const struct row *row);
bool sides_sample(struct sides *s, struct sample *sample);

/* The number of runs, also of those that do not count. */
static inline size_t sides_known(const struct sides *s)
{
    return s->split.runs.count;
}

/* The run that STACK belongs to. */
static inline struct sides_run *sides_run_of(const struct sides *s,
                                             const struct stacks_stack *stack)
{
    return &s->runs[collect_set_of(&s->collect, stack).run - 1];
}

/* The run and the source of part NUMBER, from 1 to split.parts.count. */
static inline struct sides_run *sides_part(const struct sides *s, uint32_t number,
                                           const struct profile_source **source)
{
    const struct split_part part = split_part_of(&s->split, number);
    *source = &s->collect.profile.sources[part.source - 1];
    return &s->runs[part.run - 1];
}

/* Converts SUM, from collect_each_stack, to the unit of values. */
static inline double sides_sum(const struct sides *s, int64_t sum)
{
    return decimal_to_double((struct decimal){wide_of(sum), s->collect.power});
}

/* Computes all sums. Ends the tool (STATUS_INPUT) if runs are copies that are not allowed
 * (admit.h), or if HOW needs the duration of runs and one has none. */
void sides_finish(struct sides *s, const struct sides_how *how);

/* The same for another TYPE, an argument of --type, after sides_finish. */
void sides_again(struct sides *s, struct str type, const struct sides_how *how);

/* The entry of ITEM: that in new, or that in base if new has none. */
uint32_t sides_entry(const struct sides *s, uint32_t item);

/* Appends the name of ITEM (bytes) to TO: the name in new, or that in base if new has none. */
void sides_add_name(const struct sides *s, uint32_t item, struct buf *to);

/* Whether ITEM has a different name in base; sides_add_old_name appends that name to TO. */
static inline bool sides_is_renamed(const struct sides *s, uint32_t item)
{
    const struct sides_item *of = &s->items[item - 1];
    return of->base != 0 && of->new != 0 && of->base != of->new;
}
void sides_add_old_name(const struct sides *s, uint32_t item, struct buf *to);

/* Appends both names to TO, for people. */
void sides_add_names(const struct sides *s, uint32_t item, struct buf *to);

/* Whether a frame of ITEM is in a file of the user's own. */
bool sides_is_own(const struct sides *s, uint32_t item);

/* Self of ITEM in each run, or total if IS_TOTAL, by position. Of a level it is NAN where the run
 * has none of ITEM. Valid until the next call for another item with the same IS_TOTAL. */
const double *sides_values(const struct sides *s, uint32_t item, bool is_total);

/* The mean of VALUES (by position) over the runs of one side that have one; 0 if none has. With
 * --test=rank it is the median. */
double sides_mean(const struct sides *s, const double *values, bool is_new);

/* Whether all runs that count have only zeros of the compared type. */
bool sides_have_nothing(const struct sides *s);

/* The growth from BASE to NEW, relative to the size of BASE: from -100 to -10 it is 0.9. If BASE is
 * 0: INFINITY, or 0 if NEW is 0 too. */
double sides_growth(double base, double new);

/* The mean of VALUES as shares of the cost of their runs, for one side. */
double sides_mean_share(const struct sides *s, const double *values, bool is_new);

/* Whether VALUES has a value other than 0 in a run of one side; of a level, any value. */
bool sides_has(const struct sides *s, const double *values, bool is_new);

/* The number of runs of a side in STATE. */
size_t sides_count(const struct sides *s, bool is_new, enum sides_run_state state);

/* Whether S has enough runs for tests: three on each side. */
static inline bool sides_can_test(const struct sides *s)
{
    return s->base_count >= MODERATE_RUNS && s->new_count >= MODERATE_RUNS;
}

/* Whether each run of one side that counts has a run with the same content on the other. */
bool sides_are_equal(const struct sides *s);

/* The result for an item, made for all items together. */
struct sides_verdict {
    struct moderate_test test; /* of shares, or of values in samples */
    double share;              /* of both sides together, by absolute values */
    bool is_judged;            /* the share is large enough */
    bool is_same;              /* it is the same in all runs of both sides */
    /* p after the corrections of Benjamini and Hochberg, and of Holm; NAN: not tested */
    double q, holm;
};

/* Returns the verdicts by item - 1; the caller frees them. They are about self, or total if
 * IS_TOTAL, as shares if ARE_SHARES, else as cost. Items whose share of both sides is below
 * MIN_SHARE are neither judged nor tested. */
struct sides_verdict *sides_judge(const struct sides *s, bool is_total, bool are_shares,
                                  double min_share);

/* The same for the cost of whole runs. */
struct sides_verdict sides_judge_cost(const struct sides *s);

/* Frees what S holds. */
void sides_free(struct sides *s);

#endif
