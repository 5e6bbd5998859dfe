/* select.h - what is asked of samples and their stacks (proffilter(1)): steps, each of which is given what
 * those before it left. */
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
    SELECT_SAMPLES,
    SELECT_TYPE,
    SELECT_THIN,
};

/* One option with its argument, borrowed; NULL: it has none. */
struct select_request {
    enum select_kind kind;
    const char *argument;
};

/* The options of filter_select (filters.h).  All zero asks for nothing. */
struct select_options {
    struct select_request *requests; /* in the order they were given */
    size_t count, capacity;
    struct regex_how how; /* of all expressions */
    bool keeps_sources;   /* those whose samples have all been taken out, too */
};

/* Adds an option. */
void select_add(struct select_options *o, enum select_kind kind, const char *argument);

/* Ends the tool (STATUS_USAGE) where an argument is wrong. */
void select_check(const struct select_options *o);

#endif
