/* folded_own.h - the columns and losses of folded stacks; see base/own.h. */
#ifndef PROFPIPE_FOLDED_OWN_H
#define PROFPIPE_FOLDED_OWN_H

struct members;
struct source_facts;
void folded_own_facts(const struct members *facts,
                      struct source_facts *to); /* see rows/source_kind.h */

#define OWN_FOLDED(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                             \
    KIND(folded, UNORDERED, false, false, false, folded_own_facts)                                 \
    HAS(FOLDED)                                                                                    \
    MEMBER(FOLDED, ".folded", OBJECT, IN(SOURCE), OBJECT_FOLDED)                                   \
    MEMBER(FOLDED_AUSTIN, "austin", STRINGS, IN(FOLDED), OBJECT_NONE)                              \
    MEMBER(OF_COLUMN, "column", ORDINAL, IN(FOLDED), OBJECT_NONE)                                  \
    LOSS(FOLDED_NAMES, "name that folded stacks cannot hold",                                      \
         "names that folded stacks cannot hold", true)                                             \
    LOSS(FOLDED_UNIT, "unit of the values", "units of the values", true)

#endif
