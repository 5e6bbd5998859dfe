/* pprof_own.h - the columns and losses of pprof; see base/own.h. */
#ifndef PROFPIPE_PPROF_OWN_H
#define PROFPIPE_PPROF_OWN_H

#define IN_PPROF_ROWS (IN(FUNCTION) | IN(LOCATION) | IN(SAMPLE))

struct members;
struct source_facts;
void pprof_facts(const struct members *facts, struct source_facts *to); /* see rows/source_kind.h */

#define OWN_PPROF(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                              \
    KIND(pprof, UNORDERED, false, true, false, pprof_facts)                                        \
    HAS(PPROF)                                                                                     \
    MEMBER(PPROF, ".pprof", OBJECT, IN(SOURCE), OBJECT_PPROF)                                      \
    MEMBER(TIME_NANOS, "time_nanos", INTEGER, IN(PPROF), OBJECT_NONE)                              \
    MEMBER(DURATION_NANOS, "duration_nanos", INTEGER, IN(PPROF), OBJECT_NONE)                      \
    MEMBER(PERIOD_ALONE, "period", INTEGER, IN(PPROF), OBJECT_NONE)                                \
    MEMBER(DEFAULT_SAMPLE_TYPE, "default_sample_type", STRING, IN(PPROF), OBJECT_NONE)             \
    MEMBER(DROP_FRAMES, "drop_frames", STRING, IN(PPROF), OBJECT_NONE)                             \
    MEMBER(KEEP_FRAMES, "keep_frames", STRING, IN(PPROF), OBJECT_NONE)                             \
    MEMBER(DOC_URL, "doc_url", STRING, IN(PPROF), OBJECT_NONE)                                     \
    MEMBER(COMMENT, "comment", STRINGS, IN(PPROF), OBJECT_NONE)                                    \
    MEMBER(UNKNOWN, "unknown", HEX,                                                                \
           IN(PPROF) | IN(VALUE_TYPE) | IN(PERIOD) | IN(LABEL) | IN(MAPPING), OBJECT_NONE)         \
    MEMBER(PPROF_UNKNOWN, ".pprof_unknown", HEX, IN_PPROF_ROWS, OBJECT_NONE)                       \
    MEMBER(PPROF_LINE_UNKNOWN, ".pprof_line_unknown", HEX, IN(LOCATION), OBJECT_NONE)              \
    MEMBER(PPROF_COPY, ".pprof_copy", ORDINAL, IN(FUNCTION) | IN(LOCATION) | IN(MAPPING),          \
           OBJECT_NONE)                                                                            \
    MEMBER(PPROF_START_LINE, ".pprof_start_line", INTEGER, IN(FUNCTION), OBJECT_NONE)              \
    MEMBER(PPROF_LINE, ".pprof_line", INTEGER, IN(LOCATION), OBJECT_NONE)                          \
    MEMBER(PPROF_OUTER, ".pprof_outer", FLAG, IN(LOCATION), OBJECT_NONE)                           \
    MEMBER(PPROF_NO_LINES, ".pprof_no_lines", FLAG, IN(LOCATION), OBJECT_NONE)

#endif
