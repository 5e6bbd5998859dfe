/* firefox_own.h - what the Firefox Profiler has of its own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_FIREFOX_OWN_H
#define PROFPIPE_FIREFOX_OWN_H

struct members;
struct source_facts;
void firefox_own_facts(const struct members *facts,
                       struct source_facts *to); /* see rows/source_kind.h */

#define OWN_FIREFOX(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                            \
    KIND(firefox, UNORDERED, true, true, false, firefox_own_facts)                                 \
    HAS(FIREFOX)                                                                                   \
    MEMBER(FIREFOX, ".firefox", OBJECT, IN(SOURCE), OBJECT_FIREFOX)                                \
    MEMBER(FIREFOX_NAME, "name", STRING, IN(FIREFOX), OBJECT_NONE)                                 \
    MEMBER(FIREFOX_META, "meta", TEXT, IN(FIREFOX), OBJECT_NONE)                                   \
    MEMBER(FIREFOX_SHOWN, "shown", STRING, IN(FIREFOX), OBJECT_NONE)                               \
    MEMBER(FIREFOX_JS, ".firefox_js", FLAG, IN(FUNCTION), OBJECT_NONE)                             \
    MEMBER(FIREFOX_COLUMN, ".firefox_column", INTEGER, IN(FUNCTION), OBJECT_NONE)                  \
    MEMBER(FIREFOX_CATEGORY, ".firefox_category", TEXT, IN(LOCATION), OBJECT_NONE)                 \
    MEMBER(FIREFOX_SUBCATEGORY, ".firefox_subcategory", TEXT, IN(LOCATION), OBJECT_NONE)           \
    LOSS(FIREFOX_NAMES, "name that the Firefox Profiler cannot hold",                              \
         "names that the Firefox Profiler cannot hold", true)                                      \
    LOSS(FIREFOX_LABELS, "label", "labels", true)                                                  \
    LOSS(FIREFOX_STACKS, "stack of a level", "stacks of levels", true)                             \
    LOSS(FIREFOX_MARKERS, "marker", "markers", true)

#endif
