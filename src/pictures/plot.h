/* plot.h - plots of profiles, as those who tune R are used to them: functions and stacks with what they had, and what
 * happened one sample after the other. */
#ifndef PROFPIPE_PLOT_H
#define PROFPIPE_PLOT_H

#include "stream/stage.h"

/* What options say; NULL: not given. */
struct plot_options {
    const char *kind;   /* which plot, or all */
    const char *format; /* svg or html */
    const char *type;   /* of values: TYPE[/UNIT] */
    const char *by;     /* what boxes and bars are about */
    const char *max;    /* how many bars */
    const char *title;
    const char *width, *height; /* of a plot, in pixels */
    const char *colors;         /* a palette */
};

/* What --kind can be, all as the last, and --format. */
extern const char *const plot_kinds[7];
extern const char *const plot_formats[2];

/* Merged profiles in, plots out; its options are a struct plot_options. */
extern const struct stage plot_stage;

/* Ends the tool (STATUS_USAGE) where one of the options is wrong. */
void plot_check(const struct plot_options *options);

#endif
