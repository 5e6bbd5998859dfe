/* profile.h - one merged profile in memory, for writers and summaries that need it whole: what its
 * rows define, and the distinct stacks of its samples with their sums.
 *
 * Rows come from the merge (merge.h), so their ids are dense, in order of appearance, and what they
 * refer to is there.  Strings are bytes, not text, and numbers in one table; 0 is none, and stands
 * for "" as well.
 *
 * Which frames a stack has, and what a column of its sums is, is up to the user of the profile: most
 * number locations, or the functions of these, and add up by number of the value's type. */
#ifndef PROFPIPE_PROFILE_H
#define PROFPIPE_PROFILE_H

#include "base/buf.h"
#include "profile/labels.h"
#include "profile/stacks.h"
#include "rows/members.h"

/* A type of values, as a source lists it in `.value_types`: bytes, not text. */
struct profile_value_type {
    struct str type, unit;
    bool gauge;     /* a level that must not be added up */
    bool inclusive; /* must not be summed up a stack */
    uint32_t other; /* see struct profile */
};

/* Whether values of T are left out where values are added up. */
static inline bool profile_is_left_out(const struct profile_value_type *t)
{
    return t->gauge || t->inclusive;
}

/* Bytes, not text; p is NULL where there is none. */
struct profile_source {
    struct str kind, uri;    /* its source_type and source_uri */
    struct str host;         /* where it was taken, bytes; empty: not said */
    struct str default_type; /* canonical text: the type that it names to be shown; empty: none */
    struct profile_value_type *types;
    size_t type_count, type_capacity;

    bool lists_types; /* all its types are listed, by its kind or what it says (source_kind.h) */

    bool has_period; /* what one of its samples stands for */
    struct str period_type, period_unit;
    int64_t period;
    uint32_t period_other; /* see struct profile */
};

/* Whether the samples of a source of TYPE stand in order, as they do where nothing is known of it. */
bool profile_is_sequence(struct str type);

/* Whether samples without a stack, of a source of TYPE, are left out of sums and shares. */
bool profile_leaves_stackless(struct str type);

struct profile_mapping {
    uint64_t start, limit, offset;
    uint32_t filename, build_id;
    bool has_functions, has_filenames, has_line_numbers, has_inline_frames;
};

struct profile_function {
    uint32_t name; /* 0: its format had none, and rows show one that only stands for that */
    uint32_t
        system_name; /* 0: its format has no mangled name, and that of the row repeats the name */
    uint32_t filename;
    int64_t start_line; /* 0: unknown */
};

/* A location row: one frame. */
struct profile_location {
    uint64_t address;
    int64_t line; /* 0: unknown; ROW_NULL: none */
    int64_t column;
    uint32_t function; /* 0: none */
    uint32_t filename; /* of code outside of any function */
    uint32_t mapping;  /* 0: none */
    uint32_t into;     /* the location that this one is inlined into, 0: none */
    uint32_t group;    /* what rules call the group that it is of; 0: none */
    bool is_folded;
};

/* Labels that were read before, by the text of the dotted columns that they stood in: most samples
 * repeat one of a few sets. */
struct profile_memo {
    struct intern texts;
    struct profile_memo_item *items; /* by number of the text - 1 */
    size_t capacity;
    struct buf labels; /* theirs, one set behind the other */
};

/* All zero but for what the user sets is an empty profile. */
struct profile {
    /* Set; may be NULL.  Keeps MEMBER, a dotted column of ROW or what stands inside of one, that has no place
     * in the structs above; false where USER, which is set as well, has none for it either: that is a
     * loss (loss.h).  OTHER is where a number of what is kept of a value type, a period, a label or a
     * sample goes, which tells those from others; NULL where it is of something else. */
    bool (*keep)(void *user, const struct row *row, const struct member *member, uint32_t *other);
    void *user;

    struct intern strings;
    struct profile_source *sources; /* by id - 1, as all these */
    size_t source_count, source_capacity;
    struct profile_mapping *mappings;
    struct profile_function *functions;
    struct profile_location *locations;
    size_t mapping_capacity, function_capacity, location_capacity;

    struct labels labels;
    struct profile_memo memo;
    struct stacks stacks;
    struct arena arena; /* for the strings of sources */
    struct buf scratch;
};

/* The number of the string BYTES, which is copied when it is new. */
static inline uint32_t profile_string(struct profile *p, struct str bytes)
{
    return bytes.n == 0 ? 0 : intern_add(&p->strings, bytes, NULL);
}

/* The string ID, valid until profile_free. */
static inline struct str profile_string_of(const struct profile *p, uint32_t id)
{
    return id == 0 ? STR("") : intern_get(&p->strings, id);
}

/* Take a row of sources, .mappings, functions or locations at WHERE.  End the tool (STATUS_INPUT) where a dotted
 * column does not hold what it must.  What they return is valid until the next row of that table. */
const struct profile_source *profile_add_source(struct profile *p, const struct row *row,
                                                struct place where);
const struct profile_mapping *profile_add_mapping(struct profile *p, const struct row *row,
                                                  struct place where);
const struct profile_function *profile_add_function(struct profile *p, const struct row *row,
                                                    struct place where);
const struct profile_location *profile_add_location(struct profile *p, const struct row *row,
                                                    struct place where);

/* Appends to TO a name that stands for the function of L, which has none: that it is code outside of functions,
 * or its address, or that nothing is known. */
void profile_add_stand_in(struct buf *to, const struct profile_location *l);

/* Counts (loss.h) what ROW, the source OF, says of itself, for a file that has no place for that: its type and its
 * URI unless it is of the type KIND, as that of such a file is; its time, and its period. */
void profile_drop_source(const struct row *row, const struct profile_source *of, struct str kind);

/* The labels that TEXT, the dotted columns of a sample at WHERE, give it: as an array of struct label,
 * valid until the next call, and as the number of their set.  What else tells the sample from others
 * is one of them, with the key LABELS_NO_KEY.  End the tool like the above. */
struct str profile_labels(struct profile *p, struct str text, struct place where);
uint32_t profile_label_set(struct profile *p, struct str text, struct place where);

/* For profile_free. */
void profile_free_memo(struct profile *p);
void profile_free_sources(struct profile *p);

/* The bytes of the string TEXT in the column NAME of a row, whose `.bytes` are BYTES (p is NULL where
 * it has none), and of VALUE, of a MEMBER_STRING; valid until the next call. */
struct str profile_bytes(struct profile *p, struct str name, struct str text, struct str bytes);
struct str profile_inner_bytes(struct profile *p, struct str value);

/* Frees what P holds and leaves an empty profile. */
void profile_free(struct profile *p);

#endif
