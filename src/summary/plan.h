/* plan.h - the parsed options of a summary. */
#ifndef PROFPIPE_PLAN_H
#define PROFPIPE_PLAN_H

#include "summary/gate.h"
#include "summary/request.h"
#include "table/sheet.h"

struct summary;
struct summary_options;

struct plan {
    struct sheet_request request;
    struct request_rows rows; /* what they are about */
    bool by_total;            /* order of rows */
    const char *type;         /* of values; NULL: the default, or all */
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
