/* pprof_file.h - a pprof file in the making: what format_pprof_write.c collects from rows,
 * pprof_file_sort.c can put in canonical order and pprof_file_pack.c packs.
 *
 * Things are interned as the bytes of the structs below, so that equal ones are one; a number in
 * their table, from 1, is their id in the file. */
#ifndef PROFPIPE_PPROF_FILE_H
#define PROFPIPE_PPROF_FILE_H

#include "intern.h"
#include "mem.h"
#include "out.h"

/* An index in the file's table of strings; 0 is "". */
typedef uint32_t string_id;

/* Fields of a message that profile.proto does not know, as they stand: a number in the file's
 * table of those; 0: none. */
typedef uint32_t unknown_id;

/* Clear these before setting fields, for the sake of padding.  SERIAL is 0, or a number that keeps
 * equal ones apart. */
struct pprof_mapping {
    uint64_t memory_start, memory_limit, file_offset;
    string_id filename, build_id;
    bool has_functions, has_filenames, has_line_numbers, has_inline_frames;
    unknown_id unknown;
    uint32_t serial;
};

struct pprof_function {
    string_id name, system_name, filename;
    unknown_id unknown;
    uint32_t serial;
    int64_t start_line;
};

struct pprof_line {
    uint32_t function;
    unknown_id unknown;
    int64_t line, column;
};

struct pprof_location {
    uint64_t address;
    uint32_t mapping; /* 0: none */
    bool is_folded;
    unknown_id unknown;
    uint32_t serial;
    uint32_t line_count;
    struct pprof_line lines[]; /* innermost first */
};

struct pprof_label {
    string_id key, string, unit;
    unknown_id unknown;
    int64_t number;
};

/* The key of what is no label but holds the unknown fields of the sample itself: they tell samples
 * apart as labels do. */
#define PPROF_SAMPLE_UNKNOWN UINT32_MAX

struct pprof_type {
    string_id type, unit;
    unknown_id unknown;
    int64_t *sums; /* sums[i - 1] is that of stack number i; what is beyond is 0 */
    size_t sum_count;
};

struct pprof_file {
    struct intern strings;
    struct intern unknown;
    struct intern mappings, functions, locations; /* of the structs above */
    struct pprof_type *types;
    size_t type_count, type_capacity;

    /* Aggregated samples.  A stack is an array of uint32_t: first the number of its set of labels
     * (0: none), then its locations, innermost first.  A set is an array of struct pprof_label. */
    struct intern label_sets;
    struct intern stacks;

    /* What is said of the whole file. */
    bool has_period_type;
    string_id period_type, period_unit;
    unknown_id period_unknown;
    int64_t period;
    int64_t time, duration; /* nanoseconds */
    string_id default_type, drop_frames, keep_frames, doc_url;
    string_id *comments;
    size_t comment_count, comment_capacity;
    struct buf unknown_fields; /* of the file itself */
};

/* Mapping, function, location or set of labels number ID. */
static inline struct pprof_mapping *pprof_mapping(const struct pprof_file *f, uint32_t id)
{
    return (struct pprof_mapping *)(uintptr_t)intern_get(&f->mappings, id).p;
}

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
 * all else by its fields, samples by stack and labels. */
void pprof_sort(struct pprof_file *f);

/* One sample: DEPTH locations at STACK, LABEL_COUNT labels, and a value for each type. */
struct pprof_sample {
    const uint32_t *stack;
    size_t depth;
    const struct pprof_label *labels;
    size_t label_count;
    const int64_t *values;
    size_t value_count;
};

/* Writes the sample types, which come first in the file. */
void pprof_write_types(struct out *out, const struct pprof_file *f);

/* Writes SAMPLE; SCRATCH is working memory. */
void pprof_write_sample(struct out *out, const struct pprof_file *f,
                        const struct pprof_sample *sample, struct buf *scratch);

/* Writes all aggregated samples. */
void pprof_write_stacks(struct out *out, const struct pprof_file *f);

/* Writes everything but types and samples. */
void pprof_write_tables(struct out *out, const struct pprof_file *f);

/* Frees what F holds. */
void pprof_free(struct pprof_file *f);

#endif
