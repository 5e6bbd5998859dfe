/* feed.h - the driver: opens the inputs of a tool one after the other, detects the format of
 * each, and has its reader push the profiles into a stage. */
#ifndef PROFPIPE_FEED_H
#define PROFPIPE_FEED_H

#include "feed/arrivals.h"
#include "feed/inputs.h"
#include "formats/format.h"
#include "profile/label_add.h"
#include "profile/rules.h"
#include "rows/finding.h"
#include "stream/upgrade.h"

struct feed_request {
    const struct format *only;        /* the format of every input; NULL: detect it */
    struct read_request read;         /* with options for the reader of ONLY */
    bool dated_by_file;               /* sources get the modification time of their file, if any */
    bool lossless;                    /* losses are an error */
    bool as_is;                       /* do not upgrade profiles of version 1.x */
    struct upgrade_request upgrade;   /* otherwise: how */
    struct rules *rules;              /* rules to apply to names; NULL: none */
    struct label_add_options *labels; /* labels to add; NULL: none */
    bool unites_addresses;            /* a program is where it was loaded first (unite.h) */
    const struct expect_options *expect; /* which sources must come; NULL: any may */
    struct manifest *manifest;           /* where inputs are listed; NULL: nowhere */
};

/* Pushes the profiles of INPUTS to SINK, each with its version row, and its .end row if it has
 * one; profiles from other formats than rows get both.  Ends the tool (STATUS_INPUT) if there is
 * no input, unless that is allowed; or (STATUS_CHECK) if other sources come than REQUEST expects,
 * for which an input that is only tried (attempt.h) is no reason. */
void feed(struct inputs *inputs, const struct feed_request *request, struct sink *sink);

/* The parts of feed(), for callers that treat profile rows in a special way. */

/* Ends the tool (STATUS_INPUT) if there are no INPUTS, unless REQUEST allows that. */
void feed_check(struct inputs *inputs, const struct feed_request *request);

/* Detects the format of IN among those that REQUEST allows.  If TO is NULL and it is none of
 * them, ends the tool (STATUS_INPUT).  Otherwise reports the finding `json` to TO and returns
 * NULL; but text of no known format counts as profile rows, so that each of its lines is
 * checked. */
const struct format *feed_format(struct in *in, const struct feed_request *request,
                                 struct findings *to);

/* Pushes the profiles in IN, of FORMAT, to SINK. */
void feed_input(struct in *in, const struct format *format, const struct feed_request *request,
                struct sink *sink);

#endif
