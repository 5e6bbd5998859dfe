/* feed.h - the driver: opens the inputs of a tool one after the other, finds the format of each, and lets
 * its reader push what stands there into a stage. */
#ifndef PROFPIPE_FEED_H
#define PROFPIPE_FEED_H

#include "formats/format.h"
#include "profile/rules.h"
#include "rows/finding.h"
#include "run/inputs.h"
#include "stream/upgrade.h"

struct feed_request {
    const struct format *only; /* every input is of this format; NULL: any that is known */
    struct read_request read;  /* its options are those of ONLY */
    bool dated_by_file; /* sources have the time of their file's last change, where it has one */
    bool lossless;      /* what has no place in the output is an error */
    bool as_is;         /* profiles of version 1.x are not upgraded */
    struct upgrade_request upgrade; /* if they are */
    struct rules *rules;            /* what becomes of names; NULL: nothing */
};

/* Pushes the profiles of INPUTS to SINK, each with its version row, and its .end row if it has one; what
 * is no rows gets both.  Ends the tool (STATUS_INPUT) where there is no input, and none is
 * needed to be. */
void feed(struct inputs *inputs, const struct feed_request *request, struct sink *sink);

/* The parts of that, for who does more with an input that is profile rows. */

/* Ends the tool (STATUS_INPUT) where there are no INPUTS, unless REQUEST allows that. */
void feed_check(struct inputs *inputs, const struct feed_request *request);

/* The format that IN has, one of those that REQUEST allows.  Where it has none, that is found (json) and NULL
 * returned; where TO is NULL the tool ends (STATUS_INPUT).  With TO, text that nothing is known
 * of is profile rows, to be found wrong line by line. */
const struct format *feed_format(struct in *in, const struct feed_request *request,
                                 struct findings *to);

/* Pushes what stands in IN, of FORMAT, to SINK. */
void feed_input(struct in *in, const struct format *format, const struct feed_request *request,
                struct sink *sink);

#endif
