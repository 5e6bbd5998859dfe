/* default_type.h - which of the types of a source is shown first: the one that other tools would show
 * of a file made of the same rows.  Where that would be a time that is made of samples/count it is
 * these counts themselves. */
#ifndef PROFPIPE_DEFAULT_TYPE_H
#define PROFPIPE_DEFAULT_TYPE_H

#include "profile/profile.h"

/* What a source says itself of what to show. */
struct default_type {
    struct str default_type; /* the type that it names; empty: none */
    bool has_time;           /* its samples/count stand for a time that is no type of its own */
};

/* A type that a source has, and that is no gauge. */
struct default_type_entry {
    struct str type, unit; /* canonical text */
    bool is_listed;        /* it stands in its `.value_types` */
    uint64_t count;        /* of its values other than 0 */
};

/* Whether samples/count of the source OF stand for a time that is no type of its own.  Where
 * all types are listed it would be. */
bool default_type_has_time(const struct profile_source *of);

/* What OF says, which lives as long. */
struct default_type default_type_says(const struct profile_source *of);

/* Whether T is to be shown as soon as it has a value: S names it, or it counts what stands for a time. */
bool default_type_is_certain(const struct default_type *s, const struct default_type_entry *t);

/* Chooses among the COUNT TYPES of a source that says S, listed ones first, in their order: one that is
 * certain, or else the last that is listed, of those that have values.  A list that shows only
 * samples/count is not all: then the type that most values have is shown, the greatest name of several.
 * Where none has a value, that does not matter.  Returns its place; COUNT: there is none. */
size_t default_type_choose(const struct default_type *s, const struct default_type_entry *types,
                           size_t count);

/* The same, were there values of all types. */
size_t default_type_first(const struct default_type *s, const struct default_type_entry *types,
                          size_t count);

#endif
