/* legacy_own.h - what pprof's older formats have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_LEGACY_OWN_H
#define PROFPIPE_LEGACY_OWN_H

struct members;
struct source_facts;
void legacy_own_facts(const struct members *facts,
                      struct source_facts *to); /* see rows/source_kind.h */

#define OWN_LEGACY(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                             \
    KIND(legacy, UNORDERED, false, true, false, legacy_own_facts)                                  \
    HAS(LEGACY)                                                                                    \
    MEMBER(LEGACY, ".legacy", OBJECT, IN(SOURCE), OBJECT_LEGACY)                                   \
    MEMBER(LEGACY_DURATION, "duration", INTEGER, IN(LEGACY), OBJECT_NONE)                          \
    MEMBER(LEGACY_LINES, "lines", STRINGS, IN(LEGACY), OBJECT_NONE)

#endif
