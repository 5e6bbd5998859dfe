/* convert.h - the work of tools that convert one format to rows (COMMON_CONVERT). */
#ifndef PROFPIPE_CONVERT_H
#define PROFPIPE_CONVERT_H

#include "formats/formats.h"
#include "tools/tool.h"

/* Ends the tool (STATUS_USAGE) if --timestamp or --profile-version is invalid. */
void convert_check(void);

/* Reads each of INPUTS as FORMAT, with the common options and the reader's own OPTIONS, and
 * writes it to OUT as a separate profile. */
void convert(const struct format *format, const void *options, struct inputs *inputs,
             struct out *out);

#endif
