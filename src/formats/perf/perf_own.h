/* perf_own.h - the columns and losses of perf script; see base/own.h. */
#ifndef PROFPIPE_PERF_OWN_H
#define PROFPIPE_PERF_OWN_H

struct members;
struct source_facts;
void perf_facts(const struct members *facts, struct source_facts *to); /* see rows/source_kind.h */

#define OWN_PERF(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                               \
    KIND(perf, IN_ORDER, false, false, false, perf_facts)                                          \
    HAS(PERF)                                                                                      \
    MEMBER(PERF, ".perf", OBJECT, IN(SOURCE), OBJECT_PERF)                                         \
    MEMBER(HEADER, "header", STRINGS, IN(PERF), OBJECT_NONE)                                       \
    MEMBER(PERF_DSO, ".perf_dso", TEXT, IN(FUNCTION), OBJECT_NONE)                                 \
    MEMBER(PERF_OFFSET, ".perf_offset", ADDRESS, IN(LOCATION), OBJECT_NONE)                        \
    MEMBER(PERF_DSO_OFFSET, ".perf_dso_offset", ADDRESS, IN(LOCATION), OBJECT_NONE)                \
    MEMBER(PERF_INLINED, ".perf_inlined", FLAG, IN(LOCATION), OBJECT_NONE)                         \
    MEMBER(PERF_REST, ".perf_rest", TEXT, IN(SAMPLE), OBJECT_NONE)                                 \
    ROLE(BINARY, PERF_DSO)                                                                         \
    LOSS(PERF_LINES, "line of another kind", "lines of other kinds", true)                         \
    RULE(MAPPING, "/perf-[0-9]+\\.map$", "/perf.map") /* the number of the process */

#endif
