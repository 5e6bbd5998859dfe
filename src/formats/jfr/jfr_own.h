/* jfr_own.h - what recordings of Java Flight Recorder have of their own in rows, and below: see
 * base/own.h. */
#ifndef PROFPIPE_JFR_OWN_H
#define PROFPIPE_JFR_OWN_H

struct members;
struct source_facts;
void jfr_own_facts(const struct members *facts,
                   struct source_facts *to); /* see rows/source_kind.h */

#define OWN_JFR(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                                \
    KIND(jfr, SCATTERED, false, true, false, jfr_own_facts)                                        \
    HAS(JFR)                                                                                       \
    MEMBER(JFR, ".jfr", OBJECT, IN(SOURCE), OBJECT_JFR)                                            \
    MEMBER(JFR_START, "start", INTEGER, IN(JFR), OBJECT_NONE)                                      \
    MEMBER(JFR_JVM, "jvmName", STRING, IN(JFR), OBJECT_NONE)                                       \
    MEMBER(JFR_VERSION, "jvmVersion", STRING, IN(JFR), OBJECT_NONE)                                \
    MEMBER(JFR_JVM_ARGUMENTS, "jvmArguments", STRING, IN(JFR), OBJECT_NONE)                        \
    MEMBER(JFR_JVM_FLAGS, "jvmFlags", STRING, IN(JFR), OBJECT_NONE)                                \
    MEMBER(JFR_ARGUMENTS, "javaArguments", STRING, IN(JFR), OBJECT_NONE)                           \
    MEMBER(JFR_JVM_START, "jvmStartTime", INTEGER, IN(JFR), OBJECT_NONE)                           \
    MEMBER(JFR_PID, "pid", INTEGER, IN(JFR), OBJECT_NONE)                                          \
    MEMBER(JFR_OS, "osVersion", STRING, IN(JFR), OBJECT_NONE)                                      \
    MEMBER(JFR_CPU, "cpu", STRING, IN(JFR), OBJECT_NONE)                                           \
    MEMBER(JFR_CORES, "hwThreads", INTEGER, IN(JFR), OBJECT_NONE)                                  \
    TABLE(JFR_SETTING, ".jfr_settings", 3, MEMBER_ID_OF_SOURCE, MEMBER_ID_JFR_EVENT,               \
          MEMBER_ID_JFR_NAME)                                                                      \
    MEMBER(JFR_EVENT, "event", STRING, IN(JFR_SETTING), OBJECT_NONE)                               \
    MEMBER(JFR_NAME, "name", STRING, IN(JFR_SETTING), OBJECT_NONE)                                 \
    MEMBER(JFR_VALUE, "setting", STRING, IN(JFR_SETTING), OBJECT_NONE)                             \
    MEMBER(JFR_FRAME, ".jfr_frame", STRING, IN(LOCATION), OBJECT_NONE)                             \
    MEMBER(JFR_BYTECODE, ".jfr_bytecode", INTEGER, IN(LOCATION), OBJECT_NONE)                      \
    LOSS(JFR_EVENTS, "event of another kind", "events of other kinds", true)                       \
    LOSS(JFR_FIELDS, "field of an event", "fields of events", true)

#endif
