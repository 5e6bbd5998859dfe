/* cpuprofile_own.h - what profiles of V8 have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_CPUPROFILE_OWN_H
#define PROFPIPE_CPUPROFILE_OWN_H

struct members;
struct source_facts;
void cpuprofile_own_facts(const struct members *facts,
                          struct source_facts *to); /* see rows/source_kind.h */

#define OWN_CPUPROFILE(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                         \
    KIND(cpuprofile, IN_ORDER, false, false, false, cpuprofile_own_facts)                          \
    HAS(CPUPROFILE)                                                                                \
    TABLE(CPUPROFILE_NODE, ".cpuprofile_nodes", 3, MEMBER_ID_OF_SOURCE, MEMBER_ID_OF_FUNCTION,     \
          MEMBER_ID_CPUPROFILE_ID)                                                                 \
    MEMBER(CPUPROFILE, ".cpuprofile", OBJECT, IN(SOURCE), OBJECT_CPUPROFILE)                       \
    MEMBER(CPUPROFILE_START, "start", TEXT, IN(CPUPROFILE), OBJECT_NONE)                           \
    MEMBER(CPUPROFILE_END, "end", TEXT, IN(CPUPROFILE), OBJECT_NONE)                               \
    MEMBER(CPUPROFILE_SAMPLES, "samples", INTEGER, IN(CPUPROFILE) | IN(CPUPROFILE_NODE),           \
           OBJECT_NONE)                                                                            \
    MEMBER(CPUPROFILE_NODES, "nodes", INTEGER, IN(CPUPROFILE), OBJECT_NONE)                        \
    MEMBER(CPUPROFILE_TIMED, "timed", FLAG, IN(CPUPROFILE), OBJECT_NONE)                           \
    MEMBER(CPUPROFILE_OLD, "old", FLAG, IN(CPUPROFILE), OBJECT_NONE)                               \
    MEMBER(CPUPROFILE_FIRST_LINE, "first_line", INTEGER, IN(CPUPROFILE), OBJECT_NONE)              \
    MEMBER(CPUPROFILE_ZERO, "zero", TEXT, IN(CPUPROFILE), OBJECT_NONE)                             \
    MEMBER(CPUPROFILE_ZERO_LISTED, "zero_listed", FLAG, IN(CPUPROFILE), OBJECT_NONE)               \
    MEMBER(CPUPROFILE_ID, "id", INTEGER, IN(CPUPROFILE_NODE), OBJECT_NONE)                         \
    MEMBER(CPUPROFILE_PARENT, "parent", INTEGER, IN(CPUPROFILE_NODE), OBJECT_NONE)                 \
    MEMBER(CPUPROFILE_HITS, "hits", INTEGER, IN(CPUPROFILE_NODE), OBJECT_NONE)                     \
    MEMBER(CPUPROFILE_CALL_FRAME, "call_frame", FLAG, IN(CPUPROFILE_NODE), OBJECT_NONE)            \
    MEMBER(CPUPROFILE_FRAME, "frame", TEXT, IN(CPUPROFILE_NODE), OBJECT_NONE)                      \
    MEMBER(CPUPROFILE_OTHERS, "others", TEXT, IN(CPUPROFILE) | IN(CPUPROFILE_NODE), OBJECT_NONE)   \
    MEMBER(CPUPROFILE_COLUMN, ".cpuprofile_column", ORDINAL, IN(FUNCTION), OBJECT_NONE)            \
    MEMBER(CPUPROFILE_SCRIPT, ".cpuprofile_script", STRING, IN(FUNCTION), OBJECT_NONE)             \
    MEMBER(CPUPROFILE_SAMPLE_NODE, ".cpuprofile_node", INTEGER, IN(SAMPLE), OBJECT_NONE)           \
    LOSS(CPUPROFILE_NAMES, "name that a .cpuprofile cannot hold",                                  \
         "names that a .cpuprofile cannot hold", true)

#endif
