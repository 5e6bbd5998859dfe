/* choice.h - the one type of values that a file with room for one gets, or that a summary is about: the one
 * that is asked for, or else the one that the first source shows (default_type.h).
 *
 * Types of one name in units that convert are one: values are taken in the finest of their units, so that
 * nothing is rounded.  Which type it is shows at the end alone, so until then the values of all are kept. */
#ifndef PROFPIPE_CHOICE_H
#define PROFPIPE_CHOICE_H

#include "base/buf.h"
#include "base/idmap.h"
#include "profile/default_type.h"
#include "rows/sample.h"

/* A type of values. */
struct choice_type {
    uint64_t count;    /* of its values, but for levels */
    uint64_t levels;   /* those of sources where it is a gauge, or inclusive: they are left out */
    size_t source;     /* the last one that was seen to have it, from 1, */
    size_t place;      /* and where it stands among the types of that */
    bool is_used;      /* some source has it, and as no gauge */
    bool is_gauge;     /* it is one, or inclusive, in some source: */
    bool is_inclusive; /* that */
    int64_t times; /* once settled: what one is in the unit that is chosen; 0: it is not chosen */
    bool misfits;  /* it would be chosen, but its unit does not convert */
};

struct choice_source {
    struct default_type shown;
    struct default_type_entry *types; /* that it has, in the order of default_type_choose */
    uint32_t *numbers;                /* theirs in NAMES */
    size_t type_count, type_capacity, number_capacity;
    uint32_t
        time; /* the type of the time that its samples/count stand for, if that is taken; 0: none */
    int64_t period; /* how much of it each stands for */
};

struct choice {
    struct value_types *names; /* of the flow */
    bool keeps_fractions;      /* set by the caller: fractions of a time stay in their unit */
    bool takes_times; /* set by the caller: a time that samples/count stand for is a type, too */
    struct choice_type *types; /* by number in NAMES - 1 */
    size_t type_capacity;
    struct choice_source *sources; /* by id - 1 */
    size_t source_count, source_capacity;
    struct idmap gauges; /* by source and type: what is a level there */
    struct idmap places; /* by source and type: its place among the types of that, plus 1 */
    struct str wanted_type, wanted_unit; /* canonical text; empty: none */
    struct buf wanted[2];

    uint32_t chosen; /* once settled: the number of one of the types that are; 0: there is none */
    uint32_t counts; /* the type samples/count */
    uint32_t zero;   /* of that which would be, if it had a value other than 0; 0: none */
    struct str unit; /* theirs, canonical text */
};

/* Takes TEXT, TYPE or TYPE/UNIT as an option says it, apart; the last '/' divides, so that a type may have
 * some.  *UNIT is empty where there is none.  False where a part is empty that must not be. */
bool choice_split(struct str text, struct str *type, struct str *unit);

/* Ends the tool (STATUS_USAGE) if WANTED, the argument of --type or NULL, is wrong. */
void choice_check(const char *wanted);

/* Makes C, all zero but for what the caller sets, a choice of WANTED (NULL: what is shown first) among the types in NAMES, which it goes
 * on to use. */
void choice_open(struct choice *c, const char *wanted, struct value_types *names);

/* Takes the next source, OF, as rows number them. */
void choice_add_source(struct choice *c, const struct profile_source *of);

/* Takes the value V of a sample of the source SOURCE, from 1: a fraction of a time becomes nanoseconds, unless a
 * unit is wanted.  *EXACT is what it is.  False where it is a level, which is left out, and counted. */
bool choice_admit(struct choice *c, size_t source, struct sample_value *v, struct decimal *exact);

/* Notes that samples/count of the source SOURCE, from 1, stand for a value of its time, NUMBER, which is 0 if IS_ZERO. */
void choice_note_value(struct choice *c, size_t source, uint32_t number, bool is_zero);

/* The number of the type that the source SOURCE, from 1, would show by itself; 0: it has no values of one. */
uint32_t choice_shown(const struct choice *c, size_t source);

/* Chooses among what there is so far: for good after the last value, and before as often as wanted.  Ends the tool (STATUS_INPUT) where what is wanted cannot be had. */
void choice_finish(struct choice *c);

/* Whether what was chosen is a time that the samples/count of some source stand for. */
bool choice_is_time(const struct choice *c);

/* Chooses samples/count instead of such a time, if those of all sources stand for the same; false if not. */
bool choice_take_counts(struct choice *c);

/* Instead of that: the type NUMBER is chosen, whoever has it. */
void choice_take(struct choice *c, uint32_t number);

/* Whether the source SOURCE, from 1, has the type that was chosen. */
bool choice_has(const struct choice *c, size_t source);

/* Appends the types of the source SOURCE, from 1, to TO: the first few. */
void choice_add_types(const struct choice *c, size_t source, struct buf *to);

/* Warns if the type that would be shown first is not, because it has no value but 0. */
void choice_warn(const struct choice *c);

/* Warns of samples that have another type instead of the one that is shown, such as those of other events of a
 * recording, unless that was asked for. */
void choice_warn_of_others(const struct choice *c);

/* Counts the values that are not of the type that was chosen (loss.h).  Where a type was asked for others
 * were asked to go. */
void choice_count_others(const struct choice *c);

/* Frees what C holds and leaves an empty one. */
void choice_free(struct choice *c);

#endif
