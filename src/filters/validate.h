/* validate.h - all rules of profstream(5), for both versions, and what breaks them (profvalidate(1)).
 *
 * Unlike the tools that read a stream in order to use it, this goes on after what is wrong.  In
 * stream order memory is for what is distinct; see profvalidate(1). */
#ifndef PROFPIPE_VALIDATE_H
#define PROFPIPE_VALIDATE_H

#include "base/out.h"
#include "rows/finding.h"
#include "rows/schema.h"
#include "run/feed.h"

struct validate_request {
    struct feed_request feed; /* how inputs are opened; one without a profile may break no rule */
    bool any_order;           /* only the relations: rows may stand in any order */
    struct out *pass;         /* where a valid stream is copied to; NULL: nowhere */
};

/* What was read. */
struct validate_counts {
    uint64_t rows[TABLE_COUNT + 1]; /* by table; the last: of other dotted tables */
    uint64_t findings;              /* handed on */
};

/* Reads all of INPUTS and hands every broken rule to FINDINGS, which counts those it takes in
 * COUNTS->findings.  Ends the tool only where there is no input, at a line that is too long,
 * at damaged gzip data and where the system fails.  While there is no finding the lines are copied to REQUEST->pass; what has not promised an end is
 * made to, and .end rows wait for what follows them. */
void validate(struct inputs *inputs, const struct validate_request *request,
              struct findings *findings, struct validate_counts *counts);

#endif
