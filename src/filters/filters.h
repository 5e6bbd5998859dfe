/* filters.h - the list of filters: stages that write the rows pushed to them, changed or not. */
#ifndef PROFPIPE_FILTERS_H
#define PROFPIPE_FILTERS_H

#include "stream/stage.h"

extern const struct stage filter_cat, filter_pass, filter_2to1, filter_agg, filter_select,
    filter_skeleton;

#endif
