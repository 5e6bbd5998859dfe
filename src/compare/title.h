/* title.h - the title of the table: how many runs there are, what they cost, and what the table can
 * show. */
#ifndef PROFPIPE_TITLE_H
#define PROFPIPE_TITLE_H

#include "compare/changes.h"

/* Appends the title of T to TO. */
void title_make(const struct changes *t, struct buf *to);

#endif
