/* profile.h - one merged profile in memory, for writers and summaries that need it whole: its
 * definitions, and its distinct stacks with the sums of their values.
 *
 * Rows come from the merge (merge.h): ids are dense, in order of appearance, and rows that
 * others refer to are there.  Strings are bytes, not text, numbered in one table; 0 means none
 * or "".
 *
 * The user of a profile decides what the frames of a stack are, and what a column of the sums
 * is.  Most use the numbers of locations or of their functions, and the numbers of value types. */
#ifndef PROFPIPE_PROFILE_H
#define PROFPIPE_PROFILE_H

#include "base/buf.h"
#include "profile/labels.h"
#include "profile/stacks.h"
#include "rows/members.h"
#include "rows/provenance.h"

/* A value type, as a source lists it in `.value_types`: bytes, not text. */
struct profile_value_type {
    struct str type, unit;
    bool gauge;     /* a level that must not be added up */
    bool inclusive; /* must not be summed up a stack */
    uint32_t other; /* see struct profile */
};

/* Whether values of T are excluded from sums. */
static inline bool profile_is_left_out(const struct profile_value_type *t)
{
    return t->gauge || t->inclusive;
}

/* A source.  Strings are bytes, not text; p is NULL if there is none. */
struct profile_source {
    struct str kind, uri; /* its source_type and source_uri */
    struct str timestamp; /* seconds since 1970-01-01 UTC as a JSON number; empty: unknown */
    /* Facts of its format (source_kind.h), bytes; empty or 0: unknown. */
    struct str host, producer, command, date, comments;
    const struct provenance *provenance; /* if the profile keeps it; NULL: it says nothing */
    int64_t duration, cores;
    struct str default_type; /* canonical text: the type that it names as default; empty: none */
    struct profile_value_type *types;
    size_t type_count, type_capacity;

    bool lists_types; /* all its types are listed, as its kind (source_kind.h) or it says */

    bool has_period; /* what one of its samples stands for */
    struct str period_type, period_unit;
    int64_t period;
    uint32_t period_other; /* see struct profile */
};

/* Whether the samples of a source of TYPE are in the order of their time; true for unknown
 * types. */
bool profile_is_sequence(struct str type);

/* Whether the times of the samples of a source of TYPE count from when the source began: they are
 * in no order, and the first that is read may be any. */
bool profile_is_scattered(struct str type);

/* Whether samples without a stack are excluded from sums and shares for a source of TYPE. */
bool profile_leaves_stackless(struct str type);

/* Whether the source OF has functions and calls instead of stacks: samples of one frame, and of a callee and
 * its caller, with inclusive values (inclusive.h). */
bool profile_counts_calls(const struct profile_source *of);

struct profile_mapping {
    uint64_t start, limit, offset;
    uint32_t filename, build_id;
    bool has_functions, has_filenames, has_line_numbers, has_inline_frames;
};

struct profile_function {
    uint32_t name; /* 0: its format had none, and rows only have a stand-in */
    /* 0: its format has no mangled name, and the one in the row repeats the name. */
    uint32_t system_name;
    uint32_t filename;
    int64_t start_line; /* 0: unknown */
};

/* A location row: one frame. */
struct profile_location {
    uint64_t address;
    int64_t line; /* 0: unknown; ROW_NULL: none */
    int64_t column;
    uint32_t function; /* 0: none */
    uint32_t filename; /* of code outside functions */
    uint32_t mapping;  /* 0: none */
    uint32_t into;     /* the location that it is inlined into; 0: none */
    uint32_t group;    /* the group that rules assign it to; 0: none */
    bool is_folded;
};

/* A cache of parsed labels, by the text of the dotted columns that hold them: most samples
 * repeat one of a few sets. */
struct profile_memo {
    struct intern texts;
    struct profile_memo_item *items; /* by the number of the text - 1 */
    size_t capacity;
    struct buf labels; /* the labels of all, one set after the other */
};

/* All zero, except what the user sets, is an empty profile. */
struct profile {
    /* Set; may be NULL.  Stores MEMBER, a dotted column of ROW or a member inside one, that the
     * structs above have no field for.  Returns false if USER, which is set as well, cannot
     * store it either: then it is a loss (loss.h).  For a member of a value type, a period, a
     * label or a sample the function may store in *OTHER a number that distinguishes it from
     * others; OTHER is NULL for all other members. */
    bool (*keep)(void *user, const struct row *row, const struct member *member, uint32_t *other);
    void *user;
    bool keeps_provenance; /* sources have what they say of theirs, which may be long */

    struct intern strings;
    struct profile_source *sources; /* by id - 1, like the next ones */
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

/* A `keep` for those who need no more than the structs above: what they leave out, the user has not
 * asked for, so it is no loss. */
bool profile_keep_all(void *user, const struct row *row, const struct member *member,
                      uint32_t *other);

/* The number of the string BYTES, which is copied if it is new. */
static inline uint32_t profile_string(struct profile *p, struct str bytes)
{
    return bytes.n == 0 ? 0 : intern_add(&p->strings, bytes, NULL);
}

/* The string ID, valid until profile_free. */
static inline struct str profile_string_of(const struct profile *p, uint32_t id)
{
    return id == 0 ? STR("") : intern_get(&p->strings, id);
}

/* Add a row of sources, .mappings, functions or locations, at WHERE.  End the tool
 * (STATUS_INPUT) if a dotted column is invalid.  The result is valid until the next row of that
 * table. */
const struct profile_source *profile_add_source(struct profile *p, const struct row *row,
                                                struct place where);
const struct profile_mapping *profile_add_mapping(struct profile *p, const struct row *row,
                                                  struct place where);
const struct profile_function *profile_add_function(struct profile *p, const struct row *row,
                                                    struct place where);
const struct profile_location *profile_add_location(struct profile *p, const struct row *row,
                                                    struct place where);

/* Forgets the sources of P, whose strings are gone then. The next one is the first again. */
void profile_forget_sources(struct profile *p);

/* Counts (loss.h) the facts about the source OF in ROW, for files that cannot hold them: its
 * time, its period, and its type and URI unless the type is KIND, which is the type of such
 * files. */
void profile_drop_source(const struct row *row, const struct profile_source *of, struct str kind);

/* The same of the function F: its mangled name, and its start line unless HAS_LINE. */
void profile_drop_function(const struct profile_function *f, bool has_line);

/* The number of the listed type T among TYPES, which are text. Counts as lost (loss.h) what of its name
 * or unit is not UTF-8. */
uint32_t profile_list_type(struct value_types *types, const struct profile_value_type *t);

/* The labels in TEXT, the dotted columns of a sample at WHERE: as an array of struct label,
 * valid until the next call, and as the number of their set.  One of them, with the key
 * LABELS_NO_KEY, stands for all else that distinguishes the sample.  Both end the tool like the
 * above. */
struct str profile_labels(struct profile *p, struct str text, struct place where);
uint32_t profile_label_set(struct profile *p, struct str text, struct place where);

/* For profile_free. */
void profile_free_memo(struct profile *p);
void profile_free_sources(struct profile *p);

/* The bytes of the string TEXT in the column NAME of a row with `.bytes` BYTES (p is NULL
 * without one); and the bytes of VALUE, of a MEMBER_STRING.  Valid until the next call. */
struct str profile_bytes(struct profile *p, struct str name, struct str text, struct str bytes);
struct str profile_inner_bytes(struct profile *p, struct str value);

/* Frees what P holds and leaves an empty profile. */
void profile_free(struct profile *p);

#endif
