/* sqlite_packages.h - the packages of frames, which SQL cannot find out, as a table. */
#ifndef PROFPIPE_SQLITE_PACKAGES_H
#define PROFPIPE_SQLITE_PACKAGES_H

#include "formats/sqlite/sqlite_db.h"

/* Writes the table stored_packages of D, whose functions, locations and mappings are all there.
 * What is in it is that of naming_package (profile/naming.h). */
void sqlite_packages_write(struct sqlite_db *d);

#endif
