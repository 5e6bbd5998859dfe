/* gather.h - gathers what there is to say of one input: counts, sums and facts of its sources,
 * value types, stacks and labels. */
#ifndef PROFPIPE_GATHER_H
#define PROFPIPE_GATHER_H

#include "info/spread.h"
#include "profile/profile.h"

/* How many samples: rows, and what their samples/count add up to. */
struct gather_count {
    uint64_t rows, samples;
};

struct gather_source {
    struct gather_count count;
    struct decimal cpu; /* the CPU time of its samples, in nanoseconds */
    bool has_cpu;
    uint32_t time;  /* the number of the type of time that its samples/count stand for; 0: none */
    int64_t period; /* how much of it one stands for */
};

struct gather_type {
    bool is_there;        /* a source lists it, or a sample has it */
    bool is_gauge;        /* its values are levels */
    bool is_inclusive;    /* they include what was called: their sum says nothing */
    struct wide integers; /* the sum of values is this */
    struct decimal rest;  /* and this */
    struct spread spread; /* of the values other than 0 */
    struct decimal max;   /* the highest of these */
};

/* A value of a label, and how many samples have it. */
struct gather_value {
    struct label label; /* without what is no part of its value */
    struct gather_count count;
};

/* A key of labels; numbers of a key in several units are several. */
struct gather_key {
    uint32_t key, unit;
    bool is_number;
    uint32_t last_set; /* the set of labels that was added last */
    struct gather_count count;
    size_t first, value_count; /* its values, the most frequent first */
};

/* All zero except FLOW is empty. */
struct gather {
    struct flow *flow;
    struct str input, format; /* the name of the input, and the word for its format */
    struct profile profile;
    uint32_t counts;   /* the number of samples/count */
    bool is_uncounted; /* some sample has no samples/count that is a whole number */
    struct gather_count all, no_stack, no_name, cut;
    struct gather_count *depths; /* by number of frames */
    size_t depth_capacity, deepest;
    size_t function_count, location_count, mapping_count;
    uint32_t *frames; /* of the current sample */
    size_t frame_capacity;
    bool *unnamed; /* by location - 1: it is in no function with a name */
    size_t unnamed_capacity;
    struct gather_source *sources; /* by id - 1 */
    size_t source_capacity;
    struct gather_type *types; /* by number in the flow - 1 */
    size_t type_capacity;
    struct gather_count *sets; /* by set of labels - 1 */
    size_t set_capacity;

    /* After gather_finish. */
    uint32_t *type_order; /* numbers of the types that are there, in the order of their sources */
    size_t type_count;
    struct gather_key *keys;
    size_t key_count, key_capacity;
    struct gather_value *values;
    size_t value_count, value_capacity;
};

/* Call this first, when the flow has entered the input. */
void gather_begin(struct gather *g);

/* Take a row of a definition, and a sample, both merged (merge.h). */
void gather_row(struct gather *g, const struct row *row);
void gather_sample(struct gather *g, const struct sample *sample);

/* Call this after the last sample, before the functions below. */
void gather_finish(struct gather *g);

/* COUNT in samples: what samples/count add up to if all samples have it, otherwise rows. */
static inline uint64_t gather_samples(const struct gather *g, const struct gather_count *count)
{
    return g->is_uncounted ? count->rows : count->samples;
}

/* How many frames PERCENT of the samples with a stack do not exceed; 0 if none has one. PERCENT is
 * above 0, at most 100. */
size_t gather_depth(const struct gather *g, double percent);

/* The sum of the values of T. */
struct decimal gather_sum(const struct gather_type *t);

/* Frees what G holds, and leaves an empty one of the same flow. */
void gather_free(struct gather *g);

#endif
