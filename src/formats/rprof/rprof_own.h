/* rprof_own.h - the columns, tables and losses of Rprof and Rprofmem; see base/own.h. */
#ifndef PROFPIPE_RPROF_OWN_H
#define PROFPIPE_RPROF_OWN_H

#define OWN_RPROF(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                              \
    KIND(rprof, IN_ORDER, true, false, false, NULL)                                                \
    KIND(rprofmem, IN_ORDER, false, false, false, NULL)                                            \
    HAS(RPROF)                                                                                     \
    HAS(RPROFMEM)                                                                                  \
    TABLE(RPROF_FILE, ".rprof_files", 3, MEMBER_ID_OF_SOURCE, MEMBER_ID_NUMBER, MEMBER_ID_PATH)    \
    MEMBER(RPROF, ".rprof", OBJECT, IN(SOURCE), OBJECT_RPROF)                                      \
    MEMBER(RPROFMEM, ".rprofmem", OBJECT, IN(SOURCE), OBJECT_RPROFMEM)                             \
    MEMBER(MEMORY, "memory", FLAG, IN(RPROF), OBJECT_NONE)                                         \
    MEMBER(GC, "gc", FLAG, IN(RPROF), OBJECT_NONE)                                                 \
    MEMBER(LINES, "lines", FLAG, IN(RPROF), OBJECT_NONE)                                           \
    MEMBER(CRLF, "crlf", FLAG, IN(RPROF) | IN(RPROFMEM), OBJECT_NONE)                              \
    MEMBER(APPENDED, "appended", FLAG, IN(RPROF), OBJECT_NONE)                                     \
    MEMBER(ENCODING, "encoding", TEXT, IN(RPROF) | IN(RPROFMEM), OBJECT_NONE)                      \
    MEMBER(INTERVAL, "interval", ORDINAL, IN(RPROF), OBJECT_NONE)                                  \
    MEMBER(RPROF_TEXT, ".rprof_text", TEXT, IN(LOCATION), OBJECT_NONE)                             \
    MEMBER(RPROF_TAIL, ".rprof_tail", TEXT, IN(SAMPLE), OBJECT_NONE)                               \
    MEMBER(NUMBER, "number", ORDINAL, IN(RPROF_FILE), OBJECT_NONE)                                 \
    MEMBER(PATH, "path", TEXT, IN(RPROF_FILE), OBJECT_NONE)                                        \
    MEMBER(TEXT_OF_LINE, "text", TEXT, IN(RPROF_FILE), OBJECT_NONE)                                \
    ROLE(SPELLING, RPROF_TEXT)                                                                     \
    LOSS(NAMES, "name that Rprof cannot hold", "names that Rprof cannot hold", true)

#endif
