/* select.h - options of proffilter(1): a list of steps. Each step works on what the steps before it
 * left. */
#ifndef PROFPIPE_SELECT_H
#define PROFPIPE_SELECT_H

#include "profile/match.h"

enum select_kind {
    SELECT_FOCUS,
    SELECT_IGNORE,
    SELECT_HIDE,
    SELECT_SHOW,
    SELECT_TRIM_ROOT,
    SELECT_TRIM_LEAF,
    SELECT_MAX_DEPTH,
    SELECT_DROP_GC,
    SELECT_SOURCE,
    SELECT_LABEL,
    SELECT_NO_LABEL,
    SELECT_SAMPLES,
    SELECT_TYPE,
    SELECT_THIN,
};

/* One option and its argument, borrowed; NULL: no argument. */
struct select_request {
    enum select_kind kind;
    const char *argument;
};

/* The options of filter_select (filters.h). All zero: no options. */
struct select_options {
    struct select_request *requests; /* in the order given */
    size_t count, capacity;
    struct regex_how how; /* of all expressions */
    bool keeps_sources;   /* keep sources even if all their samples are dropped */
};

/* Adds an option. */
void select_add(struct select_options *o, enum select_kind kind, const char *argument);

/* Ends the tool (STATUS_USAGE) if an argument is not valid. */
void select_check(const struct select_options *o);

#endif
