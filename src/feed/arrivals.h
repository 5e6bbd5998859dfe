/* arrivals.h - a stage that notes what comes from each input, its sources, samples and bytes: for
 * checks (expect.h), for the file that is written (provenance.h), and for the list of inputs
 * (manifest.h). */
#ifndef PROFPIPE_ARRIVALS_H
#define PROFPIPE_ARRIVALS_H

#include "base/in.h"
#include "feed/expect.h"
#include "feed/manifest.h"
#include "formats/format.h"
#include "rows/provenance.h"
#include "stream/sink.h"

struct arrivals {
    struct sink sink;
    struct sink *next;

    /* Who is told; or NULL. */
    struct expect *expect;
    struct provenance_sum *provenance;
    struct manifest *manifest;

    /* Of the current input. */
    uint64_t sources;
    uint64_t rows, counted; /* samples, and what their samples/count add up to */
    bool is_uncounted;      /* some sample has none that is a whole number */
    uint32_t count_type;    /* the number of samples/count; 0: has not come yet */
    struct buf waiting;     /* names of sources, until the digest is known: in lines */

    struct buf name; /* working memory */
};

/* Call these before and after reading IN, of FORMAT. */
void arrivals_begin(struct arrivals *a, struct in *in);
void arrivals_end(struct arrivals *a, struct in *in, const struct format *format);

/* Such a stage, which pushes all to NEXT; all must outlive it. */
struct arrivals arrivals_of(struct sink *next, struct expect *expect,
                            struct provenance_sum *provenance, struct manifest *manifest);

/* Frees what A holds. */
void arrivals_free(struct arrivals *a);

#endif
