/* hidden.h - the tables of version 1.0 that its specification calls hidden.  The one that a
 * profile has shows which format the profile was made from. */
#ifndef PROFPIPE_HIDDEN_H
#define PROFPIPE_HIDDEN_H

#include "base/str.h"

static const struct hidden_table {
    struct str name, source_type;
} hidden_tables[] = {
    {STR(".rprof"), STR("rprof")},
    {STR(".msg"), STR("pprof")},
};

enum { HIDDEN_COUNT = sizeof hidden_tables / sizeof *hidden_tables };

/* The hidden table called NAME, or the one for sources of TYPE; NULL if there is none. */
static inline const struct hidden_table *hidden_named(struct str name)
{
    for (size_t i = 0; i < HIDDEN_COUNT; i++)
        if (str_equal(hidden_tables[i].name, name))
            return &hidden_tables[i];
    return NULL;
}

static inline const struct hidden_table *hidden_of(struct str type)
{
    for (size_t i = 0; i < HIDDEN_COUNT; i++)
        if (str_equal(hidden_tables[i].source_type, type))
            return &hidden_tables[i];
    return NULL;
}

#endif
