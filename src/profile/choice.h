/* choice.h - chooses one value type, for a file that can hold only one or for a summary: the
 * type that the user names, otherwise the one that the first source shows (default_type.h).
 *
 * Types of the same name in units that convert are one type: values are converted to the finest
 * of their units, so that nothing is rounded.  Which type is chosen is known only at the end, so
 * the values of all types are kept until then. */
#ifndef PROFPIPE_CHOICE_H
#define PROFPIPE_CHOICE_H

#include "base/buf.h"
#include "base/idmap.h"
#include "profile/default_type.h"
#include "rows/sample.h"

/* A value type. */
struct choice_type {
    uint64_t count;    /* how many values it has, without levels */
    uint64_t levels;   /* how many are dropped: of sources where it is a gauge or inclusive */
    size_t source;     /* the last source with this type, from 1, */
    size_t position;   /* and its index among the types of that source */
    bool is_used;      /* some source has it, not as a gauge */
    bool is_gauge;     /* it is a gauge, or inclusive, in some source */
    bool is_inclusive; /* it is inclusive in some source, */
    bool makes_totals; /* and that counts calls (profile_counts_calls) */
    bool is_level;     /* it is a gauge that is chosen among (takes_levels) in some source, */
    bool is_plain;     /* and no gauge in some source */
    int64_t times;     /* when finished: one of it in the chosen unit; 0: not chosen */
    bool misfits;      /* not chosen only because its unit does not convert */
};

struct choice_source {
    struct default_type shown;
    struct default_type_entry *types; /* in the order for default_type_choose */
    uint32_t *numbers;                /* their numbers in NAMES */
    size_t type_count, type_capacity, number_capacity;
    /* The type of the time that its samples/count stand for, if that may be chosen; 0: none. */
    uint32_t time;
    int64_t period; /* how much of that time one sample stands for */
};

struct choice {
    struct value_types *names; /* those of the flow */
    bool keeps_fractions;      /* set by the caller: fractions of a time keep their unit */
    bool is_judged;   /* set by the caller: without the wanted type a gate has nothing to judge */
    bool takes_times; /* set by the caller: the time that samples/count stand for is a type, too */
    /* set by the caller, which does not add gauges up: those of a source that has nothing else are
     * types, and so is one that is wanted */
    bool takes_levels;
    /* set by the caller, with takes_levels, or NULL: units or TYPE/UNIT, canonical text; gauges
     * that are called so are types in any case, so that choice_again can choose them */
    const struct str *units;
    size_t unit_count;
    struct choice_type *types; /* by number in NAMES - 1 */
    size_t type_capacity;
    struct choice_source *sources; /* by id - 1 */
    size_t source_count, source_capacity;
    struct idmap gauges;    /* by source and type: 1 for a gauge, 2 if it makes totals */
    struct idmap positions; /* by source and type: the index of the type in that source, plus 1 */
    struct str wanted_type, wanted_unit; /* canonical text; empty: none */
    struct buf wanted[2];

    uint32_t chosen; /* when finished: the number of a chosen type; 0: none */
    uint32_t counts; /* the type samples/count */
    uint32_t zero;   /* the type that all-zero values excluded; 0: none */
    struct str unit; /* the unit of the chosen types, canonical text */
};

/* Splits TEXT, the argument TYPE or TYPE/UNIT of an option, at the last '/': a type may contain
 * some. *UNIT is empty if there is none.  False if a part is empty that must not be.  Where a
 * source has a type in a unit with a '/', such as "ns/op", TEXT may also be that unit alone, or
 * TYPE/UNIT with it. */
bool choice_split(struct str text, struct str *type, struct str *unit);

/* Ends the tool (STATUS_USAGE) if WANTED, the argument of --type or NULL, is wrong. */
void choice_check(const char *wanted);

/* Opens C, which is all zero except what the caller sets, to choose WANTED (NULL: the type that
 * is shown by default) among the types in NAMES, which it keeps using. */
void choice_open(struct choice *c, const char *wanted, struct value_types *names);

/* Adds the next source, OF, in the order of its number in rows. */
void choice_add_source(struct choice *c, const struct profile_source *of);

/* Adds the value V of a sample of SOURCE, from 1, which stands for TIMES values.  Converts a
 * fraction of a time to nanoseconds, unless the user names a unit.  Stores the exact value in
 * *EXACT.  False if it is a level, which is dropped and counted. */
bool choice_admit(struct choice *c, size_t source, struct sample_value *v, struct decimal *exact,
                  uint64_t times);

/* Whether NUMBER, the type of a value that choice_admit has not admitted, makes totals of another type in
 * SOURCE, from 1. */
bool choice_makes_totals(const struct choice *c, size_t source, uint32_t number);

/* Notes that samples/count of SOURCE, from 1, stand for a value of the time type NUMBER, and that
 * for TIMES values; IS_ZERO: it is 0. */
void choice_note_value(struct choice *c, size_t source, uint32_t number, bool is_zero,
                       uint64_t times);

/* The number of the type that SOURCE, from 1, would show by default; 0: it has no values. */
uint32_t choice_shown(const struct choice *c, size_t source);

/* Makes the choice.  May be called repeatedly; the choice is final after the last value.  Ends
 * the tool (STATUS_INPUT) if the wanted type is not available. */
void choice_finish(struct choice *c);

/* Whether type NUMBER, up to type_capacity, is used and NAME is its unit, which has a '/', or
 * TYPE/UNIT with it: canonical text. */
bool choice_is_called(const struct choice *c, uint32_t number, struct str name);

/* Chooses WANTED instead, an argument of --type, after choice_finish. */
void choice_again(struct choice *c, struct str wanted);

/* Whether the chosen type is a level (takes_levels).  Ends the tool (STATUS_INPUT) if it is one in
 * some sources only. */
bool choice_is_level(const struct choice *c);

/* Whether the chosen type is the time that samples/count of some source stand for. */
bool choice_is_time(const struct choice *c);

/* Chooses samples/count instead of such a time, if they stand for the same time in all sources;
 * otherwise false. */
bool choice_take_counts(struct choice *c);

/* Chooses the type NUMBER instead, for all sources. */
void choice_take(struct choice *c, uint32_t number);

/* How many values of the chosen type there are. */
uint64_t choice_count(const struct choice *c);

/* Whether SOURCE, from 1, has the chosen type. */
bool choice_has(const struct choice *c, size_t source);

/* Appends the first few types of SOURCE, from 1, to TO. */
void choice_add_types(const struct choice *c, size_t source, struct buf *to);

/* Warns if the type that would be shown by default is not, because all its values are 0; and if
 * there are no values but levels, which are not added up. */
void choice_warn(const struct choice *c);

/* Warns of samples that have another type instead of the chosen one, such as other events of a
 * recording, unless the user named the type. */
void choice_warn_of_others(const struct choice *c);

/* Counts the values of types that were not chosen (loss.h), unless the user named the type. */
void choice_count_others(const struct choice *c);

/* Frees what C holds and leaves it all zero. */
void choice_free(struct choice *c);

#endif
