/* sqlite_own.h - what a database has of its own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_SQLITE_OWN_H
#define PROFPIPE_SQLITE_OWN_H

#define OWN_SQLITE(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                             \
    KIND(sqlite, IN_ORDER, false, false, NULL)

#endif
