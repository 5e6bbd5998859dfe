/* vsprof_own.h - what tables of Visual Studio have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_VSPROF_OWN_H
#define PROFPIPE_VSPROF_OWN_H

#define OWN_VSPROF(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                             \
    KIND(vsprof, UNORDERED, false, true, false, NULL)                                              \
    MEMBER(VSPROF_INCLUSIVE, ".vsprof_average_inclusive", NUMBER, IN(SAMPLE), OBJECT_NONE)         \
    MEMBER(VSPROF_EXCLUSIVE, ".vsprof_average_exclusive", NUMBER, IN(SAMPLE), OBJECT_NONE)         \
    LOSS(VSPROF_CELLS, "cell of another column", "cells of other columns", true)

#endif
