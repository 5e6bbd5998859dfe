/* width.h - how many columns text takes in a terminal. */
#ifndef PROFPIPE_WIDTH_H
#define PROFPIPE_WIDTH_H

#include "base/str.h"

/* The number of columns that TEXT takes, which is valid UTF-8 without control characters.  Looks
 * only at the longest prefix of at most MAX columns, and stores its length in bytes in *FITS,
 * unless NULL. */
size_t width_of(struct str text, size_t max, size_t *fits);

#endif
