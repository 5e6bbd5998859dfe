/* xdebug_own.h - what files of Xdebug have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_XDEBUG_OWN_H
#define PROFPIPE_XDEBUG_OWN_H

struct members;
struct source_facts;
void xdebug_own_facts(const struct members *facts,
                      struct source_facts *to); /* see rows/source_kind.h */

#define OWN_XDEBUG(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                             \
    KIND(xdebug, IN_ORDER, false, true, false, xdebug_own_facts)                                   \
    HAS(XDEBUG)                                                                                    \
    MEMBER(XDEBUG, ".xdebug", OBJECT, IN(SOURCE), OBJECT_XDEBUG)                                   \
    MEMBER(XDEBUG_LINES, "lines", STRINGS, IN(XDEBUG), OBJECT_NONE)                                \
    MEMBER(XDEBUG_FILE, ".xdebug_file", STRING, IN(LOCATION), OBJECT_NONE)

#endif
