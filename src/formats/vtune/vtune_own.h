/* vtune_own.h - what tables of VTune have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_VTUNE_OWN_H
#define PROFPIPE_VTUNE_OWN_H

#define OWN_VTUNE(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                              \
    KIND(vtune, UNORDERED, false, true, false, NULL)                                               \
    LOSS(VTUNE_CELLS, "cell of another column", "cells of other columns", true)

#endif
