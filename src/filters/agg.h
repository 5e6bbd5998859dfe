/* agg.h - what profagg is asked for: equal samples become one, with added values. */
#ifndef PROFPIPE_AGG_H
#define PROFPIPE_AGG_H

#include "base/decimal.h"

/* What becomes of the values of a gauge, which must not be added up. */
enum agg_gauge { AGG_GAUGE_NONE, AGG_GAUGE_LAST, AGG_GAUGE_MAX, AGG_GAUGE_MEAN };

/* What frames are made of. */
enum agg_by {
    AGG_BY_ALL, /* all that rows say of them */
    AGG_BY_FUNCTION,
    AGG_BY_GROUP,
    AGG_BY_LINE,
    AGG_BY_FILE,
    AGG_BY_MAPPING,
    AGG_BY_SOURCE,
};

/* The values of a type are multiplied. */
struct agg_scale {
    struct str type; /* canonical text */
    struct decimal factor;
    bool is_used; /* there was one */
};

/* All zero is what is asked for without any option. */
struct agg_options {
    bool consecutive;    /* only neighbours become one */
    bool across_sources; /* samples of all sources do, as those of one */
    bool normalizes;     /* each source is scaled to the totals of the first */
    bool drops_labels;   /* all labels go, or only those with */
    struct str *keys;    /* these keys, bytes, if there are any */
    size_t key_count, key_capacity;
    const char *by, *gauge; /* as they were given, or NULL */
    struct agg_scale *scales;
    size_t scale_count, scale_capacity;
};

/* Add the argument of --ignore-labels, KEY,... or NULL for all, and of --scale, TYPE=FACTOR, to O.  End the tool
 * (STATUS_USAGE) where that is wrong. */
void agg_add_keys(struct agg_options *o, const char *text);
void agg_add_scale(struct agg_options *o, const char *text);

/* What --by and --gauge can be, in the order of the enums, without the first of each. */
extern const char *const agg_by_words[AGG_BY_SOURCE];
extern const char *const agg_gauge_words[AGG_GAUGE_MEAN];

/* What --by and --gauge ask for; end the tool (STATUS_USAGE) where that is nothing known. */
enum agg_by agg_parse_by(const char *text);
enum agg_gauge agg_parse_gauge(const char *text);

/* Ends the tool (STATUS_USAGE) where one of O is wrong, or where two do not go together. */
void agg_check(const struct agg_options *o);

#endif
