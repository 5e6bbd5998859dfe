/* perun_own.h - the columns and losses of Perun; see base/own.h. */
#ifndef PROFPIPE_PERUN_OWN_H
#define PROFPIPE_PERUN_OWN_H

struct members;
struct source_facts;
void perun_facts(const struct members *facts, struct source_facts *to); /* see rows/source_kind.h */

#define OWN_PERUN(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                              \
    KIND(perun, IN_ORDER, false, false, false, perun_facts)                                        \
    HAS(PERUN)                                                                                     \
    HAS(PERUN_MEMBERS)                                                                             \
    HAS(PERUN_FRAME)                                                                               \
    MEMBER(PERUN, ".perun", OBJECT, IN(SOURCE), OBJECT_PERUN)                                      \
    MEMBER(PERUN_LAYOUT, "layout", TEXT, IN(PERUN), OBJECT_NONE)                                   \
    MEMBER(PERUN_INDENTED, "indented", FLAG, IN(PERUN), OBJECT_NONE)                               \
    MEMBER(PERUN_STORED, "stored", TEXT, IN(PERUN), OBJECT_NONE)                                   \
    MEMBER(PERUN_SAMPLES, "samples", INTEGER, IN(PERUN), OBJECT_NONE)                              \
    MEMBER(PERUN_TYPE, ".perun_type", ORDINAL, IN(SAMPLE), OBJECT_NONE)                            \
    MEMBER(PERUN_SNAPSHOT, ".perun_snapshot", ORDINAL, IN(SAMPLE), OBJECT_NONE)                    \
    MEMBER(PERUN_MEMBERS, ".perun_members", OBJECT, IN(SAMPLE), OBJECT_PERUN_MEMBERS)              \
    MEMBER(PERUN_FRAME, ".perun_frame", OBJECT, IN(LOCATION), OBJECT_PERUN_FRAME)                  \
    LOSS(PERUN_NAMES, "name that Perun cannot hold", "names that Perun cannot hold", true)         \
    PACKED("profile ")

#endif
