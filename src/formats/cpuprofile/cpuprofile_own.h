/* cpuprofile_own.h - what profiles of V8 have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_CPUPROFILE_OWN_H
#define PROFPIPE_CPUPROFILE_OWN_H

struct members;
struct source_facts;
void cpuprofile_own_facts(const struct members *facts,
                          struct source_facts *to); /* see rows/source_kind.h */

#define OWN_CPUPROFILE(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                         \
    KIND(cpuprofile, IN_ORDER, false, false, cpuprofile_own_facts)                                 \
    HAS(CPUPROFILE)                                                                                \
    MEMBER(CPUPROFILE, ".cpuprofile", OBJECT, IN(SOURCE), OBJECT_CPUPROFILE)                       \
    MEMBER(CPUPROFILE_START, "start", TEXT, IN(CPUPROFILE), OBJECT_NONE)                           \
    MEMBER(CPUPROFILE_END, "end", TEXT, IN(CPUPROFILE), OBJECT_NONE)                               \
    MEMBER(CPUPROFILE_FIRST, "first", INTEGER, IN(CPUPROFILE), OBJECT_NONE)                        \
    MEMBER(CPUPROFILE_COLUMN, ".cpuprofile_column", ORDINAL, IN(FUNCTION), OBJECT_NONE)            \
    MEMBER(CPUPROFILE_SCRIPT, ".cpuprofile_script", STRING, IN(FUNCTION), OBJECT_NONE)

#endif
