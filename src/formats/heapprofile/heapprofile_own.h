/* heapprofile_own.h - what heap profiles of V8 have of their own in rows, and below: see
 * base/own.h. */
#ifndef PROFPIPE_HEAPPROFILE_OWN_H
#define PROFPIPE_HEAPPROFILE_OWN_H

#define OWN_HEAPPROFILE(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                        \
    KIND(heapprofile, IN_ORDER, false, true, false, NULL)                                          \
    MEMBER(HEAPPROFILE_ORDINAL, ".heapprofile_ordinal", INTEGER, IN(SAMPLE), OBJECT_NONE)

#endif
