/* callgrind_own.h - what files of Callgrind have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_CALLGRIND_OWN_H
#define PROFPIPE_CALLGRIND_OWN_H

struct members;
struct source_facts;
void callgrind_own_facts(const struct members *facts,
                         struct source_facts *to); /* see rows/source_kind.h */

#define OWN_CALLGRIND(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                          \
    KIND(callgrind, UNORDERED, false, true, true, callgrind_own_facts)                             \
    HAS(CALLGRIND)                                                                                 \
    MEMBER(CALLGRIND, ".callgrind", OBJECT, IN(SOURCE), OBJECT_CALLGRIND)                          \
    MEMBER(CALLGRIND_LINES, "lines", STRINGS, IN(CALLGRIND), OBJECT_NONE)                          \
    MEMBER(CALLGRIND_FILE, ".callgrind_file", STRING, IN(LOCATION), OBJECT_NONE)                   \
    MEMBER(CALLGRIND_BLOCK, ".callgrind_block", ADDRESS, IN(LOCATION), OBJECT_NONE)                \
    LOSS(CALLGRIND_JUMPS, "jump", "jumps", false)                                                  \
    LOSS(CALLGRIND_NAMES, "name that callgrind cannot hold", "names that callgrind cannot hold",   \
         true)

#endif
