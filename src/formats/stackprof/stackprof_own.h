/* stackprof_own.h - what files of stackprof have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_STACKPROF_OWN_H
#define PROFPIPE_STACKPROF_OWN_H

#define OWN_STACKPROF(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                          \
    KIND(stackprof, IN_ORDER, false, true, true, NULL)                                             \
    HAS(STACKPROF)                                                                                 \
    MEMBER(STACKPROF, ".stackprof", OBJECT, IN(SOURCE), OBJECT_STACKPROF)                          \
    MEMBER(STACKPROF_VERSION, "version", TEXT, IN(STACKPROF), OBJECT_NONE)                         \
    MEMBER(STACKPROF_MODE, "mode", TEXT, IN(STACKPROF), OBJECT_NONE)                               \
    MEMBER(STACKPROF_INTERVAL, "interval", INTEGER, IN(STACKPROF), OBJECT_NONE)                    \
    MEMBER(STACKPROF_GC, "gc_samples", INTEGER, IN(STACKPROF), OBJECT_NONE)                        \
    MEMBER(STACKPROF_MISSED, "missed_samples", INTEGER, IN(STACKPROF), OBJECT_NONE)                \
    MEMBER(STACKPROF_METADATA, "metadata", TEXT, IN(STACKPROF), OBJECT_NONE)                       \
    MEMBER(STACKPROF_ZERO, "zero", INTEGER, IN(STACKPROF), OBJECT_NONE)

#endif
