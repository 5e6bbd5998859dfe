/* plan.h - what the options of a summary ask for, once they have been read. */
#ifndef PROFPIPE_PLAN_H
#define PROFPIPE_PLAN_H

#include "summary/collect.h"
#include "summary/gate.h"
#include "summary/sheet.h"

struct summary;
struct summary_options;

struct plan {
    struct sheet_request request;
    enum collect_by by;
    struct str label;                 /* of COLLECT_BY_LABEL */
    bool by_total;                    /* how rows are sorted */
    size_t max_depth;                 /* of paths */
    void (*write)(struct summary *s); /* the table */
    struct match match;               /* of the functions of --peek or --list */
    struct gates gates;
};

/* Reads OPTIONS, which must live as long.  Ends the tool (STATUS_USAGE) where one of them is wrong. */
struct plan *plan_open(const struct summary_options *options);

/* Frees P. */
void plan_free(struct plan *p);

#endif
