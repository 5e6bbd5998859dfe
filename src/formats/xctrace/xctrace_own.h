/* xctrace_own.h - what files of Instruments have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_XCTRACE_OWN_H
#define PROFPIPE_XCTRACE_OWN_H

#define OWN_XCTRACE(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                            \
    KIND(xctrace, UNORDERED, false, false, false, NULL)                                            \
    HAS(XCTRACE)                                                                                   \
    MEMBER(XCTRACE, ".xctrace", OBJECT, IN(SOURCE), OBJECT_XCTRACE)                                \
    MEMBER(XCTRACE_XPATH, "xpath", STRING, IN(XCTRACE), OBJECT_NONE)                               \
    MEMBER(XCTRACE_SCHEMA, "schema", STRING, IN(XCTRACE), OBJECT_NONE)                             \
    MEMBER(XCTRACE_ARCH, ".xctrace_arch", STRING, IN(MAPPING), OBJECT_NONE)                        \
    LOSS(XCTRACE_ROWS, "row that is no sample", "rows that are no samples", true)                  \
    LOSS(XCTRACE_ELEMENTS, "element of another kind", "elements of other kinds", false)

#endif
