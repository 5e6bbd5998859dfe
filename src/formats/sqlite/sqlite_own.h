/* sqlite_own.h - the source type of a database; see base/own.h. */
#ifndef PROFPIPE_SQLITE_OWN_H
#define PROFPIPE_SQLITE_OWN_H

#define OWN_SQLITE(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                             \
    KIND(sqlite, IN_ORDER, false, false, false, NULL)

#endif
