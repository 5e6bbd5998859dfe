/* width.h - how many columns of a terminal text takes. */
#ifndef PROFPIPE_WIDTH_H
#define PROFPIPE_WIDTH_H

#include "base/str.h"

/* The columns that TEXT, valid UTF-8 without control characters, takes.  With MAX, the longest start of
 * it that takes no more than that is all that is looked at, and *FITS (may be NULL) is how long that
 * is. */
size_t width_of(struct str text, size_t max, size_t *fits);

#endif
