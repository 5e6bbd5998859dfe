/* agg.h - options of profagg, which merges equal samples and adds up their values. */
#ifndef PROFPIPE_AGG_H
#define PROFPIPE_AGG_H

#include "base/decimal.h"

/* What to do with the values of a gauge, which must not be added up. */
enum agg_gauge { AGG_GAUGE_NONE, AGG_GAUGE_LAST, AGG_GAUGE_MAX, AGG_GAUGE_MEAN };

/* What makes frames equal. */
enum agg_by {
    AGG_BY_ALL, /* all columns of their rows */
    AGG_BY_FUNCTION,
    AGG_BY_GROUP,
    AGG_BY_PACKAGE,
    AGG_BY_LINE,
    AGG_BY_FILE,
    AGG_BY_MAPPING,
    AGG_BY_SOURCE,
};

/* Values of a type are multiplied by a factor. */
struct agg_scale {
    struct str type; /* canonical text */
    struct decimal factor;
    bool is_used; /* some value had this type */
};

/* Keys of labels, bytes. */
struct agg_keys {
    struct str *items;
    size_t count, capacity;
};

/* All zero: no option given. */
struct agg_options {
    bool consecutive;              /* merge neighbours only */
    bool across_sources;           /* merge samples of all sources, as if there were one */
    bool normalizes;               /* scale each source to the totals of the first */
    bool drops_labels;             /* drop all labels, or only those with */
    struct agg_keys dropped;       /* these keys, if any; */
    struct agg_keys kept;          /* or all but those with these, if any */
    struct agg_keys roots, leaves; /* labels to make frames of, the outermost first */
    bool drops_inlined;            /* leave out frames that are inlined into another */
    const char *by, *gauge;        /* as given, or NULL */
    struct agg_scale *scales;
    size_t scale_count, scale_capacity;
};

/* Add an option to O: the argument of --ignore-labels, KEY,... or NULL for all; of --keep-labels,
 * --label-root and --label-leaf, KEY,...; of --scale, TYPE=FACTOR. End the tool (STATUS_USAGE) if it
 * is not valid. */
void agg_drop_labels(struct agg_options *o, const char *text);
void agg_keep_labels(struct agg_options *o, const char *text);
void agg_add_roots(struct agg_options *o, const char *text);
void agg_add_leaves(struct agg_options *o, const char *text);
void agg_add_scale(struct agg_options *o, const char *text);

/* The values of --by and --gauge, in the order of the enums, without the first of each. */
extern const char *const agg_by_words[AGG_BY_SOURCE];
extern const char *const agg_gauge_words[AGG_GAUGE_MEAN];

/* Parse the argument of --by and --gauge; end the tool (STATUS_USAGE) if it is not known. */
enum agg_by agg_parse_by(const char *text);
enum agg_gauge agg_parse_gauge(const char *text);

/* Ends the tool (STATUS_USAGE) if an option in O is not valid, or if two exclude each other. */
void agg_check(const struct agg_options *o);

#endif
