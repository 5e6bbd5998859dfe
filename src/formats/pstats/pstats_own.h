/* pstats_own.h - what files of Python's pstats have of their own in rows, and below: see
 * base/own.h. */
#ifndef PROFPIPE_PSTATS_OWN_H
#define PROFPIPE_PSTATS_OWN_H

#define OWN_PSTATS(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                             \
    KIND(pstats, UNORDERED, false, true, true, NULL)

#endif
