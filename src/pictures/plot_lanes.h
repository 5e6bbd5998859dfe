/* plot_lanes.h - in which lane of a plot a sample is drawn. */
#ifndef PROFPIPE_PLOT_LANES_H
#define PROFPIPE_PLOT_LANES_H

#include "profile/label_key.h"
#include "profile/naming.h"

/* What has a lane. */
enum plot_lanes_by {
    PLOT_LANES_THREAD, /* a thread where samples name one, else a source */
    PLOT_LANES_CPU,
    PLOT_LANES_SOURCE,
    PLOT_LANES_LABEL,
};

struct plot_lanes {
    enum plot_lanes_by by;
    struct label_key key; /* for PLOT_LANES_LABEL */
    struct naming_sources names;
    uint32_t *sources; /* by source - 1: its name, a string of the profile */
    size_t source_count, source_capacity;
};

/* The values of --lane, in the order of the enum. */
extern const char *const plot_lanes_words[PLOT_LANES_LABEL + 1];

/* Parses TEXT, the argument of --lane or NULL. Ends the tool (STATUS_USAGE) if it is not valid. */
struct plot_lanes plot_lanes_of(const char *text);

/* Adds the next source: OF of the profile P. */
void plot_lanes_add_source(struct plot_lanes *l, struct profile *p,
                           const struct profile_source *of);

/* Appends to TO the name of the lane of a sample of SOURCE, of P, with LABELS from
 * profile_labels. */
void plot_lanes_add_name(struct plot_lanes *l, const struct profile *p, int64_t source,
                         struct str labels, struct buf *to);

/* Frees what L holds. */
void plot_lanes_free(struct plot_lanes *l);

#endif
