/* packages.h - the packages of entries, for colours. */
#ifndef PROFPIPE_PACKAGES_H
#define PROFPIPE_PACKAGES_H

#include "summary/collect.h"

/* The package of each entry of C, by entry - 1: that of its first location (naming_package), a
 * string of the profile; 0: it has none. The caller frees them. */
uint32_t *packages_of(struct collect *c);

/* Whether most entries of C have one of PACKAGES, from packages_of, that is not the name of a
 * program or library: then colours by package say something. */
bool packages_have_most(const struct collect *c, const uint32_t *packages);

#endif
