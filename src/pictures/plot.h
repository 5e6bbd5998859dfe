/* plot.h - plots of profiles, as known to those who tune R code: functions and stacks with their
 * values, and events over time. Or their figures, as a table for programs. */
#ifndef PROFPIPE_PLOT_H
#define PROFPIPE_PLOT_H

#include "stream/stage.h"

/* The options; NULL: not given. */
struct plot_options {
    const char *kind;   /* which plot, or all of them */
    const char *format; /* svg, html, or that of a table */
    const char *type;   /* of values: TYPE[/UNIT] */
    const char *by;     /* what boxes and bars are about */
    const char *lane;   /* what has a lane of its own where samples have times */
    const char *max;    /* max number of bars or rows */
    const char *title;
    const char *width, *height; /* of a plot, in pixels */
    const char *colors;         /* a palette */
    bool columns;               /* describe the columns of the table instead of writing it */
};

/* The values of --kind (the last is for all plots) and of --format. */
extern const char *const plot_kinds[7];
extern const char *const plot_formats[6];

/* Reads merged profiles and writes plots. The options are a struct plot_options. */
extern const struct stage plot_stage;

/* Ends the tool (STATUS_USAGE) if an option is not valid. */
void plot_check(const struct plot_options *options);

#endif
