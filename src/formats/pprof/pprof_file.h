/* pprof_file.h - a pprof file in the making: what pprof_write.c collects from rows,
 * pprof_file_sort.c can put in canonical order and pprof_file_pack.c packs.
 *
 * Things are interned as the bytes of the structs below, so that equal ones are one; a number in
 * their table, from 1, is their id in the file. */
#ifndef PROFPIPE_PPROF_FILE_H
#define PROFPIPE_PPROF_FILE_H

#include "base/amount.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/out.h"
#include "profile/profile.h"

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

/* A value type of the file, which has each name once. */
struct pprof_type {
    string_id type, unit;   /* the finest unit of its columns, unless it is fixed */
    bool is_fixed, is_used; /* the unit has been asked for; there is a column */
    unknown_id unknown;
};

/* What sources have of a type in one UNIT, each of which counts TIMES: 1, or the period where the
 * values are derived from counts.  Sums and waiting samples have a value for each column, as it was
 * read; only what is written is converted to the units of the types (pprof_finish). */
struct pprof_column {
    uint32_t type; /* its place in the file's types */
    string_id unit;
    int64_t times;
};

/* What a value of a column adds to its TYPE: so many times that; PASSES: more than 64 bits can say. */
struct pprof_factor {
    int64_t times;
    uint32_t type;
    bool passes;
};

/* Whether mappings, and locations in them, become one where they are those of one program that was
 * loaded at different addresses, and which of them then stands for all: the first, or the least of
 * each field, which does not depend on their order. */
enum pprof_unite { PPROF_UNITE_NOT, PPROF_UNITE_FIRST, PPROF_UNITE_MIN };

/* How stacks are written where the order of things has changed since they were added. */
struct pprof_order {
    stacks_place *stacks;         /* those to write, in this order */
    uint32_t *locations, *labels; /* their numbers in the file, by that in the stack; 0 is 0 */
};

struct pprof_file {
    /* Strings, aggregated samples, and the rows that what follows is made of.  The frames of a stack are
     * locations of the file; a label has its unknown fields as what else tells it from others. */
    struct profile profile;
    struct intern unknown;
    enum pprof_unite unite; /* set before anything is added */
    struct pprof_mapping *mappings;
    size_t mapping_count, mapping_capacity;
    struct intern mapping_keys; /* what tells them apart, by number */
    /* Of the structs above.  Where mappings are united the address of a location counts from the
     * start of its mapping, until pprof_place. */
    struct intern functions, locations;
    struct pprof_type *types;
    size_t type_count, type_capacity;
    size_t shown;          /* the type that pprof shows first, where the file says nothing else */
    bool types_sorted;     /* pprof_sort leaves them as they are */
    struct intern columns; /* of the struct above; columns of sums count from 0 */
    struct amount_columns digits;
    struct pprof_factor *factors; /* by column, from 0, as far as they are settled */
    size_t factor_count, factor_capacity;

    struct pprof_order *order; /* of what is written of the stacks; NULL: as they stand */

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

/* Column, mapping, function or location number ID. */
static inline struct pprof_column *pprof_column(const struct pprof_file *f, uint32_t id)
{
    return (struct pprof_column *)(uintptr_t)intern_get(&f->columns, id).p;
}

static inline struct pprof_mapping *pprof_mapping(const struct pprof_file *f, uint32_t id)
{
    return &f->mappings[id - 1];
}

static inline struct pprof_function *pprof_function(const struct pprof_file *f, uint32_t id)
{
    return (struct pprof_function *)(uintptr_t)intern_get(&f->functions, id).p;
}

static inline struct pprof_location *pprof_location(const struct pprof_file *f, uint32_t id)
{
    return (struct pprof_location *)(uintptr_t)intern_get(&f->locations, id).p;
}

/* The index of BYTES in the table of strings, which they join when they are new, and the string ID. */
static inline string_id pprof_string(struct pprof_file *f, struct str bytes)
{
    return profile_string(&f->profile, bytes);
}

static inline struct str pprof_string_of(const struct pprof_file *f, string_id id)
{
    return profile_string_of(&f->profile, id);
}

/* The number of the mapping M, or of the one that it is united with. */
uint32_t pprof_add_mapping(struct pprof_file *f, const struct pprof_mapping *m);

/* Makes locations one that have become equal since they were added, and their stacks, whose sums it
 * adds up. */
void pprof_unite_changed(struct pprof_file *f);

/* Gives all locations the addresses that they have in the mappings that stand for all. */
void pprof_place(struct pprof_file *f);

/* Drops the strings that nothing refers to: no more are added, or looked up, from here on. */
void pprof_drop_strings(struct pprof_file *f);

/* Puts everything in an order that depends on the content alone: strings by bytes, types by name but
 * the one that is shown last, all else by its fields, samples by stack and labels. */
void pprof_sort(struct pprof_file *f);

/* --- pprof_file_values.c: from columns to types --- */

/* Settles the factors of the columns, whose types have their final units now. */
void pprof_finish(struct pprof_file *f);

/* The values of one sample, by type.  All zero to begin with. */
struct pprof_values {
    int64_t *values;       /* what pprof_values_end has made */
    struct amount *totals; /* exact */
    size_t type_count;
    uint32_t *touched; /* the types that something was added to; perhaps some twice */
    size_t touched_count, touched_capacity;
    size_t passes; /* a type, plus 1, with a value that its factor takes beyond 64 bits; 0: none */
};

/* Makes V the values of another sample of F: 0. */
void pprof_values_begin(struct pprof_values *v, const struct pprof_file *f);

/* Adds PART of a value of a column that has been settled. */
void pprof_values_add(struct pprof_values *v, const struct pprof_file *f,
                      const struct sums_part *part);

/* Makes V's values, one for each type of F, of what has been added.  Ends the tool (STATUS_INPUT)
 * where one does not fit 64 bits: the message names the type and the innermost function of the DEPTH
 * locations at STACK. */
void pprof_values_end(struct pprof_values *v, const struct pprof_file *f, const uint32_t *stack,
                      size_t depth);

/* Frees what V holds. */
void pprof_values_free(struct pprof_values *v);

/* --- pprof_file_pack.c --- */

/* One sample: DEPTH locations at STACK, LABEL_COUNT labels, and a value for each type. */
struct pprof_sample {
    const uint32_t *stack;
    size_t depth;
    const struct label *labels;
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
