/* finding.h - findings: what is wrong with a row or a profile, and which rule it breaks.
 *
 * Most tools end at the first error. profvalidate collects them: it passes a struct findings to
 * the readers of rows, which then go on. */
#ifndef PROFPIPE_FINDING_H
#define PROFPIPE_FINDING_H

#include "base/diag.h"
#include "base/str.h"

/* RULE(constant, name). profvalidate(1) describes each. */
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
    struct str table, column; /* empty if it concerns none */
    const char *message;
};

/* A collector of findings. */
struct findings {
    void (*found)(struct findings *to, const struct finding *finding);
};

/* A collector that ignores them. */
extern struct findings findings_ignored;

/* Reports to TO that the row at WHERE breaks RULE; the message says how.  If TO is NULL, ends
 * the tool with `table.column: message` instead (STATUS_INPUT). */
void finding_add(struct findings *to, struct place where, enum rule rule, struct str table,
                 struct str column, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The name of RULE. */
struct str finding_rule(enum rule rule);

#endif
