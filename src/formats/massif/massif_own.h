/* massif_own.h - what files of Massif have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_MASSIF_OWN_H
#define PROFPIPE_MASSIF_OWN_H

struct members;
struct source_facts;
void massif_own_facts(const struct members *facts,
                      struct source_facts *to); /* see rows/source_kind.h */

#define OWN_MASSIF(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                             \
    KIND(massif, IN_ORDER, false, true, false, massif_own_facts)                                   \
    HAS(MASSIF)                                                                                    \
    MEMBER(MASSIF, ".massif", OBJECT, IN(SOURCE), OBJECT_MASSIF)                                   \
    MEMBER(MASSIF_OPTIONS, "options", STRING, IN(MASSIF), OBJECT_NONE)                             \
    MEMBER(MASSIF_COMMAND, "command", STRING, IN(MASSIF), OBJECT_NONE)                             \
    MEMBER(MASSIF_TIME_UNIT, "time_unit", STRING, IN(MASSIF), OBJECT_NONE)                         \
    MEMBER(MASSIF_SNAPSHOT, ".massif_snapshot", INTEGER, IN(SAMPLE), OBJECT_NONE)                  \
    MEMBER(MASSIF_TIME, ".massif_time", INTEGER, IN(SAMPLE), OBJECT_NONE)                          \
    ROLE(MOMENT, MASSIF_SNAPSHOT)

#endif
