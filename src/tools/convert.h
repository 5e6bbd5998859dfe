/* convert.h - what the tools do that read one format into rows (COMMON_CONVERT). */
#ifndef PROFPIPE_CONVERT_H
#define PROFPIPE_CONVERT_H

#include "formats/formats.h"
#include "tools/tool.h"

/* Ends the tool (STATUS_USAGE) where --timestamp or --profile-version is wrong. */
void convert_check(void);

/* Writes each of INPUTS, read as FORMAT and as the common options say, as a profile of its own to OUT.
 * OPTIONS are those of the format's reader. */
void convert(const struct format *format, const void *options, struct inputs *inputs,
             struct out *out);

#endif
