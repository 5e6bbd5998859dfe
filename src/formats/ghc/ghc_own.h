/* ghc_own.h - what profiles of GHC have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_GHC_OWN_H
#define PROFPIPE_GHC_OWN_H

struct members;
struct source_facts;
void ghc_own_facts(const struct members *facts,
                   struct source_facts *to); /* see rows/source_kind.h */

#define OWN_GHC(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                                \
    KIND(ghc, UNORDERED, false, true, false, ghc_own_facts)                                        \
    HAS(GHC)                                                                                       \
    MEMBER(GHC, ".ghc", OBJECT, IN(SOURCE), OBJECT_GHC)                                            \
    MEMBER(GHC_PROGRAM, "program", STRING, IN(GHC), OBJECT_NONE)                                   \
    MEMBER(GHC_ARGUMENTS, "arguments", STRINGS, IN(GHC), OBJECT_NONE)                              \
    MEMBER(GHC_RTS_ARGUMENTS, "rts_arguments", STRINGS, IN(GHC), OBJECT_NONE)                      \
    MEMBER(GHC_END_TIME, "end_time", STRING, IN(GHC), OBJECT_NONE)                                 \
    MEMBER(GHC_CAPABILITIES, "initial_capabilities", INTEGER, IN(GHC), OBJECT_NONE)                \
    MEMBER(GHC_MODULE, ".ghc_module", STRING, IN(FUNCTION), OBJECT_NONE)                           \
    MEMBER(GHC_SOURCE, ".ghc_src_loc", STRING, IN(FUNCTION), OBJECT_NONE)                          \
    MEMBER(GHC_IS_CAF, ".ghc_is_caf", FLAG, IN(FUNCTION), OBJECT_NONE)

#endif
