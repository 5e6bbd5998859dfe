/* pprof_file.h - a pprof file before it is written: pprof_write.c fills it from rows,
 * pprof_file_sort.c can put it in canonical order, pprof_file_pack.c encodes it.
 *
 * Things are interned as the bytes of the structs below, so that equal ones are stored once. The
 * number in the intern table, from 1, is the id in the file. */
#ifndef PROFPIPE_PPROF_FILE_H
#define PROFPIPE_PPROF_FILE_H

#include "base/amount.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/out.h"
#include "profile/profile.h"
#include "rows/provenance.h"

/* An index in the file's table of strings; 0 is "". */
typedef uint32_t string_id;

/* Fields of a message that profile.proto does not define, kept as they are: a number in the file's
 * table of such fields; 0: none. */
typedef uint32_t unknown_id;

/* Clear these structs before setting fields: padding is part of the key. SERIAL is 0, or a number
 * that keeps equal structs apart. */
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
    uint64_t address; /* from the start of the mapping on, where mappings are united */
    uint32_t mapping; /* 0: none */
    bool has_address, is_folded;
    unknown_id unknown;
    uint32_t serial;
    uint32_t line_count;
    struct pprof_line lines[]; /* innermost first */
};

/* A value type of the file. Its name is unique. */
struct pprof_type {
    string_id type, unit;   /* the finest unit of its columns, unless IS_FIXED */
    bool is_fixed, is_used; /* the user chose the unit; some column has this type */
    unknown_id unknown;
};

/* A value type in one UNIT. TIMES is 1, or the period where values are derived from counts: each
 * value counts that often. Sums and waiting samples have a value per column, as read; pprof_finish
 * converts to the units of the types only what is written. */
struct pprof_column {
    uint32_t type; /* index in the file's types */
    string_id unit;
    int64_t times;
};

/* A value of a column adds TIMES times its value to TYPE. PASSES: the factor does not fit in 64
 * bits. */
struct pprof_factor {
    int64_t times;
    uint32_t type;
    bool passes;
};

/* Whether to merge mappings of one program that was loaded at different addresses, and the
 * locations in them. FIRST keeps the fields of the first mapping. MIN keeps the smallest of each
 * field, which does not depend on the order. */
enum pprof_unite { PPROF_UNITE_NOT, PPROF_UNITE_FIRST, PPROF_UNITE_MIN };

/* What to write, and under which numbers, if the order has changed since stacks were added. */
struct pprof_order {
    stacks_offset *stacks; /* the stacks to write, in this order */
    /* new numbers in the file, by the number in the stack; 0 stays 0 */
    uint32_t *locations, *labels;
};

struct pprof_file {
    /* Strings, aggregated samples, and the rows behind the tables below. The frames of a stack are
     * locations of the file. Labels with different unknown fields are different labels. */
    struct profile profile;
    struct intern unknown;
    enum pprof_unite unite; /* set before anything is added */
    struct pprof_mapping *mappings;
    size_t mapping_count, mapping_capacity;
    struct intern mapping_keys; /* keys of mappings, by number */
    /* Interned structs (see above). While mappings are merged, the address of a location is an
     * offset from the start of its mapping, until pprof_place. */
    struct intern functions, locations;
    struct pprof_type *types;
    size_t type_count, type_capacity;
    /* the type that pprof shows first if the file has no default_sample_type */
    size_t shown;
    bool types_sorted;     /* pprof_sort keeps the order of the types */
    struct intern columns; /* of struct pprof_column; columns of sums count from 0 */
    struct amount_columns digits;
    struct pprof_factor *factors; /* by column, from 0, as far as computed */
    size_t factor_count, factor_capacity;

    struct pprof_order *order; /* NULL: stacks are written as they were added */

    /* Fields of the file itself. */
    bool has_period_type;
    string_id period_type, period_unit;
    unknown_id period_unknown;
    int64_t period;
    int64_t time, duration; /* nanoseconds */
    string_id default_type, drop_frames, keep_frames, doc_url;
    string_id *comments;
    size_t comment_count, comment_capacity;
    /* These make further comments, whose strings come last in the file.  NULL: none. */
    const struct provenance_sum *provenance;
    size_t provenance_count;   /* of these comments */
    struct buf unknown_fields; /* fields of the file itself that profile.proto does not define */
};

/* The column, mapping, function or location with number ID. */
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

/* pprof_string: the index of BYTES in the table of strings, added if new. pprof_string_of: the
 * string ID. */
static inline string_id pprof_string(struct pprof_file *f, struct str bytes)
{
    return profile_string(&f->profile, bytes);
}

static inline struct str pprof_string_of(const struct pprof_file *f, string_id id)
{
    return profile_string_of(&f->profile, id);
}

/* Returns the number of mapping M, or of the one it is merged with. */
uint32_t pprof_add_mapping(struct pprof_file *f, const struct pprof_mapping *m);

/* Merges locations that have become equal since they were added. Merges their stacks too, and adds
 * their sums. */
void pprof_unite_changed(struct pprof_file *f);

/* Replaces the offsets of all locations by addresses in the merged mappings. */
void pprof_place(struct pprof_file *f);

/* Drops unused strings. After this no string may be added or looked up. */
void pprof_drop_strings(struct pprof_file *f);

/* Puts everything in an order that depends on the content alone: strings by bytes, types by name
 * with the shown type last, samples by stack and labels, all else by its fields. */
void pprof_sort(struct pprof_file *f);

/* --- pprof_file_values.c: from columns to types --- */

/* Computes the factors of the columns. The types must have their final units. */
void pprof_finish(struct pprof_file *f);

/* The values of one sample, by type. Start with all zero. */
struct pprof_values {
    int64_t *values;       /* set by pprof_values_end */
    struct amount *totals; /* exact */
    size_t type_count;
    uint32_t *touched; /* types that something was added to; may contain duplicates */
    size_t touched_count, touched_capacity;
    size_t passes; /* 1 + a type whose value exceeds 64 bits after its factor; 0: none */
};

/* Resets V to zero for the next sample of F. */
void pprof_values_begin(struct pprof_values *v, const struct pprof_file *f);

/* Adds PART of a value. Its column must have a factor (pprof_finish). */
void pprof_values_add(struct pprof_values *v, const struct pprof_file *f,
                      const struct sums_part *part);

/* Computes the values of V, one per type of F. Ends the tool (STATUS_INPUT) where one does not fit
 * in 64 bits; the message names the type and the innermost function of STACK, which has DEPTH
 * locations. */
void pprof_values_end(struct pprof_values *v, const struct pprof_file *f, const uint32_t *stack,
                      size_t depth);

/* Frees what V holds. */
void pprof_values_free(struct pprof_values *v);

/* --- pprof_file_pack.c --- */

/* One sample: DEPTH locations at STACK, LABEL_COUNT labels, and one value per type. */
struct pprof_sample {
    const uint32_t *stack;
    size_t depth;
    const struct label *labels;
    size_t label_count;
    const int64_t *values;
    size_t value_count;
};

/* Writes the sample types, the first thing in the file. */
void pprof_write_types(struct out *out, const struct pprof_file *f);

/* Writes SAMPLE; SCRATCH is working memory. */
void pprof_write_sample(struct out *out, const struct pprof_file *f,
                        const struct pprof_sample *sample, struct buf *scratch);

/* Writes all aggregated samples. */
void pprof_write_stacks(struct out *out, const struct pprof_file *f);

/* Writes everything except types and samples. */
void pprof_write_tables(struct out *out, const struct pprof_file *f);

/* Frees what F holds. */
void pprof_free(struct pprof_file *f);

#endif
