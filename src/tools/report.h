/* report.h - prints findings as lines for humans, or as rows for programs (profvalidate(1),
 * OUTPUT). */
#ifndef PROFPIPE_REPORT_H
#define PROFPIPE_REPORT_H

#include "base/out.h"
#include "filters/validate.h"
#include "rows/finding.h"

/* Set the fields marked "set"; the rest is zero. */
struct report {
    struct findings findings; /* to pass to validate(); findings->found must be report_found */
    struct out *rows;         /* set: the output for rows; NULL: lines on standard error */
    uint64_t max;             /* set: the maximum number of findings to print */
    unsigned rules;           /* set: the rules to check, as bits */
    struct validate_counts counts;
    uint64_t by_rule[RULE_COUNT];
};

/* Adds a finding. */
void report_found(struct findings *to, const struct finding *finding);

/* Ends the report: with -v prints the counts of each table, and if there were findings those of
 * each rule.  The tool then fails (STATUS_INPUT): at once, or after the rows have been written. */
void report_end(const struct report *report);

#endif
