/* info.h - what is in a file: its format, sources, value types, stacks, labels and mappings. */
#ifndef PROFPIPE_INFO_H
#define PROFPIPE_INFO_H

#include "stream/stage.h"

/* The options; NULL: not given. */
struct info_options {
    const char *format; /* of the output */
    const char *max;    /* max number of rows of a list */
    bool brief;         /* a row for each input */
    bool columns;       /* describe the columns instead */
};

/* Ends the tool (STATUS_USAGE) if OPTIONS are not valid or do not fit together. */
void info_check(const struct info_options *options);

/* Describes each input. */
extern const struct stage info_stage;

#endif
