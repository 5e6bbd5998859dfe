/* finding.h - what is wrong with a row or a profile, and by which rule.
 *
 * Most tools end at the first thing that is wrong.  profvalidate collects: it hands a struct
 * findings to what reads rows, and that goes on. */
#ifndef PROFPIPE_FINDING_H
#define PROFPIPE_FINDING_H

#include "base/diag.h"
#include "base/str.h"

/* RULE(constant, name).  profvalidate(1) says what each asks for. */
#define RULES(RULE)                                                                                \
    RULE(JSON, "json")                                                                             \
    RULE(TABLE, "table")                                                                           \
    RULE(COLUMN, "column")                                                                         \
    RULE(TYPE, "type")                                                                             \
    RULE(RANGE, "range")                                                                           \
    RULE(NAME, "name")                                                                             \
    RULE(VERSION, "version")                                                                       \
    RULE(ORDER, "order")                                                                           \
    RULE(UNIQUE, "unique")                                                                         \
    RULE(REFERENCE, "reference")                                                                   \
    RULE(DEPTH, "depth")                                                                           \
    RULE(END, "end")                                                                               \
    RULE(SAMPLE_TYPES, "sample-types")                                                             \
    RULE(INNER_FIRST, "inner-first")                                                               \
    RULE(INLINED, "inlined")

enum rule {
#define RULE(constant, name) RULE_##constant,
    RULES(RULE)
#undef RULE
        RULE_COUNT
};

/* One finding.  All texts are borrowed. */
struct finding {
    struct place where;
    enum rule rule;
    struct str table, column; /* empty where it is about none */
    const char *message;
};

/* Who collects findings. */
struct findings {
    void (*found)(struct findings *to, const struct finding *finding);
};

/* Who has no use for them. */
extern struct findings findings_ignored;

/* Tells TO that the row at WHERE breaks RULE; the message says how.  Where TO is NULL the tool ends
 * with `table.column: message` instead (STATUS_INPUT). */
void finding_add(struct findings *to, struct place where, enum rule rule, struct str table,
                 struct str column, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The name of RULE. */
struct str finding_rule(enum rule rule);

#endif
