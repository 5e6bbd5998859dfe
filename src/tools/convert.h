/* convert.h - what the tools that read a format into rows have in tool_common. */
#ifndef PROFPIPE_CONVERT_H
#define PROFPIPE_CONVERT_H

#include "formats/formats.h"
#include "tools/tool.h"

/* What the options below were set to. */
struct convert_options {
    const char *source_uri;
    const char *timestamp; /* seconds, or "mtime" */
    const char *profile_version;
};
extern struct convert_options convert_options;

/* clang-format off: it does not see the table in this */

/* Rows for the tables of converters. */
#define OPTIONS_CONVERT                                                                            \
    {0,                                                                                            \
     "source-uri",                                                                                 \
     "URI",                                                                                        \
     OPTION_STRING,                                                                                \
     &convert_options.source_uri,                                                                  \
     "give the sources this URI instead of the input's file name"},                                \
        {0,                                                                                        \
         "profile-version",                                                                        \
         "VERSION",                                                                                \
         OPTION_STRING,                                                                            \
         &convert_options.profile_version,                                                         \
         "write rows of this version: 2.0, the default, or 1.0"},                                  \
    {                                                                                              \
        0, "timestamp", "SECONDS", OPTION_STRING, &convert_options.timestamp,                      \
            "date the sources: seconds since 1970-01-01 UTC, or mtime for the time of the file's " \
            "last "                                                                                \
            "change"                                                                               \
    }

/* clang-format on */

/* Ends the tool (STATUS_USAGE) where these options are wrong. */
void convert_check(void);

/* Writes each of INPUTS, read as FORMAT and as the options above say, as a profile of its own to OUT.
 * OPTIONS are those of the format's reader. */
void convert(const struct format *format, const void *options, struct inputs *inputs,
             struct out *out);

#endif
