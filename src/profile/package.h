/* package.h - the package that a function belongs to.
 *
 * No format says it.  It shows in the form of the function's name and of its file, which each
 * language has for itself; profsum(1) describes them. */
#ifndef PROFPIPE_PACKAGE_H
#define PROFPIPE_PACKAGE_H

#include "base/buf.h"

/* What the package of a function depends on: bytes, empty where unknown. */
struct package_frame {
    struct str name, file;
    bool is_mapped; /* it is mapped from a program or library */
};

/* Appends the package of FRAME to TO.  False if its name and file do not show one: then nothing
 * is appended. */
bool package_add(struct buf *to, const struct package_frame *frame);

#endif
