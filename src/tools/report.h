/* report.h - findings become lines for people, or rows for programs (profvalidate(1), OUTPUT). */
#ifndef PROFPIPE_REPORT_H
#define PROFPIPE_REPORT_H

#include "base/out.h"
#include "filters/validate.h"
#include "rows/finding.h"

/* Set what the comments say; the rest is zero. */
struct report {
    struct findings findings; /* to hand to validate(), whose findings->found is report_found */
    struct out *rows;         /* set: where rows go; NULL: lines on standard error */
    uint64_t max;             /* set: how many findings are shown */
    unsigned rules;           /* set: those that are asked for, as bits */
    struct validate_counts counts;
    uint64_t by_rule[RULE_COUNT];
};

/* Takes a finding. */
void report_found(struct findings *to, const struct finding *finding);

/* Closes the report: under -v with the counts of each table, and where there was a finding with those
 * of each rule; the tool then fails (STATUS_INPUT), at once unless the rows are still to go out. */
void report_end(const struct report *report);

#endif
