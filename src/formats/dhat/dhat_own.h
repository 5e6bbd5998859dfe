/* dhat_own.h - what files of DHAT have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_DHAT_OWN_H
#define PROFPIPE_DHAT_OWN_H

struct members;
struct source_facts;
void dhat_own_facts(const struct members *facts,
                    struct source_facts *to); /* see rows/source_kind.h */

#define OWN_DHAT(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                               \
    KIND(dhat, UNORDERED, false, true, false, dhat_own_facts)                                      \
    HAS(DHAT)                                                                                      \
    MEMBER(DHAT, ".dhat", OBJECT, IN(SOURCE), OBJECT_DHAT)                                         \
    MEMBER(DHAT_MODE, "mode", STRING, IN(DHAT), OBJECT_NONE)                                       \
    MEMBER(DHAT_COMMAND, "command", STRING, IN(DHAT), OBJECT_NONE)                                 \
    MEMBER(DHAT_PID, "pid", INTEGER, IN(DHAT), OBJECT_NONE)                                        \
    MEMBER(DHAT_TIME_UNIT, "time_unit", STRING, IN(DHAT), OBJECT_NONE)                             \
    MEMBER(DHAT_PEAK, "peak", INTEGER, IN(DHAT), OBJECT_NONE)                                      \
    MEMBER(DHAT_END, "end", INTEGER, IN(DHAT), OBJECT_NONE)                                        \
    MEMBER(DHAT_ACCESSES, ".dhat_accesses", TEXT, IN(SAMPLE), OBJECT_NONE)

#endif
