/* stacks_own.h - what printed stacks have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_STACKS_OWN_H
#define PROFPIPE_STACKS_OWN_H

struct members;
struct source_facts;
void stacks_own_facts(const struct members *facts,
                      struct source_facts *to); /* see rows/source_kind.h */

/* Sums are of the kind `stacks`; dumps of threads, which are in order, of the kind `threads`. */
#define OWN_STACKS(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                             \
    KIND(stacks, UNORDERED, false, true, false, stacks_own_facts)                                  \
    KIND(threads, IN_ORDER, false, true, false, stacks_own_facts)                                  \
    HAS(STACKS)                                                                                    \
    MEMBER(STACKS, ".stacks", OBJECT, IN(SOURCE), OBJECT_STACKS)                                   \
    MEMBER(THREADS, ".threads", OBJECT, IN(SOURCE), OBJECT_STACKS)                                 \
    MEMBER(STACKS_DIALECT, "dialect", STRING, IN(STACKS), OBJECT_NONE)                             \
    MEMBER(STACKS_MAP, "map", STRING, IN(STACKS), OBJECT_NONE)                                     \
    MEMBER(STACKS_COMMAND, "command", STRING, IN(STACKS), OBJECT_NONE)                             \
    MEMBER(STACKS_DATE, "date", STRING, IN(STACKS), OBJECT_NONE)                                   \
    MEMBER(STACKS_PRODUCER, "producer", STRING, IN(STACKS), OBJECT_NONE)                           \
    MEMBER(STACKS_OFFSET, ".stacks_offset", ADDRESS, IN(LOCATION), OBJECT_NONE)                    \
    MEMBER(STACKS_NATIVE, ".stacks_native", FLAG, IN(LOCATION), OBJECT_NONE)                       \
    MEMBER(STACKS_NOTES, ".stacks_notes", STRINGS, IN(SAMPLE), OBJECT_NONE)                        \
    MEMBER(STACKS_THREAD, ".stacks_thread", STRING, IN(SAMPLE), OBJECT_NONE)                       \
    LOSS(STACKS_VALUES, "stack whose value is no number", "stacks whose value is no number", true) \
    LOSS(STACKS_VARIABLES, "line of variables", "lines of variables", true)

#endif
