/* trace_own.h - what traces of Chrome have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_TRACE_OWN_H
#define PROFPIPE_TRACE_OWN_H

#define OWN_TRACE(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                              \
    KIND(trace, IN_ORDER, false, true, false, NULL)                                                \
    HAS(TRACE)                                                                                     \
    MEMBER(TRACE, ".trace", OBJECT, IN(SOURCE), OBJECT_TRACE)                                      \
    MEMBER(TRACE_ZERO, "zero", INTEGER, IN(TRACE), OBJECT_NONE)                                    \
    MEMBER(TRACE_OTHERS, "others", TEXT, IN(TRACE), OBJECT_NONE)                                   \
    MEMBER(TRACE_CATEGORY, ".trace_category", STRING, IN(LOCATION), OBJECT_NONE)                   \
    LOSS(TRACE_ASYNC, "asynchronous event", "asynchronous events", true)                           \
    LOSS(TRACE_FLOWS, "flow event", "flow events", true)                                           \
    LOSS(TRACE_INSTANTS, "instant event", "instant events", true)                                  \
    LOSS(TRACE_OBJECTS, "object event", "object events", true)                                     \
    LOSS(TRACE_EVENTS, "event of another kind", "events of other kinds", true)                     \
    LOSS(TRACE_ENDS, "end of a span without its begin", "ends of spans without their begins",      \
         true)                                                                                     \
    LOSS(TRACE_TOTALS, "sum of spans", "sums of spans", false)                                     \
    LOSS(TRACE_OVERLAPS, "end behind that of the span around it",                                  \
         "ends behind those of the spans around them", false)

#endif
