/* validate.h - checks all rules of profstream(5), for both versions (profvalidate(1)).
 *
 * Unlike the tools that use a stream, this continues after an error. For a stream in order, memory
 * grows with distinct rows only; see profvalidate(1). */
#ifndef PROFPIPE_VALIDATE_H
#define PROFPIPE_VALIDATE_H

#include "base/out.h"
#include "feed/feed.h"
#include "rows/finding.h"
#include "rows/schema.h"

struct validate_request {
    struct feed_request feed; /* how to open inputs; an input without a profile may be valid */
    bool any_order;           /* rows may come in any order; only references are checked */
    struct out *pass;         /* a valid stream is copied here; NULL: no copy */
};

/* Counts of what was read. */
struct validate_counts {
    uint64_t rows[TABLE_COUNT + 1]; /* by table; the last is for other dotted tables */
    uint64_t findings;              /* reported findings */
};

/* Reads all of INPUTS and reports each broken rule to FINDINGS, which counts in COUNTS->findings.
 * Ends the tool only if there is no input, at a line that is too long, at damaged gzip data, or if
 * the system fails. Until the first finding, lines are copied to REQUEST->pass. The copy always
 * promises an end. So .end rows are held back until it is known what follows. */
void validate(struct inputs *inputs, const struct validate_request *request,
              struct findings *findings, struct validate_counts *counts);

#endif
