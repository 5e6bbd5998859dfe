/* default_type.h - which value type of a source is shown by default: the one that other tools
 * show for a file made from the same rows.  If that is a time computed from samples/count, it is
 * samples/count. */
#ifndef PROFPIPE_DEFAULT_TYPE_H
#define PROFPIPE_DEFAULT_TYPE_H

#include "profile/profile.h"

/* What a source itself declares. */
struct default_type {
    struct str default_type; /* the type that it names as default; empty: none */
    bool has_time;           /* its samples/count stand for a time that is not a type itself */
};

/* A type of a source, not a gauge. */
struct default_type_entry {
    struct str type, unit; /* canonical text */
    bool is_listed;        /* it is listed in `.value_types` */
    uint64_t count;        /* how many values other than 0 it has */
};

/* Whether samples/count of OF stand for a time that is not a type itself.  If all types are
 * listed, there is no such time. */
bool default_type_has_time(const struct profile_source *of);

/* What OF declares; borrowed from OF. */
struct default_type default_type_says(const struct profile_source *of);

/* Whether T is certain to be the default if it has a value: S names it, or it is samples/count
 * and stands for a time. */
bool default_type_is_certain(const struct default_type *s, const struct default_type_entry *t);

/* Chooses the default among the COUNT TYPES of a source that declares S.  TYPES has listed types
 * first, in their order.  Takes a certain one (see above) that has values, otherwise the last
 * listed one that has.  If that is samples/count, or there is none, takes the unlisted type with
 * the most values, and of several the greatest name.  If no type has values, ignores values.
 * Returns the index; COUNT if there is none. */
size_t default_type_choose(const struct default_type *s, const struct default_type_entry *types,
                           size_t count);

/* The same, as if all types had values. */
size_t default_type_first(const struct default_type *s, const struct default_type_entry *types,
                          size_t count);

#endif
