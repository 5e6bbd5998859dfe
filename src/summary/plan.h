/* plan.h - the parsed options of a summary. */
#ifndef PROFPIPE_PLAN_H
#define PROFPIPE_PLAN_H

#include "summary/collect.h"
#include "summary/gate.h"
#include "table/sheet.h"

struct summary;
struct summary_options;

struct plan {
    struct sheet_request request;
    enum collect_by by;
    struct str label;                            /* for COLLECT_BY_LABEL */
    struct collect_level levels[COLLECT_LEVELS]; /* for COLLECT_BY_LEVELS */
    size_t level_count;
    bool by_total;    /* order of rows */
    const char *type; /* of values; NULL: the default, or all */
    bool all_types;
    size_t max_depth;                 /* of --hot-paths */
    void (*write)(struct summary *s); /* writes the table */
    struct match match;               /* of the functions for --peek or --list */
    struct gates gates;
};

/* Parses OPTIONS, which must outlive the plan. Ends the tool (STATUS_USAGE) if one is not valid. */
struct plan *plan_open(const struct summary_options *options);

/* Frees P. */
void plan_free(struct plan *p);

#endif
