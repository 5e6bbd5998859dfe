/* speedscope_own.h - the columns and losses of speedscope; see base/own.h. */
#ifndef PROFPIPE_SPEEDSCOPE_OWN_H
#define PROFPIPE_SPEEDSCOPE_OWN_H

struct members;
struct source_facts;
void speedscope_facts(const struct members *facts,
                      struct source_facts *to); /* see rows/source_kind.h */

#define OWN_SPEEDSCOPE(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                         \
    KIND(speedscope, IN_ORDER, false, false, false, speedscope_facts)                              \
    HAS(SPEEDSCOPE)                                                                                \
    HAS(SPEEDSCOPE_PROFILE)                                                                        \
    MEMBER(SPEEDSCOPE, ".speedscope", OBJECT, IN(SOURCE), OBJECT_SPEEDSCOPE)                       \
    MEMBER(NAME, "name", STRING, IN(SPEEDSCOPE) | IN(SPEEDSCOPE_PROFILE), OBJECT_NONE)             \
    MEMBER(SPEEDSCOPE_UNIT, "unit", STRING, IN(SPEEDSCOPE_PROFILE), OBJECT_NONE)                   \
    MEMBER(EXPORTER, "exporter", STRING, IN(SPEEDSCOPE), OBJECT_NONE)                              \
    MEMBER(PROFILES, "profiles", OBJECTS, IN(SPEEDSCOPE), OBJECT_SPEEDSCOPE_PROFILE)               \
    MEMBER(START, "start", TEXT, IN(SPEEDSCOPE_PROFILE), OBJECT_NONE)                              \
    MEMBER(END, "end", TEXT, IN(SPEEDSCOPE_PROFILE), OBJECT_NONE)                                  \
    MEMBER(ACTIVE, "active", FLAG, IN(SPEEDSCOPE_PROFILE), OBJECT_NONE)                            \
    MEMBER(EVENTED, "evented", FLAG, IN(SPEEDSCOPE_PROFILE), OBJECT_NONE)                          \
    MEMBER(MARKED, "marked", ORDINAL, IN(SPEEDSCOPE_PROFILE), OBJECT_NONE)                         \
    MEMBER(SPEEDSCOPE_FRAME, ".speedscope_frame", ORDINAL, IN(LOCATION), OBJECT_NONE)              \
    MEMBER(SPEEDSCOPE_FILE, ".speedscope_file", FLAG, IN(LOCATION), OBJECT_NONE)                   \
    MEMBER(SPEEDSCOPE_LINE, ".speedscope_line", INTEGER, IN(LOCATION), OBJECT_NONE)                \
    MEMBER(SPEEDSCOPE_COL, ".speedscope_col", INTEGER, IN(LOCATION), OBJECT_NONE)                  \
    LOSS(SPEEDSCOPE_NAMES, "name that speedscope cannot hold",                                     \
         "names that speedscope cannot hold", true)

#endif
