/* info_parts.h - shared by the parts of info.h: how a description is written. */
#ifndef PROFPIPE_INFO_PARTS_H
#define PROFPIPE_INFO_PARTS_H

#include "base/out.h"
#include "info/describe.h"

/* info_text.c: writes what G, which is finished, has for people to OUT, at most MAX rows of a
 * list. */
void info_write_text(const struct gather *g, size_t max, struct out *out);

/* info_json.c: writes D as one object in a line, without a line feed, to OUT; MAX as above. */
void info_write_json(struct describe *d, size_t max, struct out *out);

#endif
