/* pprof_file.h - a pprof file in the making: what format_pprof_write.c collects from rows,
 * pprof_sort.c can put in canonical order and pprof_pack.c packs. */
#ifndef PROFPIPE_PPROF_FILE_H
#define PROFPIPE_PPROF_FILE_H

#include "intern.h"
#include "mem.h"
#include "out.h"

/* An index in the file's table of strings; 0 is "". */
typedef uint32_t string_id;

/* These are interned as bytes: clear them before setting fields, for the sake of padding. */
struct pprof_function {
    string_id name, system_name, filename;
    int64_t start_line;
};

struct pprof_location {
    uint32_t function; /* number from 1 */
    int64_t line;
};

struct pprof_label {
    string_id key, string, unit;
    int64_t number;
};

struct pprof_type {
    string_id type, unit;
    int64_t *sums; /* sums[i - 1] is that of stack number i; what is beyond is 0 */
    size_t sum_count;
};

struct pprof_file {
    struct intern strings;   /* number i is index i */
    struct intern functions; /* of struct pprof_function; the number is the id */
    struct intern locations; /* of struct pprof_location */
    struct pprof_type *types;
    size_t type_count, type_capacity;

    /* Aggregated samples.  A stack is an array of uint32_t: first the number of its set of labels
     * (0: none), then its locations, innermost first.  A set is an array of struct pprof_label. */
    struct intern label_sets;
    struct intern stacks;

    /* What is said of the whole file. */
    string_id mapping;                  /* name of the one mapping that all locations belong to */
    string_id period_type, period_unit; /* 0: no period */
    int64_t period;
    int64_t time, duration; /* nanoseconds */
    string_id default_type;
};

/* Function, location or set of labels number ID. */
static inline struct pprof_function *pprof_function(const struct pprof_file *f, uint32_t id)
{
    return (struct pprof_function *)(uintptr_t)intern_get(&f->functions, id).p;
}

static inline struct pprof_location *pprof_location(const struct pprof_file *f, uint32_t id)
{
    return (struct pprof_location *)(uintptr_t)intern_get(&f->locations, id).p;
}

static inline struct pprof_label *pprof_labels(const struct pprof_file *f, uint32_t id,
                                               size_t *count)
{
    struct str set = id == 0 ? (struct str){NULL, 0} : intern_get(&f->label_sets, id);
    *count = set.n / sizeof(struct pprof_label);
    return (struct pprof_label *)(uintptr_t)set.p;
}

/* The locations of stack number ID, *DEPTH of them behind the number of its labels. */
static inline uint32_t *pprof_stack(const struct pprof_file *f, uint32_t id, size_t *depth)
{
    struct str stack = intern_get(&f->stacks, id);
    *depth = stack.n / sizeof(uint32_t) - 1;
    return (uint32_t *)(uintptr_t)stack.p;
}

/* The index of BYTES in the table of strings, which they join when they are new. */
string_id pprof_string(struct pprof_file *f, struct str bytes);

/* Puts everything in an order that depends on the content alone: strings by bytes, types by name,
 * functions by their fields, locations by function and line, samples by stack and labels. */
void pprof_sort(struct pprof_file *f);

/* Packs one sample, as the inside of a Sample message, to TO: the DEPTH locations at STACK, the
 * LABEL_COUNT labels, and TYPE_COUNT values.  SCRATCH is for its own use. */
void pprof_pack_sample(struct buf *to, struct buf *scratch, const uint32_t *stack, size_t depth,
                       const struct pprof_label *labels, size_t label_count, const int64_t *values,
                       size_t type_count);

/* Writes the sample types, which come first in the file. */
void pprof_write_types(struct out *out, const struct pprof_file *f);

/* Writes the sample that pprof_pack_sample packed to PACKED, with MISSING more values of 0. */
void pprof_write_sample(struct out *out, struct str packed, size_t missing);

/* Writes all aggregated samples. */
void pprof_write_stacks(struct out *out, const struct pprof_file *f);

/* Writes everything but types and samples. */
void pprof_write_tables(struct out *out, const struct pprof_file *f);

/* Frees what F holds. */
void pprof_free(struct pprof_file *f);

#endif
