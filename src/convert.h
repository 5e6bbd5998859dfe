/* convert.h - what the tools that read a format into rows have in common. */
#ifndef PROFPIPE_CONVERT_H
#define PROFPIPE_CONVERT_H

#include "formats.h"
#include "tool.h"

/* What the options below were set to. */
struct convert_options {
    const char *source_uri;
    const char *timestamp; /* seconds, or "mtime" */
};
extern struct convert_options convert_options;

/* Rows for the tables of converters. */
#define OPTIONS_CONVERT                                                                            \
    OPTION_ROW_STRICT,                                                                             \
        {0,                                                                                        \
         "source-uri",                                                                             \
         "URI",                                                                                    \
         OPTION_STRING,                                                                            \
         &convert_options.source_uri,                                                              \
         "name the sources URI instead of the input's file name"},                                 \
    {                                                                                              \
        0, "timestamp", "SECONDS", OPTION_STRING, &convert_options.timestamp,                      \
            "date the sources: seconds since 1970-01-01 UTC, or \"mtime\" for the file's last "    \
            "change"                                                                               \
    }

/* Writes each of INPUTS, read as FORMAT, as a profile of its own to OUT.  FROM_CODE is that of
 * struct read_request. */
void convert(const struct format *format, const char *from_code, struct inputs *inputs,
             struct out *out);

#endif
