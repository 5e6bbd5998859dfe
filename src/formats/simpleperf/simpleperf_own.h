/* simpleperf_own.h - what samples of simpleperf have of their own in rows, and below: see
 * base/own.h. */
#ifndef PROFPIPE_SIMPLEPERF_OWN_H
#define PROFPIPE_SIMPLEPERF_OWN_H

struct members;
struct source_facts;
void simpleperf_own_facts(const struct members *facts,
                          struct source_facts *to); /* see rows/source_kind.h */

#define OWN_SIMPLEPERF(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                         \
    KIND(simpleperf, UNORDERED, false, true, false, simpleperf_own_facts)                          \
    HAS(SIMPLEPERF)                                                                                \
    HAS(SIMPLEPERF_UNWINDING)                                                                      \
    MEMBER(SIMPLEPERF, ".simpleperf", OBJECT, IN(SOURCE), OBJECT_SIMPLEPERF)                       \
    MEMBER(SIMPLEPERF_APP, "app_package_name", STRING, IN(SIMPLEPERF), OBJECT_NONE)                \
    MEMBER(SIMPLEPERF_APP_TYPE, "app_type", STRING, IN(SIMPLEPERF), OBJECT_NONE)                   \
    MEMBER(SIMPLEPERF_SDK, "android_sdk_version", STRING, IN(SIMPLEPERF), OBJECT_NONE)             \
    MEMBER(SIMPLEPERF_BUILD, "android_build_type", STRING, IN(SIMPLEPERF), OBJECT_NONE)            \
    MEMBER(SIMPLEPERF_OFF_CPU, "trace_offcpu", FLAG, IN(SIMPLEPERF), OBJECT_NONE)                  \
    MEMBER(SIMPLEPERF_SAMPLES, "sample_count", INTEGER, IN(SIMPLEPERF), OBJECT_NONE)               \
    MEMBER(SIMPLEPERF_LOST, "lost_count", INTEGER, IN(SIMPLEPERF), OBJECT_NONE)                    \
    MEMBER(SIMPLEPERF_EXECUTION, ".simpleperf_execution", STRING, IN(LOCATION), OBJECT_NONE)       \
    MEMBER(SIMPLEPERF_UNWINDING, ".simpleperf_unwinding", OBJECT, IN(SAMPLE),                      \
           OBJECT_SIMPLEPERF_UNWINDING)                                                            \
    MEMBER(SIMPLEPERF_ERROR, "error_code", INTEGER, IN(SIMPLEPERF_UNWINDING), OBJECT_NONE)         \
    MEMBER(SIMPLEPERF_RAW, "raw_error_code", INTEGER, IN(SIMPLEPERF_UNWINDING), OBJECT_NONE)       \
    MEMBER(SIMPLEPERF_ERROR_ADDRESS, "error_addr", ADDRESS, IN(SIMPLEPERF_UNWINDING), OBJECT_NONE) \
    TABLE(SIMPLEPERF_SWITCH, ".simpleperf_switches", 3, MEMBER_ID_OF_SOURCE,                       \
          MEMBER_ID_SIMPLEPERF_TIME, MEMBER_ID_SIMPLEPERF_TID)                                     \
    MEMBER(SIMPLEPERF_TIME, "time", INTEGER, IN(SIMPLEPERF_SWITCH), OBJECT_NONE)                   \
    MEMBER(SIMPLEPERF_TID, "tid", INTEGER, IN(SIMPLEPERF_SWITCH), OBJECT_NONE)                     \
    MEMBER(SIMPLEPERF_ON, "switch_on", FLAG, IN(SIMPLEPERF_SWITCH), OBJECT_NONE)

#endif
